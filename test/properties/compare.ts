import { expect } from 'vitest'
import type { AsOf } from '../../src/core/facts/validity.js'
import type { JournalEntry } from '../../src/core/journal/change.js'
import { OWN_WORDS } from '../../src/core/recall/recipe/recipe.js'
import { queryTerms } from '../../src/core/text/text.js'
import type { Backend } from '../../src/ports/backend.js'
import type { PendingText } from '../../src/ports/backlog.js'
import type { Hit, View } from '../../src/ports/view.js'
import { NOON } from '../contract/samples.js'
import { TUNED } from '../scored-candidate.js'
import { OWNERS, vectorOf } from './history.js'

const QUESTIONS = ['otter', 'the herons of the river', 'running deep parse header', 'Ann Lee', '東京'] as const
const WORDS = ['the', 'otter', 'heron', 'it', 'parse_header', 'ann', 'stoat', 'bob', 'marsh']

/** Numbers and names of commits are internal to a store; the position of an entry in its owner's journal, and its grouping, are not. */
function numbered(entries: readonly JournalEntry[]): unknown {
  const commits = [...new Set(entries.map(({ commit }) => commit))]
  return entries.map((entry) => ({
    ...entry,
    commit: commits.indexOf(entry.commit),
    seq: entries.filter(({ owner, seq }) => owner === entry.owner && seq <= entry.seq).length,
  }))
}

/** Row numbers are internal to a store, so the order of texts of several owners is, too. */
const unnumbered = (texts: readonly PendingText[]): unknown =>
  texts
    .map((text) => ({ ...text, rid: 0 }))
    .sort((a, b) =>
      a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : (a.piece?.index ?? 0) - (b.piece?.index ?? 0),
    )

/** Everything readable in a store, in a form that is independent of the backend. */
export async function viewOf(backend: Backend, instants: readonly number[]): Promise<unknown> {
  const facts = await backend.store.listFacts({ limit: 1000, offset: 0 })
  const everyone = await backend.view(undefined)
  const rids = await everyone.rows.ridsOf(facts.map((fact) => fact.id))
  const ids = new Map([...rids].map(([id, rid]) => [rid, id]))
  const mentions = await everyone.links.mentions([...rids.values()])
  const sketches = await everyone.links.sketches([...rids.values()])
  const validAt = async (moment: AsOf) =>
    (await backend.store.listFacts({ validAt: moment, limit: 1000, offset: 0 })).map((fact) => fact.id)
  const index = (offset: number) => Promise.all([false, true].map((present) => validAt({ at: NOON + offset, present })))
  const perOwner = async (owner: string) => {
    const { links, rows } = await backend.view(owner)
    return {
      counts: await backend.store.counts(owner),
      oldest: (await backend.store.listFacts({ owner, session: 's1', oldestFirst: true, limit: 3, offset: 1 })).map((fact) => fact.id),
      names: await links.namesIn(owner, WORDS),
      authors: [...(await links.authorsIn(owner, WORDS))].sort(),
      postings: await Promise.all(
        (await links.postings(owner, ['otter', 'heron', 'marsh', 'parse_header', 'it'], 2)).map(async ({ name, subjects, mentions }) => ({
          name,
          subjects: [...(await rows.idsOf(subjects)).values()],
          mentions: [...(await rows.idsOf(mentions)).values()],
        })),
      ),
    }
  }
  const edges = await backend.store.edges({ limit: 1000 })
  return {
    facts,
    rows: [...rids.keys()].sort(),
    mentions: new Map([...mentions].map(([rid, names]) => [ids.get(rid), [...names].sort()])),
    sketches: sketches.map((sketch) => ({ ...sketch, rid: 0 })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    entities: await backend.store.listEntities({ limit: 1000, offset: 0 }),
    // A text that changes and mentions the same may keep its edge or recreate it.
    edges: edges.map((edge) => (edge.id.startsWith('auto-') ? { ...edge, createdAt: 0 } : edge)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    journal: numbered(await backend.store.journal({ limit: 1000 })),
    counts: await backend.store.counts(undefined),
    owners: await Promise.all(OWNERS.map(perOwner)),
    waiting: unnumbered(await backend.backlog.next('facts', 1000)),
    pieces: unnumbered(await backend.backlog.next('pieces', 1000)),
    atInstants: await Promise.all(instants.map(index)),
  }
}

/** Row numbers are valid within their view only. */
const named = async <H extends Hit>(view: View, hits: readonly H[]): Promise<readonly (H & { readonly id: string })[]> => {
  const ids = await view.rows.idsOf(hits.map((hit) => hit.rid))
  return hits.map((hit) => ({ ...hit, id: ids.get(hit.rid) ?? `row ${hit.rid} is gone` }))
}

type NamedHit = Hit & { readonly id: string }

function sameHits(actual: readonly NamedHit[], expected: readonly NamedHit[]): void {
  expect(actual.map((hit) => hit.id).sort()).toEqual(expected.map((hit) => hit.id).sort())
  const scores = new Map(expected.map((hit) => [hit.id, hit.score]))
  for (const hit of actual) expect(Math.abs(hit.score - (scores.get(hit.id) ?? Number.NaN))).toBeLessThan(1e-4)
  for (const [i, hit] of actual.entries()) expect(hit.score).toBeLessThanOrEqual((actual[i - 1]?.score ?? Number.POSITIVE_INFINITY) + 1e-9)
}

export async function sameSearches(sqlite: Backend, ram: Backend, instant: number): Promise<void> {
  for (const owner of [...OWNERS, undefined]) {
    const [mine, oracle] = [await sqlite.view(owner), await ram.view(owner)]
    const pool = { at: NOON + instant, present: instant % 2 === 0 }
    for (const question of QUESTIONS) {
      for (const fields of [OWN_WORDS, TUNED.fields]) {
        const [a, b] = [
          await mine.words.search(queryTerms(question), pool, 1000, fields),
          await oracle.words.search(queryTerms(question), pool, 1000, fields),
        ]
        const [hits, expected] = [await named(mine, a.hits), await named(oracle, b.hits)]
        sameHits(hits, expected)
        expect(a.documents).toBe(b.documents)
        expect(a.rarity).toBeCloseTo(b.rarity, 4)
        const scores = await a.scores(hits.map(({ rid }) => rid))
        for (const hit of hits) {
          const same = expected.find(({ id }) => id === hit.id)
          expect(hit.length).toBe(same?.length)
          const again = scores.get(hit.rid)
          expect([again?.terms, hit.terms]).toEqual([same?.terms, same?.terms])
          expect(again?.score).toBe(hit.score)
          expect(again?.rarity).toBeCloseTo(same?.rarity ?? Number.NaN, 4)
        }
      }
    }
    const query = vectorOf(String(instant))
    for (const key of ['best piece', 'whole'] as const)
      sameHits(
        await named(mine, await mine.vectors.search(query, pool, 1000, key)),
        await named(oracle, await oracle.vectors.search(query, pool, 1000, key)),
      )
    mine.close()
  }
}

/** Compares two results of `viewOf`. */
export function sameView(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}
