import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { LOCAL_PRINCIPAL, type OwnerAccess, type Principal } from '../../src/core/access/access-filter.js'
import type { Change } from '../../src/core/journal/change.js'
import { restrictPorts } from '../../src/engine/access-filter/restricted-ports.js'
import type { Engine } from '../../src/engine/engine.js'
import { toMemoryError } from '../../src/errors.js'
import { loadContracts } from '../../src/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { aFact, anEdge, anEntity, ownersIn } from '../contract/samples.js'
import { type Opened, openBoth } from '../opened.js'

const who = (reach: Principal['reach'], mayWrite = true): Principal => ({
  ...LOCAL_PRINCIPAL,
  name: 'someone',
  reach,
  mayWrite,
  rights: mayWrite ? ['read', 'write'] : ['read'],
})
const all = (owner: string): OwnerAccess => ({ owner, scopes: 'all', gardens: 'all', federated: true })
const outside = (owner: string): OwnerAccess => ({ owner, scopes: 'all', gardens: [], federated: true })

const ANN = who({ owners: [all('ann')] })
/** Ann's facts outside of gardens. */
const VISITOR = who({ owners: [outside('ann')] })

describe('principals', () => {
  let directory: string
  let opened: Opened

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mneme-principals-'))
    opened = await openBoth(loadConfig({ flags: { dataDir: directory, embedder: 'hash' }, env: {} }).config)
    const facts = [
      aFact({ id: 'a1', owner: 'ann', text: 'Otter Lake lies near Heron Hill.', session: 's' }),
      aFact({ id: 'a2', owner: 'ann', text: 'The secret otter den is behind the mill.', session: 's', garden: 'den' }),
      aFact({ id: 'a3', owner: 'ann', text: 'Herons nest on the hill.', session: 's' }),
      aFact({ id: 'b1', owner: 'bob', text: 'Bob saw an otter at Otter Lake.' }),
    ]
    const changes: Change[] = [
      ...facts.map((fact): Change => ({ op: 'fact.put', fact })),
      { op: 'entity.put', entity: anEntity({ id: 'e1', owner: 'ann', name: 'Mill' }) },
      { op: 'entity.put', entity: anEntity({ id: 'e2', owner: 'bob', name: 'Barn' }) },
      { op: 'edge.put', edge: anEdge({ id: 'r1', owner: 'ann', from: 'a2', fromKind: 'fact', to: 'e1', toKind: 'entity', type: 'near' }) },
      { op: 'edge.put', edge: anEdge({ id: 'r2', owner: 'ann', from: 'a1', fromKind: 'fact', to: 'e1', toKind: 'entity', type: 'near' }) },
      { op: 'edge.put', edge: anEdge({ id: 'r3', owner: 'bob', from: 'b1', fromKind: 'fact', to: 'e2', toKind: 'entity', type: 'near' }) },
    ]
    await opened.backend.store.commit({ actor: 'test', owners: ['ann', 'bob'] }, () => changes)
    await opened.environment.embedding.embedPending()
  })
  afterEach(async () => {
    await opened.engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ids = (all: readonly { readonly id: string }[]): readonly string[] => all.map(({ id }) => id).sort()
  const limited = (principal: Principal): Backend => restrictPorts(opened.backend, principal)
  const refusal = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => toMemoryError(error).code,
    )

  test('a local process uses the ports directly', () => {
    expect(limited(LOCAL_PRINCIPAL)).toBe(opened.backend)
    const { store } = opened.engine.context()
    expect(opened.engine.context({ principal: LOCAL_PRINCIPAL }).store).toBe(store)
  })

  test('every read of the store returns and counts readable data only', async () => {
    const everything = ['a1', 'a2', 'a3', 'b1', 'e1', 'e2', 'r1', 'r2', 'r3']
    for (const [principal, facts, entities, edges] of [
      [ANN, ['a1', 'a2', 'a3'], ['e1'], ['r1', 'r2']],
      [VISITOR, ['a1', 'a3'], ['e1'], ['r2']],
      [who({ owners: [] }), [], [], []],
      [who({ owners: [all('ann'), all('bob')] }), ['a1', 'a2', 'a3', 'b1'], ['e1', 'e2'], ['r1', 'r2', 'r3']],
    ] as const) {
      const { store } = limited(principal)
      expect(ids(await store.facts(everything))).toEqual(facts)
      expect(ids(await store.listFacts({ limit: 10, offset: 0 }))).toEqual(facts)
      expect((await store.listFacts({ limit: 1, offset: 0 })).length).toBe(Math.min(1, facts.length))
      expect(await store.listFacts({ owner: 'cy', limit: 10, offset: 0 })).toEqual([])
      expect(await store.countFacts({})).toBe(facts.length)
      expect(ids((await store.pageFacts({ limit: 10 })).items)).toEqual(facts)
      expect(ids(await store.entities(everything))).toEqual(entities)
      expect(ids(await store.listEntities({ limit: 10, offset: 0 }))).toEqual(entities)
      expect(ids((await store.pageEntities({ limit: 10 })).items)).toEqual(entities)
      expect(ids((await store.edges({ types: ['near'], limit: 10 })).filter(({ id }) => id.startsWith('r')))).toEqual(edges)
      expect(ids(await store.edgesById(everything))).toEqual(edges)
      const counts = await store.counts(undefined)
      expect([counts.facts, counts.activeFacts, counts.entities, counts.relations]).toEqual([
        facts.length,
        facts.length,
        entities.length,
        edges.length,
      ])
      const results = (await store.journal({ limit: 100 })).filter((entry) => entry.targetKind === 'fact').map((entry) => entry.target)
      expect(results.sort()).toEqual(facts)
    }
  })

  test('graph and search use readable data only, and hidden facts do not affect a score', async () => {
    const { graph, view } = limited(VISITOR)
    expect(ids((await graph.neighbours('ann', ['e1'], 10)).get('e1') ?? [])).toEqual(['a1'])
    expect((await graph.neighbours('bob', ['e2'], 10)).size).toBe(0)
    expect(await graph.owners()).toEqual(['ann'])
    expect(ids(await graph.edgesAmong('ann', ['a1', 'a2', 'e1'])).filter((id) => id.startsWith('r'))).toEqual(['r2'])
    const seen = await view(undefined)
    const { hits, documents } = await seen.words.search(['otter', 'den'], { at: 9e15 }, 10, { title: 3, text: 1, near: 0.5, far: 0.2 })
    const found = await seen.rows.idsOf(hits.map((hit) => hit.rid))
    expect([documents, [...found.values()].sort()]).toEqual([2, ['a1', 'a3']])
    const near = await seen.vectors.search(
      await opened.environment.embedding.query('secret otter den', new AbortController().signal),
      { at: 9e15 },
      10,
    )
    expect([...(await seen.rows.idsOf(near.map((hit) => hit.rid))).values()].sort()).toEqual(['a1', 'a3'])
    const rids = await seen.rows.ridsOf(['a1', 'a2', 'a3', 'b1'])
    expect([...rids.keys()].sort()).toEqual(['a1', 'a3'])
    const a3 = rids.get('a3') ?? -1
    expect((await seen.links.surroundings([a3], 100)).get(a3)?.before?.text).toBe('Otter Lake lies near Heron Hill.')
    seen.close()
    // The same scores as if the hidden facts had never existed.
    await opened.backend.store.commit({ actor: 'test', owners: ['ann'] }, () => [{ op: 'fact.delete', id: 'a2', owner: 'ann' }])
    const without = await limited(ANN).view(undefined)
    const again = await without.words.search(['otter', 'den'], { at: 9e15 }, 10, { title: 3, text: 1, near: 0.5, far: 0.2 })
    expect(again.hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score))
    without.close()
  })

  test('changes beyond the access filter are rejected and change nothing', async () => {
    const commit = (principal: Principal, change: Change) =>
      refusal(limited(principal).store.commit({ actor: 'test', owners: ownersIn([change]) }, () => [change]))
    const put = (input: Parameters<typeof aFact>[0]): Change => ({ op: 'fact.put', fact: aFact(input) })
    expect(await commit(ANN, put({ id: 'x1', owner: 'bob' }))).toBe('forbidden')
    expect(await commit(VISITOR, put({ id: 'x2', owner: 'ann', garden: 'den' }))).toBe('forbidden')
    expect(await commit(VISITOR, { op: 'fact.delete', id: 'a2', owner: 'ann' })).toBe('forbidden')
    expect(await commit(VISITOR, { op: 'reset', owner: 'ann' })).toBe('forbidden')
    expect(await commit(ANN, { op: 'reset', owner: null })).toBe('forbidden')
    expect(await commit(who({ owners: [all('ann')] }, false), put({ id: 'x3', owner: 'ann' }))).toBe('forbidden')
    expect(await commit(who('everything', false), put({ id: 'x4', owner: 'ann' }))).toBe('forbidden')
    expect(await refusal(limited(ANN).maintenance.backup('x'))).toBe('forbidden')
    expect(await commit(ANN, put({ id: 'x5', owner: 'ann', garden: 'den' }))).toBe('done')
    expect(ids(await opened.backend.store.listFacts({ limit: 10, offset: 0 }))).toEqual(['a1', 'a2', 'a3', 'b1', 'x5'])
  })

  test('every reading tool answers a restricted caller without a trace of hidden data', async () => {
    const contracts = await loadContracts(['memory', 'graph'])
    const request: Readonly<Record<string, unknown>> = {
      query: 'otter',
      id: 'a2',
      memory_id: 'a2',
      node_id: 'a2',
      entity_id: 'e2',
      fact_id: 'a2',
      source: 'a2',
      target: 'b1',
      from_id: 'a2',
      to_id: 'b1',
    }
    const answerOf = async (
      engine: Engine,
      input: Readonly<Record<string, unknown>>,
      operation: (typeof contracts)[number]['operations'][number],
    ) =>
      operation
        .call({ context: engine.context({ principal: VISITOR }), actor: 'test', connection: 'c', progress: () => undefined }, input)
        .catch((error: unknown) => ({ failure: toMemoryError(error).message }))
    const { engine } = opened
    for (const operation of contracts.flatMap((contract) => contract.operations).filter(({ effect }) => effect === 'read')) {
      const known = Object.keys(operation.schemas.input.properties ?? {})
      const input = Object.fromEntries(Object.entries(request).filter(([name]) => known.includes(name)))
      for (const owner of [undefined, 'ann', 'bob']) {
        const whose =
          owner === undefined ? {} : known.includes('user_id') ? { user_id: owner } : known.includes('owner_id') ? { owner_id: owner } : {}
        const output = JSON.stringify(await answerOf(engine, { ...input, ...whose }, operation))
        expect(output, operation.name).not.toMatch(/secret otter|behind the mill|Bob saw/)
      }
    }
  })
})
