import { expect, it } from 'vitest'
import { statementsIn } from '../../src/core/hooks/statements.js'
import { LABELLED } from './labelled-turns.js'

/** What was kept and should be, what was kept and should not be, and what was missed. */
function score() {
  const wrong: string[] = []
  const missed: string[] = []
  let right = 0
  for (const { turn, keep } of LABELLED) {
    const found = statementsIn(turn).map(({ text }) => text)
    const due = [...keep]
    for (const text of found) {
      const place = due.findIndex((piece) => text.toLowerCase().includes(piece.toLowerCase()))
      if (place === -1) wrong.push(`${turn} -> ${text}`)
      else {
        due.splice(place, 1)
        right += 1
      }
    }
    missed.push(...due.map((piece) => `${turn} [${piece}]`))
  }
  return { right, wrong, missed, precision: right / (right + wrong.length), recall: right / (right + missed.length) }
}

it('captures statements of 300 labelled turns with a precision of 90 % and a recall of 60 %', () => {
  const { precision, recall, wrong, missed, right } = score()
  if (process.env.MNEME_SHOW_LABELS) process.stdout.write(`${JSON.stringify({ precision, recall, right, wrong, missed }, null, 1)}\n`)
  expect(LABELLED.length).toBeGreaterThanOrEqual(300)
  expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.9)
  expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.6)
})
