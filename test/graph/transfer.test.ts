import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { createEntity } from '../../src/engine/entities/create-entity.js'
import { findNamed } from '../../src/engine/entities/nodes.js'
import { undoChange } from '../../src/engine/history/undo.js'
import type { ImportReport } from '../../src/engine/transfer/transfer.js'
import { exportLines, importLines } from '../../src/engine/transfer/transfer.js'
import { aFact, anEdge, anEntity, commit, putEntity, putFact } from '../contract/samples.js'
import { openWorld, type World } from './world.js'

describe('export and import', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  async function* written(lines: readonly (object | string)[]): AsyncGenerator<string> {
    for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
  }
  const load = (...lines: readonly (object | string)[]): Promise<ImportReport> =>
    importLines(world.engine.context(), written(lines), { actor: 'test', signal: new AbortController().signal, progress: () => undefined })
  const edges = async (): Promise<readonly string[]> => {
    const all = await world.backend.store.edges({ types: ['KNOWS'], limit: 100 })
    return all.map(({ id, from, to }) => `${id}: ${from} -> ${to}`).sort()
  }

  test('an export during deletions misses nothing else', async () => {
    const { backend } = world
    const ids = Array.from({ length: 1100 }, (_, i) => `f${9999 - i}`)
    const names = ids.slice(0, 600).map((id) => `e${id}`)
    await commit(backend, ...ids.map((id) => putFact({ id, text: 'x' })))
    await commit(backend, ...names.map((id) => putEntity({ id, name: `name ${id}` })))
    const facts: string[] = []
    const entities: string[] = []
    for await (const line of exportLines(world.engine.context(), { owner: 'ann' })) {
      const { fact, entity } = JSON.parse(line)
      if (fact !== undefined) facts.push(fact.id)
      if (entity !== undefined) entities.push(entity.id)
      if (facts.length === 100 && entities.length === 0)
        await commit(backend, ...ids.slice(0, 50).map((id) => ({ op: 'fact.delete' as const, id, owner: 'ann' })))
      if (entities.length === 100)
        await commit(backend, ...names.slice(-50).map((id) => ({ op: 'entity.delete' as const, id, owner: 'ann' })))
    }
    expect(facts).toEqual(ids)
    expect(entities).toEqual([...names].sort())
  })

  test('an entity whose name exists is merged into the existing one, with its edges', async () => {
    await commit(world.backend, putEntity({ id: 'here', name: 'Acme', aliases: ['ACM'] }))
    const lines = [
      { edge: anEdge({ id: 'r0', from: 'p1', to: 'there' }) },
      { entity: anEntity({ id: 'there', name: 'The Acme' }) },
      { entity: anEntity({ id: 'alias', name: 'Pump Makers', aliases: ['acm'] }) },
      { entity: anEntity({ id: 'p1', name: 'Pia' }) },
      { entity: anEntity({ id: 'p2', name: 'PIA' }) },
      { entity: anEntity({ id: 'bobs', owner: 'bob', name: 'Acme' }) },
      ...Array.from({ length: 500 }, (_, i) => ({ fact: aFact({ id: `f${i}`, text: 'x' }) })),
      { edge: anEdge({ id: 'r1', from: 'there', to: 'p2' }) },
      { edge: anEdge({ id: 'r2', from: 'there', to: 'alias' }) },
    ]
    expect(await load(...lines)).toEqual({ facts: 500, entities: 2, edges: 2, skipped: 4 })
    expect(await edges()).toEqual(['r0: p1 -> here', 'r1: here -> p1'])
    expect(await load(...lines)).toEqual({ facts: 0, entities: 0, edges: 0, skipped: lines.length })
    expect(await edges()).toEqual(['r0: p1 -> here', 'r1: here -> p1'])
  })

  test('relations may precede their ends, and are attached to the existing entity of that name', async () => {
    await commit(world.backend, putEntity({ id: 'here', name: 'Acme' }))
    const lines = [
      { edge: anEdge({ id: 'r1', from: 'p1', to: 'there' }) },
      { edge: anEdge({ id: 'r2', from: 'f9', fromKind: 'fact', to: 'p1' }) },
      ...Array.from({ length: 600 }, (_, i) => ({ fact: aFact({ id: `f${i}`, text: 'x' }) })),
      { entity: anEntity({ id: 'there', name: 'Acme' }) },
      { entity: anEntity({ id: 'p1', name: 'Pia' }) },
    ]
    expect(await load(...lines)).toEqual({ facts: 600, entities: 1, edges: 2, skipped: 1 })
    expect(await edges()).toEqual(['r1: p1 -> here', 'r2: f9 -> p1'])
    expect(await world.backend.maintenance.diagnose()).toEqual([])
  })

  test('a relation without an end is rejected with its line; everything else is stored', async () => {
    await commit(world.backend, putEntity({ id: 'bobs', name: 'Bob', owner: 'bob' }))
    const lines = [
      { edge: anEdge({ id: 'r1', from: 'p1', to: 'absent' }) },
      { edge: anEdge({ id: 'r2', from: 'p1', to: 'bobs' }) },
      { edge: anEdge({ id: 'r3', from: 'p1', to: 'f1', toKind: 'fact' }) },
      { entity: anEntity({ id: 'p1', name: 'Pia' }) },
      { fact: aFact({ id: 'f1' }) },
    ]
    const refused = { code: 'invalid_input', hint: expect.stringContaining('Everything else was stored.') }
    await expect(load(...lines)).rejects.toMatchObject({
      ...refused,
      message:
        'Line 1: the relation r1 leads to the entity absent of ann, which neither the file nor the store has. So it is with 1 more (line 2).',
    })
    expect(await edges()).toEqual(['r3: p1 -> f1'])
    await expect(load({ edge: anEdge({ id: 'r4', from: 'a', fromKind: 'fact', to: 'b' }) })).rejects.toMatchObject({
      ...refused,
      message:
        'Line 1: the relation r4 begins at the fact a of ann and leads to the entity b of ann, which neither the file nor the store has.',
    })
    expect(await world.backend.maintenance.diagnose()).toEqual([])
    expect(await load(...lines, { entity: anEntity({ id: 'absent', name: 'Nemo' }) }).catch(() => edges())).toEqual([
      'r1: p1 -> absent',
      'r3: p1 -> f1',
    ])
  })

  test('existing relations without an end are reported by doctor, omitted from exports and removed by mend', async () => {
    const { backend } = world
    await commit(backend, putEntity({ id: 'a', name: 'A' }), putEntity({ id: 'b', name: 'B' }), putEntity({ id: 'c', name: 'C' }))
    for (const [id, to] of [
      ['r1', 'b'],
      ['r2', 'c'],
    ] as const)
      await commit(backend, { op: 'edge.put', edge: anEdge({ id, from: 'a', to }) })
    const db = openFile(backend.location)
    db.exec(`UPDATE entity_edges SET object = 'gone' WHERE id = 'r2'`)
    db.close()
    const lacking = async () => (await backend.maintenance.diagnose()).filter(({ what }) => what.includes('lack an end'))
    expect(await lacking()).toMatchObject([{ what: '1 relations lack an endpoint', remedy: expect.stringContaining('mneme mend') }])
    const lines: string[] = []
    for await (const line of exportLines(world.engine.context(), {})) lines.push(line)
    expect(lines.flatMap((line) => JSON.parse(line).edge?.id ?? [])).toEqual(['r1'])
    expect(await world.call('admin/mend')).toMatchObject({ removed: 1 })
    expect(await edges()).toEqual(['r1: a -> b'])
    expect(await lacking()).toEqual([])
    expect(await world.call('admin/mend')).toMatchObject({ removed: 0 })
  })

  test('an export contains the ends of relations created during it', async () => {
    const { backend } = world
    await commit(backend, putEntity({ id: 'old', name: 'Old' }), putFact({ id: 'f' }))
    const lines: string[] = []
    for await (const line of exportLines(world.engine.context(), {})) {
      // Facts and entities were read before.
      if (lines.push(line) !== 3) continue
      await commit(backend, putEntity({ id: 'new', name: 'New' }), putFact({ id: 'g' }))
      await commit(backend, { op: 'edge.put', edge: anEdge({ id: 'r1', from: 'new', to: 'old' }) })
      await commit(backend, { op: 'edge.put', edge: anEdge({ id: 'r2', from: 'new', to: 'g', toKind: 'fact' }) })
    }
    await world.call('memory/reset_all_memory', { confirm: true, user_id: 'ann' })
    expect(await load(...lines.reverse())).toEqual({ facts: 2, entities: 2, edges: 2, skipped: 0 })
  })

  test('an ended fact requires its end', async () => {
    await expect(load({ fact: aFact({ id: 'f', status: 'outdated', validUntil: null }) })).rejects.toThrow(
      'Line 1: a fact that is outdated',
    )
    expect(await load({ fact: aFact({ id: 'f', status: 'outdated', validFrom: 1, validUntil: 5 }) })).toMatchObject({ facts: 1 })
    await expect(load({ fact: aFact({ id: 'g', validFrom: 5, validUntil: 1 }) })).rejects.toThrow('Line 1: a fact cannot end')
  })

  test('the history is exported on request, and is not imported', async () => {
    await world.call('memory/store_memory', { content: 'An otter', user_id: 'ann' })
    const lines: string[] = []
    for await (const line of exportLines(world.engine.context(), { owner: 'ann', history: true })) lines.push(line)
    const journal = await world.backend.store.journal({ owner: 'ann', limit: 10 })
    expect(lines.flatMap((line) => JSON.parse(line).entry ?? [])).toEqual(JSON.parse(JSON.stringify(journal)))
    expect(journal).not.toEqual([])
    expect(await load(...lines)).toEqual({ facts: 0, entities: 0, edges: 0, skipped: 1 })
  })

  test('a repeated id counts once', async () => {
    const fact = { fact: aFact({ id: 'a' }) }
    const entity = { entity: anEntity({ id: 'e', name: 'Otter' }) }
    const edge = { edge: anEdge({ id: 'r', from: 'a', fromKind: 'fact', to: 'e' }) }
    expect(await load(fact, entity, edge, fact, entity, edge)).toEqual({ facts: 1, entities: 1, edges: 1, skipped: 3 })
  })

  test('ignores a byte order mark before the first line', async () => {
    expect(await load(`\uFEFF${JSON.stringify({ content: 'Marked' })}`)).toMatchObject({ facts: 1 })
  })

  test('plain lines are stored as often as the file contains them, however often it is imported', async () => {
    const lines = [{ content: 'One' }, { content: 'Two', metadata: { a: 1, b: 2 } }, { content: 'One' }]
    expect(await load(...lines)).toEqual({ facts: 3, entities: 0, edges: 0, skipped: 0 })
    expect(
      await load(...lines, { metadata: { b: 2, a: 1 }, content: 'Two', memory_type: null }, { content: 'One', user_id: 'ann' }),
    ).toEqual({
      facts: 2,
      entities: 0,
      edges: 0,
      skipped: 3,
    })
  })

  test('a deeply nested line is rejected without walking it', async () => {
    const deep = `{"content": "x", "metadata": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`
    await expect(load(deep)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('results of the memory contract can be imported', async () => {
    const id = (await world.call('memory/store_memory', { content: 'Plain', user_id: 'ann', metadata: { title: 'T' } })).id
    const old = (await world.call('memory/store_memory', { content: 'Old', memory_type: 'episodic' })).id
    const next = (await world.call('memory/store_memory', { content: 'New' })).id
    const wrong = (await world.call('memory/store_memory', { content: 'Wrong', valid_from: '2020-01-01' })).id
    await world.call('memory/invalidate', { id: old, superseded_by: next })
    await world.call('memory/invalidate', { id: wrong, reason: 'a mistake' })
    const all = async (): Promise<readonly Record<string, unknown>[]> =>
      z.object({ memories: z.array(z.record(z.string(), z.unknown())) }).parse(await world.call('memory/list_memories')).memories
    const before = await all()
    expect(await load(...before)).toEqual({ facts: 0, entities: 0, edges: 0, skipped: 4 })
    await world.call('memory/reset_all_memory', { confirm: true })
    expect(await load(...before)).toMatchObject({ facts: 4, skipped: 0 })
    expect(await all()).toEqual(before)
    expect(await world.call('memory/get_valid')).toMatchObject({ count: 2 })
    expect((await world.backend.store.facts([String(id)]))[0]).toMatchObject({ title: 'T', owner: 'ann', session: null })
  })

  test.each<[string, object, string]>([
    ['a window that ends before it begins', { content: 'x', valid_until: '2020-01-01' }, 'Line 2: Invalid valid_until: lies in the past'],
    ['a time that is none', { content: 'x', event_time: 'soon' }, 'Line 2: Invalid event_time: use ISO 8601'],
    ['an empty owner', { content: 'x', user_id: ' ' }, 'Line 2: Invalid user_id: must not be empty'],
    ['an unknown type', { content: 'x', memory_type: 'Banana' }, 'Line 2 cannot be read: memory_type: Invalid option'],
    ['a score out of range', { content: 'x', importance_score: 11 }, 'Line 2 cannot be read: importance_score: '],
    ['an unknown field', { content: 'x', colour: 'red' }, 'Line 2 cannot be read: Unrecognized key: "colour"'],
    ['a field of another kind', { content: 5 }, 'Line 2 cannot be read: content: '],
    ['a fact of another shape', { fact: { ...aFact({ id: 'a' }), version: 0 } }, 'Line 2 cannot be read: fact.version: '],
    ['no known kind', { memory: 'x' }, 'Line 2 is neither a line of `mneme export` nor a memory with "content".'],
    ['a list', [], 'Line 2 is neither a line'],
  ])('report an invalid line with its error: %s', async (_, line, message) => {
    await expect(load({ content: 'fine' }, line)).rejects.toThrow(message)
  })

  test.each<[string, readonly (object | string)[], string]>([
    ['a compressed file', ['\u001f\u008b\u0008'], 'gunzip'],
    ['one list', ['[', '{"content": "x"},'], 'jq -c .[]'],
    ['a file that breaks off', [{ content: 'x' }, '{"content": "y'], 'not written or copied to its end'],
    ['an export to come', [{ mneme: 2 }], 'a newer one'],
    ['a misspelt field', [{ content: 'x', metdata: {} }], 'Did you mean "metadata"? Known: content, '],
  ])('says what to do about %s', async (_, lines, hint) => {
    await expect(load(...lines)).rejects.toMatchObject({ code: 'invalid_input', hint: expect.stringContaining(hint) })
  })

  test('a key that would be lost is rejected with its line', async () => {
    await expect(load('{"content": "x", "metadata": {"__proto__": 1}}')).rejects.toThrow('Invalid line 1: the key __proto__')
  })

  test('an ended memory may give the time it happened in place of its beginning', async () => {
    expect(await load({ content: 'x', event_time: '2019-01-01', valid_until: '2020-01-01', valid_from: null })).toMatchObject({ facts: 1 })
    const [fact] = await world.backend.store.listFacts({ limit: 1, offset: 0 })
    expect(fact?.validFrom).toBe(Date.parse('2019-01-01T00:00:00Z') * 1000)
  })

  test.each<[string, object]>([
    ['metadata of a fact', { fact: aFact({ id: 'a', metadata: { note: 'a\0b' } }) }],
    ['too much metadata', { fact: aFact({ id: 'a', metadata: { note: 'x'.repeat(200_000) } }) }],
    ['a title', { fact: aFact({ id: 'a', title: 'half \ud800' }) }],
    ['a value', { fact: aFact({ id: 'a', value: ['a\0b'] }) }],
    ['an origin', { fact: aFact({ id: 'a', derivedFrom: ['a\0b'] }) }],
    ['metadata of an entity', { entity: anEntity({ id: 'e', name: 'E', metadata: { note: 'a\0b' } }) }],
    ['an alias', { entity: anEntity({ id: 'e', name: 'E', aliases: ['a\0b'] }) }],
    ['an empty name', { entity: anEntity({ id: 'e', name: ' ' }) }],
    ['an owner', { entity: anEntity({ id: 'e', name: 'E', owner: '' }) }],
    ['properties', { edge: anEdge({ id: 'r', from: 'a', to: 'b', properties: { note: 'a\0b' } }) }],
    ['a kind', { content: 'x', memory_type: 'a\0b' }],
  ])('reject what no caller may store: %s', async (_, line) => {
    const before = await world.backend.store.journal({ limit: 10 })
    await expect(load(line)).rejects.toMatchObject({ code: expect.stringMatching(/invalid_input|too_large/) })
    expect(await world.backend.store.journal({ limit: 10 })).toEqual(before)
  })

  test('every field of a fact is stored, exported, imported and restored', async () => {
    const fact = aFact({ id: 'whole', text: 'Build 4 passed', owner: 'ann', ...EVERYTHING })
    await commit(world.backend, { op: 'fact.put', fact })
    expect(await world.backend.store.facts(['whole'])).toEqual([fact])
    const lines: string[] = []
    for await (const line of exportLines(world.engine.context(), { owner: 'ann' })) lines.push(line)
    const other = await openWorld()
    await importLines(other.engine.context(), written(lines), {
      actor: 'test',
      signal: new AbortController().signal,
      progress: () => undefined,
    })
    const [imported] = await other.backend.store.facts(['whole'])
    expect(imported).toMatchObject(EVERYTHING)
    await commit(other.backend, { op: 'fact.put', fact: { ...fact, ...imported, stage: 'open', evidence: null, version: 2 } })
    const [last] = await other.backend.store.journal({ target: 'whole', newestFirst: true, limit: 1 })
    await undoChange(other.engine.context(), 'test', last?.seq ?? 0)
    expect((await other.backend.store.facts(['whole']))[0]).toMatchObject(EVERYTHING)
    await other.close()
    const [plain] = lines.filter((line) => line.includes('whole')).map((line) => JSON.parse(line).fact)
    expect(Object.keys(plain)).toEqual(expect.arrayContaining(Object.keys(EVERYTHING)))
  })
})

test('an entity with a URI is identified by it, others by their name', async () => {
  const world = await openWorld()
  try {
    const create = (name: string, uri?: string) => createEntity(world.engine.context(), 'test', { name, uri })
    const [entity, two] = [await create('docs', 'repo://a/docs'), await create('docs', 'repo://b/docs')]
    const [three, same] = [await create('docs'), await create('Docs')]
    expect(new Set([entity.id, two.id, three.id]).size).toBe(3)
    expect(same.id).toBe(three.id)
    expect((await create('Documents', 'repo://a/docs')).id).toBe(entity.id)
    expect(await findNamed(world.engine.context(), 'docs', 'default')).toMatchObject({ id: three.id })
    await world.call('memory/store_memory', { content: 'The docs were moved.' })
    const edges = await world.backend.store.edges({ owner: 'default', types: ['MENTIONS_ENTITY'], limit: 10 })
    expect(edges.map(({ to }) => to).sort()).toEqual([entity.id, two.id, three.id].sort())
  } finally {
    await world.close()
  }
})

const EVERYTHING = {
  form: 'activity',
  stage: 'finalized',
  origin: 'agent',
  scopes: ['repo:x', 'branch:main'],
  evidence: [{ source: 's1', at: 'L4' }],
  references: { about: ['e1'] },
  details: { steps: 3 },
  valueType: 'number',
  assertedConfidence: 0.75,
  hash: 'sha256:00',
  attestation: { by: 'k1' },
  trust: 0.5,
} as const
