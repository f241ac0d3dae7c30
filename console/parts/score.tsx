import type { AskAnswer } from '../../src/contracts/console/ask.js'
import { score } from '../state/words.js'

export type Contribution = AskAnswer['results'][number]['contributions'][number]

/** Which colour a part of the score has; one that is not named here has the last, and what takes away is hatched. */
const CLASSES: Readonly<Record<string, string>> = {
  meaning: 'd1',
  height: 'd1',
  margin: 'd1',
  words: 'd2',
  coverage: 'd2',
  kinds: 'd2',
  link: 'd3',
  relation: 'd3',
  subject: 'd3',
  author: 'd3',
  judge: 'd4',
}
const classOf = ({ name, value }: Contribution): string => (value < 0 ? 'd-minus' : (CLASSES[name] ?? 'd5'))
const WORDS: Readonly<Record<string, string>> = { judge: 'reranker' }
const wordOf = (name: string): string => WORDS[name] ?? name.replaceAll('_', ' ')

/** Each colour once, with the names of the parts that have it: which parts there are is up to the ranking. */
export function legendOf(contributions: readonly Contribution[]): readonly (readonly [string, string])[] {
  const names = new Map<string, Set<string>>()
  for (const one of contributions) {
    const color = classOf(one)
    const known = names.get(color) ?? new Set()
    names.set(color, known.add(one.value < 0 ? 'taken away' : wordOf(one.name)))
  }
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([color, words]) => [color, [...words].join(', ')])
}

/** A score as the sum of its parts, in words: what a bar says to those who do not see its colours. */
export const sumOf = (contributions: readonly Contribution[]): string =>
  `${contributions.map(({ name, value }) => `${wordOf(name)} ${score(value)}`).join(' + ')} = ${score(contributions.reduce((sum, { value }) => sum + value, 0))}`

/** One bar per part of the score; what is taken away lies left of zero. One scale for the whole list. */
export function Parts({
  contributions,
  total,
  unit,
  pad,
}: {
  readonly contributions: readonly Contribution[]
  readonly total: number
  readonly unit: number
  readonly pad: number
}) {
  const minus = contributions.filter(({ value }) => value < 0)
  const plus = contributions.filter(({ value }) => value > 0)
  const taken = minus.reduce((sum, { value }) => sum - value, 0)
  return (
    <>
      <div class="bar">
        <span class="parts" style={{ '--unit': `${unit * 100}%` }} aria-hidden="true">
          <i class="pad" style={{ '--v': Math.max(0, pad - taken) }} />
          {minus.map((one) => (
            <i key={one.name} class="d-minus" style={{ '--v': -one.value }} title={`${wordOf(one.name)} ${score(one.value)}`} />
          ))}
          <i class="zero" />
          {plus.map((one) => (
            <i key={one.name} class={classOf(one)} style={{ '--v': one.value }} title={`${wordOf(one.name)} ${score(one.value)}`} />
          ))}
        </span>
        <span class="total">{score(total)}</span>
      </div>
      <span class="sr">{contributions.map((one) => `${wordOf(one.name)} ${score(one.value)}`).join(', ')}</span>
    </>
  )
}

/** How wide a score of 1 is, and how much room what is taken away needs. */
export function scaleOf(lists: readonly (readonly Contribution[])[]): { readonly unit: number; readonly pad: number } {
  const sum = (list: readonly Contribution[], sign: number): number => list.reduce((all, { value }) => all + Math.max(0, sign * value), 0)
  const pad = Math.max(0, ...lists.map((list) => sum(list, -1)))
  const most = Math.max(0.0001, ...lists.map((list) => sum(list, 1)))
  return { unit: 1 / (most + pad), pad }
}

/** The words of the text that the server matched with the question. */
export function Marked({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  const matched = new Set(terms)
  const parts = text.split(/([\p{L}\p{N}_-]+)/u)
  return <>{parts.map((part, at) => (at % 2 === 1 && matched.has(part) ? <mark key={at}>{part}</mark> : part))}</>
}
