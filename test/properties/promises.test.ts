import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fact } from '../../src/core/facts/fact.js'
import { isValidAt } from '../../src/core/facts/validity.js'
import type { Backend } from '../../src/ports/backend.js'
import { aFact, everything, NOON } from '../contract/samples.js'
import { runs } from '../runs.js'
import { TUNED } from '../scored-candidate.js'
import { changesOf, commitOf, embedWaiting, history, outcome, type Step, step, vectorOf } from './history.js'
import { scratchStores } from './scratch.js'

const options = { numRuns: runs(8, 20) }

async function play(backend: Backend, commits: readonly { readonly steps: readonly Step[]; readonly embed: boolean }[]): Promise<void> {
  for (const [tick, { steps, embed }] of commits.entries()) {
    await outcome(backend, await changesOf(backend, steps, tick))
    if (embed) await embedWaiting(backend)
  }
}

const searches = async (backend: Backend, owner: string | undefined) => {
  const view = await backend.view(owner)
  const { hits } = await view.words.search(['otter', 'heron', 'river', 'stoat'], { at: NOON + 10 }, 100, TUNED.fields)
  const near = await view.vectors.search(vectorOf('q'), { at: NOON + 10 }, 100)
  const ids = await view.rows.idsOf([...hits, ...near].map((hit) => hit.rid))
  return [hits, near].map((list) => new Map(list.map(({ rid, score }) => [ids.get(rid), score])))
}

/** Backends may round the last digits differently. */
function alike(actual: readonly ReadonlyMap<unknown, number>[], expected: readonly ReadonlyMap<unknown, number>[]): void {
  expect(actual.map((scores) => new Set(scores.keys()))).toEqual(expected.map((scores) => new Set(scores.keys())))
  for (const [i, scores] of actual.entries())
    for (const [id, score] of scores) expect(Math.abs(score - (expected[i]?.get(id) ?? Number.NaN))).toBeLessThan(1e-4)
}

/** The facts that follow from the journal. */
async function replay(backend: Backend): Promise<ReadonlyMap<string, Fact>> {
  const facts = new Map<string, Fact>()
  for (const entry of await backend.store.journal({ limit: 10_000 })) {
    if (entry.op === 'fact.delete') facts.delete(entry.target)
    if (entry.op === 'reset') for (const [id, fact] of facts) if (entry.owner === '*' || fact.owner === entry.owner) facts.delete(id)
    if (entry.op === 'fact.put' && entry.after !== null) facts.set(entry.target, aFact({ id: entry.target, ...entry.after }))
  }
  return facts
}

describe('promises of the store', () => {
  const stores = scratchStores()

  test('a failing commit leaves no trace', async () => {
    const property = fc.asyncProperty(history, fc.array(step, { minLength: 1, maxLength: 6 }), async (commits, doomed) => {
      await stores.sqlite(async (backend) => {
        await play(backend, commits)
        const before = [await everything(backend), await searches(backend, undefined)]
        const changes = await changesOf(backend, doomed, 99)
        expect(await outcome(backend, [...changes, { op: 'fact.put', fact: aFact({ id: 'absent', version: 99 }) }])).toBe('conflict')
        expect([await everything(backend), await searches(backend, undefined)]).toEqual(before)
        expect(await backend.maintenance.diagnose()).toEqual([])
      })
    })
    await fc.assert(property, options)
  })

  test('an owner sees the same whether others exist or not', async () => {
    const property = fc.asyncProperty(fc.array(commitOf(step), { minLength: 1, maxLength: 10 }), async (commits) => {
      // One step each, so that a conflict of one owner never undoes a step of another.
      const steps = commits.flatMap((commit) => commit.steps)
      await stores.sqlite(async (mixed) => {
        const alone = await stores.ram()
        for (const [tick, step] of steps.entries()) {
          await outcome(mixed, await changesOf(mixed, [step], tick))
          if (step.owner === 'ann') await outcome(alone, await changesOf(alone, [step], tick))
        }
        // A few pieces at a time: pieces of others must not delay the owner's own.
        for (const backend of [mixed, alone]) while ((await embedWaiting(backend)) > 0);
        const seenBy = async (backend: Backend) => ({
          facts: await backend.store.listFacts({ owner: 'ann', limit: 1000, offset: 0 }),
          entities: await backend.store.listEntities({ owner: 'ann', limit: 1000, offset: 0 }),
          edges: (await backend.store.edges({ owner: 'ann', limit: 1000 })).map(({ from, type, to }) => `${from} ${type} ${to}`).sort(),
          ops: (await backend.store.journal({ owner: 'ann', limit: 1000 })).map(({ op, target, after }) => [op, target, after]),
          counts: await backend.store.counts('ann'),
          names: await (await backend.view('ann')).links.namesIn('ann', ['otter', 'heron', 'stoat', 'marsh']),
          authors: [...(await (await backend.view('ann')).links.authorsIn('ann', ['ann', 'bob']))].sort(),
        })
        expect(await seenBy(mixed)).toEqual(await seenBy(alone))
        alike(await searches(mixed, 'ann'), await searches(alone, 'ann'))
      })
    })
    await fc.assert(property, options)
  })

  test('a replay of the journal gives the facts, and what was valid when', async () => {
    const property = fc.asyncProperty(history, fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 5 }), async (commits, instants) => {
      await stores.sqlite(async (backend) => {
        await play(backend, commits)
        const replayed = await replay(backend)
        const facts = await backend.store.listFacts({ limit: 1000, offset: 0 })
        expect(new Map(facts.map((fact) => [fact.id, fact]))).toEqual(replayed)
        for (const [instant, present] of instants.flatMap((instant) => [[instant, false] as const, [instant, true] as const])) {
          const listed = await backend.store.listFacts({ validAt: { at: NOON + instant, present }, limit: 1000, offset: 0 })
          const expected = [...replayed.values()].filter((fact) => isValidAt(fact, { at: NOON + instant, present }))
          expect(listed.map((fact) => fact.id).sort()).toEqual(expected.map((fact) => fact.id).sort())
          expect(await backend.store.countFacts({ validAt: { at: NOON + instant, present } })).toBe(expected.length)
        }
      })
    })
    await fc.assert(property, options)
  })
})
