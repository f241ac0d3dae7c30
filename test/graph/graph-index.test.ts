import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { FactStatus } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { hashVector } from '../../src/models/hash.js'
import type { Backend } from '../../src/ports/backend.js'
import { aFact, anEdge, anEntity, handClock, NOON } from '../contract/samples.js'
import { openRam } from '../memory-backend/open.js'
import { runs } from '../runs.js'

const DIMENSIONS = 32
const model = { id: 'hash-32', dimensions: DIMENSIONS, floor: 0 }
const statuses: readonly FactStatus[] = ['active', 'candidate', 'outdated', 'superseded', 'archived']

describe('the graph index of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-graph-index-'))
  let both: readonly Backend[] = []
  let opened = 0
  beforeEach(async () => {
    both = [
      await openRam({ clock: handClock() }),
      await openSqlite({ directory: join(folder, String(opened++)), clock: handClock(), busyTimeoutMs: 1000 }),
    ]
  })
  afterEach(async () => {
    for (const backend of both) await backend.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const node = fc.nat({ max: 11 })
  const ownerOf = (i: number): string => ((i < 8 ? i % 3 : i % 2) === 0 ? 'ben' : 'ann')
  const fact = (i: number, [status, ends, old]: readonly [FactStatus, number, boolean]): Change => ({
    op: 'fact.put',
    fact: aFact({
      id: `f${i}`,
      owner: i % 3 === 0 ? 'ben' : 'ann',
      text: `fact number ${i} of ${i % 4}`,
      status,
      recordedAt: NOON + i,
      updatedAt: NOON + i,
      expiresAt: ends === 0 ? null : NOON + ends,
      validUntil: statuses.indexOf(status) > 1 ? NOON : null,
      dedupAt: old ? NOON - 1 : null,
    }),
  })
  const entity = (i: number, ends: number): Change => ({
    op: 'entity.put',
    entity: anEntity({
      id: `e${i}`,
      owner: i % 2 === 0 ? 'ben' : 'ann',
      name: `Thing ${'abcdef'[i]}`,
      expiresAt: ends === 0 ? null : NOON + ends,
    }),
  })

  it('equals plain maps over random graphs', async () => {
    const life = fc.tuple(fc.constantFrom(...statuses), fc.nat({ max: 3 }), fc.boolean())
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: 12, maxLength: 12 }),
        fc.array(fc.nat({ max: 3 }), { minLength: 6, maxLength: 6 }),
        fc.uniqueArray(fc.tuple(node, node, fc.constantFrom('KNOWS', 'NEEDS')), { maxLength: 50, selector: (entry) => entry.join() }),
        fc.array(node, { maxLength: 5 }),
        fc.array(node, { maxLength: 5 }),
        fc.nat({ max: 4 }),
        async (facts, entities, edges, some, others, now) => {
          const ends = (i: number): string => (i < 8 ? `f${i}` : `e${i - 8}`)
          const changes: readonly Change[] = [
            { op: 'reset', owner: null },
            ...facts.map((entry, i) => fact(i, entry)),
            ...entities.map((value, i) => entity(i, value)),
            // An edge has the owner of its endpoints.
            ...edges
              .filter(([from, to]) => ownerOf(from) === ownerOf(to))
              .map(
                ([from, to, type], i): Change => ({
                  op: 'edge.put',
                  imported: true,
                  edge: anEdge({
                    id: `g${i}`,
                    from: ends(from),
                    to: ends(to),
                    type,
                    owner: ownerOf(from),
                    createdAt: NOON + i,
                    validUntil: i % 7 === 6 ? NOON : null,
                  }),
                }),
              ),
          ]
          const answers = []
          for (const backend of both) {
            await backend.store.commit({ actor: 'test', owners: 'everyone' }, () => changes)
            const { graph } = backend
            const [here, there] = [some.map(ends), others.map(ends)]
            const around = [...(await graph.neighbours('ann', here, 1000))]
              .map(([value, others]) => [value, others.map((other) => `${other.id} ${other.origin}`).sort()])
              .sort()
            const page = { at: NOON + now, after: 0, limit: 100 }
            const ids = (placed: readonly { readonly fact: { readonly id: string } }[]) => placed.map((entry) => entry.fact.id)
            answers.push({
              around,
              among: (await graph.edgesAmong('ann', [...new Set([...here, ...there])])).map((edge) => edge.id),
              census: await graph.census('ann', NOON + now),
              owners: await graph.owners(),
              past: [ids(await graph.pastFacts('ann', 'outdated', page)), ids(await graph.pastFacts('ann', 'archived', page))],
              expired: ids(await graph.expiredFacts('ann', page)),
              unchecked: ids(await graph.uncheckedFacts('ann', { ...page, since: NOON + 3 })),
              journal: (await graph.journalOf('test', 5)).map((entry) => entry.target),
            })
          }
          expect(answers[1]).toEqual(answers[0])
        },
      ),
      { numRuns: runs(16, 40) },
    )
  })

  it('keeps vectors of entities and similarity edges up to date', async () => {
    const answers = []
    for (const backend of both) {
      const { graph, store, backlog } = backend
      await backlog.adopt(model)
      await store.commit({ actor: 'test', owners: ['ann'] }, () => [
        fact(1, ['active', 0, false]),
        fact(2, ['active', 0, false]),
        entity(1, 0),
        entity(3, 0),
      ])
      const pending = await backlog.next('facts', 10)
      await backlog.fill(
        'facts',
        pending.map((text) => ({ ...text, vector: hashVector(text.text, DIMENSIONS) })),
      )
      const embed = async () => {
        const waiting = await graph.entitiesToEmbed('ann', 10)
        await graph.putEntityVectors(waiting.map((entity) => ({ entity: entity, vector: hashVector(entity.name, DIMENSIONS) })))
        return waiting.map((entity) => entity.id).sort()
      }
      const near = async (text: string) => (await graph.similarEntities(hashVector(text, DIMENSIONS), 'ann', 0.9)).map((hit) => hit.id)
      const first = [await embed(), await embed(), await near('Thing b'), await near('Thing d')]
      await graph.linkSimilar([
        { owner: 'ann', from: 'f2', to: 'f1', toKind: 'fact', type: 'SIMILAR_TO', weight: 0.9 },
        { owner: 'ann', from: 'f2', to: 'e1', toKind: 'entity', type: 'MENTIONS_ENTITY', weight: 0.8 },
        { owner: 'ann', from: 'f2', to: 'gone', toKind: 'fact', type: 'SIMILAR_TO', weight: 0.9 },
      ])
      const links = async () =>
        (await store.edges({ owner: 'ann', limit: 10 })).map((edge) => `${edge.from} ${edge.type} ${edge.to} ${edge.weight}`).sort()
      const linked = await links()
      const after = (await graph.vectorsAfter('ann', { stamp: 0, rid: 0 }, 10)).map((entry) => entry.fact.id)
      const [stored] = await store.entities(['e1'])
      const [statement] = await store.facts(['f1'])
      if (stored === undefined || statement === undefined) throw new Error('lost')
      await store.commit({ actor: 'test', owners: ['ann'] }, (now) => [
        { op: 'entity.put', entity: { ...stored, name: 'Thing z', version: 2 } },
        { op: 'entity.delete', id: 'e3', owner: 'ann' },
        { op: 'fact.put', fact: { ...statement, text: 'said otherwise', updatedAt: now, version: 2 } },
      ])
      answers.push({ first, linked, after, rest: [await embed(), await near('Thing z'), await near('Thing d'), await links()] })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject({
      first: [['e1', 'e3'], [], ['e1'], ['e3']],
      linked: ['f2 MENTIONS_ENTITY e1 0.8', 'f2 SIMILAR_TO f1 0.9'],
      rest: [['e1'], ['e1'], [], ['f2 MENTIONS_ENTITY e1 0.8']],
    })
  })
})
