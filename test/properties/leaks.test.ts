import fc from 'fast-check'
import { describe, test } from 'vitest'
import { canReadFact, type Principal } from '../../src/core/access/access-filter.js'
import { SCOPES } from '../../src/core/facts/fact.js'
import { readFeedAsPeer } from '../../src/engine/federation/feed.js'
import { addPeer } from '../../src/engine/federation/peers.js'
import { answers } from './leak-questions.js'
import { END, isAbout, masked, openWorld, type Step, settle, step, take, type World } from './leak-world.js'

// What a key may not see changes nothing in its results: not a byte, a count or a score.

const reader = fc.record({
  scopes: fc.oneof(fc.constant<'all'>('all'), fc.subarray([...SCOPES], { minLength: 1 })),
  gardens: fc.subarray(['den', 'loft'] as const),
  federated: fc.boolean(),
  writes: fc.boolean(),
})

/** Where two results differ, with context. */
function difference(a: string, b: string): string {
  const offset = [...a].findIndex((character, index) => character !== b[index])
  const around = (text: string): string => text.slice(Math.max(0, offset - 200), offset + 200)
  return `${a.slice(0, 120)}\n  with:    ${around(a)}\n  without: ${around(b)}`
}

function compare(whole: readonly string[], open: readonly string[]): void {
  for (const [index, answer] of whole.entries()) if (answer !== open[index]) throw new Error(difference(answer, open[index] ?? ''))
  if (open.length !== whole.length) throw new Error(`There are ${whole.length} answers with and ${open.length} without`)
}

/** Two worlds, one with everything and one with visible data only. */
async function inBoth(
  kind: 'sqlite' | 'ram',
  steps: readonly Step[],
  work: (worlds: readonly [World, World]) => Promise<{ isOpen(step: Step): boolean; tell(world: World): Promise<readonly string[]> }>,
): Promise<void> {
  const hashes = new Map<number, string>()
  const worlds = [await openWorld(kind, hashes), await openWorld(kind, hashes)] as const
  try {
    const { isOpen, tell } = await work(worlds)
    const [whole, open] = worlds
    for (const [number, step] of steps.entries()) {
      await take(whole, number, steps)
      if (isOpen(step)) await take(open, number, steps)
    }
    for (const { house, clock } of worlds) {
      clock.set(END)
      await settle(house)
    }
    compare(await tell(whole), await tell(open))
  } finally {
    for (const { house } of worlds) await house.close()
  }
}

const SEED = process.env.MNEME_LEAK_SEED
const RUNS = Number(process.env.MNEME_LEAK_RUNS ?? 3)
const OPTIONS = { numRuns: RUNS, endOnFailure: true, ...(SEED === undefined ? {} : { seed: Number(SEED) }) }
const someSteps = fc.array(step, { minLength: 8, maxLength: 18 })

describe.each(['sqlite', 'ram'] as const)('with and without what is hidden, on %s', (kind) => {
  test('every answer of a key is the same, byte for byte', async () => {
    const property = fc.asyncProperty(someSteps, reader, (steps, { scopes, gardens, federated, writes }) =>
      inBoth(kind, steps, async ([whole, open]) => {
        const terms = {
          entity: 'user:reader',
          scopes,
          gardens: Object.fromEntries(gardens.map((slug) => [slug, 'reader' as const])),
          rights: ['read' as const, ...(federated ? (['federated'] as const) : []), ...(writes ? (['write'] as const) : [])],
        }
        const keys = new Map([whole, open].map((world) => [world, '']))
        for (const world of keys.keys()) keys.set(world, (await world.house.key(terms)).key)
        const reach = (await whole.house.engine.keyRing.verify(keys.get(whole) ?? ''))?.reach ?? 'everything'
        const isOpen = (step: Step): boolean => isAbout(steps, step, (subject) => canReadFact(reach, subject))
        const ids = steps.flatMap((step, number) => (isOpen(step) && step.kind === 'fact' ? [`<fact ${number}>`] : [])).slice(0, 4)
        return { isOpen, tell: (world) => answers(world, { key: keys.get(world) ?? '', scopes, writes, ids }) }
      }),
    )
    await fc.assert(property, OPTIONS)
  })

  test('every page that a peer reads is the same, byte for byte', async () => {
    const property = fc.asyncProperty(someSteps, fc.subarray(['public', 'company'] as const, { minLength: 1 }), (steps, scopes) =>
      inBoth(kind, steps, async () => ({
        isOpen: (step) =>
          isAbout(
            steps,
            step,
            (subject, about) => about.kind === 'fact' && subject.garden === null && scopes.some((scope) => scope === subject.scope),
          ),
        tell: (world) => pagesFor(world, scopes),
      })),
    )
    await fc.assert(property, OPTIONS)
  })
})

/** All pages that a peer receives, two facts at a time, and again after the end. */
async function pagesFor({ house, ids }: World, scopes: readonly ('public' | 'company')[]): Promise<readonly string[]> {
  const terms = { owner: 'ann', url: 'http://127.0.0.1:1', trust: 0.5, pull: false, push: false, scopes }
  const peer = await addPeer(house.engine.context(), 'test', { ...terms, publicKey: 'A'.repeat(43) })
  const principal: Principal = {
    ...{ name: 'peer', mayWrite: true, rights: ['peer'], proof: 'peer', key: peer.id, owner: 'ann', entity: null, sources: [], roles: [] },
    reach: { owners: [{ owner: 'ann', scopes: [...scopes], gardens: [], federated: true }] },
  }
  const context = house.engine.context({ principal })
  const pages: string[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await readFeedAsPeer(context, { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    pages.push(masked(JSON.stringify(page), ids).replace(/"origin":"mneme-[^"]*"/gu, '"origin":"<node>"'))
    more = page.hasMore
    if (!more) pages.push(String(page.cursor === (await readFeedAsPeer(context, { limit: 2, cursor: page.cursor })).cursor))
    cursor = page.cursor
  }
  return pages
}
