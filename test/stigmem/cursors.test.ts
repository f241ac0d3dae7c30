import { expect, test } from 'vitest'
import { listIn, openNode, ref, type TestNode } from './node.js'

/** `MNEME_CURSOR_RUNS=1000` runs the full size. */
const RUNS = Number(process.env.MNEME_CURSOR_RUNS ?? 12)
const ENTITIES = 14

/** Equal numbers in every run. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function say(node: TestNode, pick: (below: number) => number, made: string[]): Promise<void> {
  const [from, to] = [pick(ENTITIES), pick(ENTITIES)]
  const { id } = await node.call(
    'assert_fact',
    ref(`user:${from}`, `memory:r${pick(3)}`, `user:${to}`, { confidence: 0.05 + pick(20) / 20 > 1 ? 1 : 0.05 + pick(19) / 20 }),
  )
  made.push(String(id))
}

async function disturb(node: TestNode, pick: (below: number) => number, made: string[]): Promise<void> {
  const what = pick(4)
  const [known] = made.splice(pick(made.length), what === 0 ? 1 : 0)
  if (known !== undefined) await node.call('retract_fact', { id: known })
  else if (what === 1) await node.call('decay_scope', { scope: 'company' })
  else await say(node, pick, made)
}

test(`cursors skip nothing and tell nothing twice, under inserts, retractions, sweeps and restarts: ${RUNS} runs`, async () => {
  const kinds = ['ram', 'sqlite'] as const
  const each = Math.ceil(RUNS / kinds.length)
  for (const kind of kinds)
    for (let from = 0; from < each; from += ON_ONE_STORE) await runs(kind, from, Math.min(each, from + ON_ONE_STORE))
})

/** A store grows with every run, so another one is started after this number. */
const ON_ONE_STORE = 20

async function runs(kind: 'ram' | 'sqlite', from: number, to: number): Promise<void> {
  let node = await openNode(kind)
  const made: string[] = []
  await node.call('create_decay_policy', { relation: 'memory:r1', half_life_s: 0.01, min_confidence: 0.02 })
  const pick = chance(from * 2 + (kind === 'ram' ? 7 : 11))
  for (let i = 0; i < 20; i++) await say(node, pick, made)
  for (let run = from; run < to; run++) {
    const request = { entity: `user:${pick(ENTITIES)}`, scope: 'company', depth: 1 + pick(3), min_confidence: pick(2) / 4 }
    const whole = listIn(await node.call('neighbors', { ...request, page_size: 200 }), 'neighbors')
    const seen: unknown[] = []
    let cursor: unknown
    do {
      const page = await node.call('neighbors', { ...request, page_size: 1 + (run % 3), ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...listIn(page, 'neighbors'))
      cursor = page.next_cursor
      for (let i = pick(3); i > 0; i--) await disturb(node, pick, made)
      if (kind === 'sqlite' && pick(12) === 0) node = await node.restart()
    } while (cursor !== undefined)
    expect(seen, `run ${run} on ${kind}`).toEqual(whole)
  }
  await node.close()
}
