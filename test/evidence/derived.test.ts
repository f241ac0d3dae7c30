import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDerived } from '../../src/backends/open-derived.js'
import { loadConfig } from '../../src/config.js'
import { substrate } from '../../src/contracts/substrate/contract.js'
import { LOCAL_PRINCIPAL, type Principal } from '../../src/core/access/access-filter.js'
import { forget } from '../../src/engine/facts/revise.js'
import { createSystemClock } from '../../src/open/system-clock.js'
import { type Opened, openBoth } from '../opened.js'
import { fetchExtras, useExtras } from './extras.js'
import { removeTemporaryFolders, temporaryFolder } from './workbench.js'

const MAIN = 'dist/main.js'
const run = promisify(execFile)

let open: Opened[] = []
afterEach(async () => {
  for (const opened of open) await opened.engine.close()
  open = []
})
afterAll(removeTemporaryFolders)

async function start(dataDir: string): Promise<Opened> {
  const world = await openBoth(loadConfig({ flags: { dataDir, embedder: 'hash', profile: 'substrate' } }).config)
  open.push(world)
  return world
}

type Data = Record<string, unknown>

const REACH = { owners: [{ owner: 'bob', scopes: 'all', gardens: 'all', federated: true }] } as const
const BOB: Principal = { ...LOCAL_PRINCIPAL, name: 'bob', owner: 'bob', rights: ['read', 'write', 'admin'], proof: 'key', reach: REACH }

async function call(
  { engine, principal }: Pick<Opened, 'engine'> & { readonly principal?: Principal },
  tool: string,
  mode: string,
  input_data: unknown,
  options?: unknown,
): Promise<Data> {
  const operation = substrate.operations.find(({ name }) => name === tool)
  const caller = {
    context: engine.context(principal === undefined ? {} : { principal }),
    actor: 'test',
    connection: 'test',

    progress: () => undefined,
  }
  return { ...(await operation?.call(caller, { args: { mode, input_data, ...(options === undefined ? {} : { options }) } })) }
}

const knowledge = (title: string, more: Data = {}) => ({
  kind: 'concept',
  title,
  summary: `${title} is something about lighthouses.`,
  reason: 'test',
  memory_source: 'user_declared',
  scope_refs: ['scope:test'],
  ...more,
})

const dataOf = (answer: Data): Data => (typeof answer.data === 'object' && answer.data !== null ? { ...answer.data } : {})
const idsOf = (answer: Data): readonly unknown[] => {
  const { items } = dataOf(answer)
  return Array.isArray(items) ? items.map((item: Data) => item.id) : []
}

/** Everything below a folder as one text. */
const contents = (folder: string): string =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('\n')
    : ''

it('without the packages configure names package, version and command, and changes nothing', async () => {
  const world = await start(temporaryFolder('derived'))
  for (const [input, name] of [
    [{ semantic_backend: 'lancedb' }, '@lancedb/lancedb'],
    [{ graph_backend: 'kuzu' }, '@ladybugdb/core'],
  ] as const)
    await expect(call(world, 'memory_maintain', 'configure', input, { apply: true })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(name),
      hint: expect.stringMatching(/npm install --prefix .*extras.* @\S+@\d/),
    })
  expect(dataOf(await call(world, 'memory_maintain', 'configure', {}, { apply: true })).config).toEqual({
    graph_backend: 'file',
    semantic_backend: null,
  })
})

describe('with the packages', () => {
  let problem: string | undefined
  beforeAll(async () => {
    problem = await fetchExtras()
  }, 400_000)

  it('LanceDB answers as the built-in index, follows every change, and forgets what is deleted', async (context) => {
    if (problem !== undefined) return context.skip(`the package cannot be had: ${problem}`)
    const dataDir = temporaryFolder('derived')
    useExtras(dataDir)
    const world = await start(dataDir)
    for (const title of ['Fresnel lens', 'Fog horn', 'Keeper roster', 'Tide table'])
      await call(world, 'memory_remember', 'knowledge', knowledge(title))
    await call(world, 'memory_ingest', 'conversation', {
      title: 'Talk',
      messages: [{ role: 'user', content: 'The fog horn was broken last week.' }],
    })
    const questions = ['fog horn', 'lens of the lamp', 'roster']
    const ask = async () => Promise.all(questions.map(async (query) => idsOf(await call(world, 'memory_query', 'search', { query }))))
    const builtIn = await ask()
    await call(world, 'memory_maintain', 'configure', { semantic_backend: 'lancedb' }, { apply: true })
    expect(dataOf(await call(world, 'memory_query', 'search', { query: 'fog horn' })).semantic_backend).toBe('lancedb')
    expect(await ask()).toEqual(builtIn)
    const added = await call(world, 'memory_remember', 'knowledge', knowledge('Storm glass'))
    expect(idsOf(await call(world, 'memory_query', 'search', { query: 'storm glass' }))[0]).toBe(added.object_id)
    const { semantic } = { ...(dataOf(await call(world, 'memory_maintain', 'repair', {}, { apply: true })).derived_indexes as Data) }
    expect(semantic).toMatchObject({ backend: 'lancedb', missing_from_index: 0, stale_index: false })
    await forget(world.engine.context(), 'test', { id: String(added.object_id), owner: 'default', reason: 'x' })
    const table = await world.environment.derived?.semantic()
    expect([...((await table?.contents('default'))?.keys() ?? [])].filter((id) => id.startsWith(String(added.object_id)))).toEqual([])
    const reindexed = dataOf(await call(world, 'memory_maintain', 'reindex', {}))
    expect(reindexed.semantic_index).toMatchObject({ backend: 'lancedb', integrity_check: 'ok' })
    expect(await ask()).toEqual(builtIn)
  })

  it('Kuzu answers as the built-in graph, follows every change, and forgets what is deleted', async (context) => {
    if (problem !== undefined) return context.skip(`the package cannot be had: ${problem}`)
    const dataDir = temporaryFolder('derived')
    useExtras(dataDir)
    const world = await start(dataDir)
    const { source_id, node_id } = await call(world, 'memory_ingest', 'conversation', {
      title: 'Talk',
      messages: [{ role: 'user', content: 'The lamp is lit.' }],
    })
    const cited = {
      evidence_refs: [{ source_id, segment_id: '1-user' }],
      subject_refs: [node_id],
      payload: { subject: node_id, predicate: 'uses', object: 'node:lamp' },
    }
    const data = await call(world, 'memory_remember', 'knowledge', knowledge('The zanzibar lamp', cited))
    const graph = async (id: unknown, graph_backend?: string) => {
      const { nodes, edges } = dataOf(
        await call(world, 'memory_query', 'graph', { id }, graph_backend === undefined ? undefined : { graph_backend }),
      )
      const sorted = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map((item) => JSON.stringify(item)).sort() : [])
      return { nodes: sorted(nodes), edges: sorted(edges) }
    }
    const roots = [source_id, node_id, data.object_id]
    const builtIn = await Promise.all(roots.map((id) => graph(id, 'file')))
    await call(world, 'memory_maintain', 'configure', { graph_backend: 'kuzu' }, { apply: true })
    expect(await Promise.all(roots.map((id) => graph(id)))).toEqual(builtIn)
    const two = await call(world, 'memory_remember', 'knowledge', knowledge('The second lamp', { subject_refs: [node_id] }))
    expect(two.graph_sync).toMatchObject({ backend: 'kuzu', status: expect.any(String) })
    expect((await graph(node_id)).edges.some((edge) => edge.includes(String(two.object_id)))).toBe(true)
    const repaired = { ...(dataOf(await call(world, 'memory_maintain', 'repair', {}, { apply: true })).derived_indexes as Data) }
    expect(repaired.graph).toMatchObject({ backend: 'kuzu', status: 'ok', missing_from_backend: { count: 0 } })
    expect(contents(join(dataDir, 'indexes', 'kuzu'))).toContain('zanzibar')
    await forget(world.engine.context(), 'test', { id: String(data.object_id), owner: 'default', reason: 'x' })
    expect(await graph(node_id)).toEqual(await graph(node_id, 'file'))
    expect(contents(join(dataDir, 'indexes', 'kuzu'))).not.toContain('zanzibar')
    expect(contents(join(dataDir, 'projections'))).not.toContain('zanzibar')
    expect(dataOf(await call(world, 'memory_maintain', 'reindex', {})).graph_sync).toMatchObject({ status: 'completed', backend: 'kuzu' })
  })

  it('a reader with partial access sees only that part, and a rebuild is complete for all', async (context) => {
    if (problem !== undefined) return context.skip(`the package cannot be had: ${problem}`)
    const dataDir = temporaryFolder('derived')
    useExtras(dataDir)
    const world = await start(dataDir)
    const backends = { semantic_backend: 'lancedb', graph_backend: 'kuzu' }
    const asBob = { ...world, principal: BOB }
    for (const who of [world, asBob]) await call(who, 'memory_maintain', 'configure', backends, { apply: true })
    const mine = await call(
      world,
      'memory_remember',
      'knowledge',
      knowledge('Fog horn of the default owner', { subject_refs: ['node:horn'] }),
    )
    const theirs = await call(asBob, 'memory_remember', 'knowledge', knowledge('Fog horn of Bob', { subject_refs: ['node:horn'] }))
    const reindexed = dataOf(await call(asBob, 'memory_maintain', 'reindex', {}))
    expect(reindexed).toMatchObject({
      graph_sync: { backend: 'kuzu', synced_objects: 2, synced_relations: 1 },
      semantic_index: { backend: 'lancedb', chunk_count: 1, integrity_check: 'ok' },
    })
    for (const [who, own, other] of [
      [world, mine, theirs],
      [asBob, theirs, mine],
    ] as const) {
      expect(idsOf(await call(who, 'memory_query', 'search', { query: 'fog horn' }))).toEqual([own.object_id])
      const { nodes, edges } = dataOf(await call(who, 'memory_query', 'graph', { id: own.object_id }))
      expect(JSON.stringify([nodes, edges])).not.toContain(String(other.object_id))
      expect(edges).toHaveLength(1)
      const { semantic, graph } = { ...(dataOf(await call(who, 'memory_maintain', 'repair', {}, { apply: true })).derived_indexes as Data) }
      expect(semantic).toMatchObject({ canonical_chunk_count: 1, indexed_chunk_count: 1, stale_index: false })
      expect(graph).toMatchObject({ status: 'ok', canonical_counts: { objects: 1 } })
    }
  })

  it('five processes write, one is killed during a reindex, and all indexes are up to date in the end', async (context) => {
    if (problem !== undefined) return context.skip(`the package cannot be had: ${problem}`)
    const dataDir = temporaryFolder('derived')
    useExtras(dataDir)
    const world = await start(dataDir)
    await call(world, 'memory_maintain', 'configure', { semantic_backend: 'lancedb', graph_backend: 'kuzu' }, { apply: true })
    const tool = (mode: string, input_data: unknown, name = 'memory_remember') =>
      run(process.execPath, [
        MAIN,
        'call',
        'substrate',
        name,
        '--data-dir',
        dataDir,
        '--embedder',
        'hash',
        '--json',
        JSON.stringify({ args: { mode, input_data } }),
      ])
    await world.environment.derived?.semantic()
    const reindex = spawn(
      process.execPath,
      [
        MAIN,
        'call',
        'substrate',
        'memory_maintain',
        '--data-dir',
        dataDir,
        '--embedder',
        'hash',
        '--json',
        JSON.stringify({ args: { mode: 'reindex', input_data: {} } }),
      ],
      { stdio: 'ignore' },
    )
    // Killed when it has begun to build.
    const watcher = watch(join(dataDir, 'indexes', 'lancedb'), () => reindex.kill('SIGKILL'))
    const killed = once(reindex, 'exit').finally(() => watcher.close())
    await Promise.all([...Array.from({ length: 5 }, (_, i) => tool('knowledge', knowledge(`Written by process ${i}`))), killed])
    await call(world, 'memory_maintain', 'reindex', {})
    const { semantic, graph } = { ...(dataOf(await call(world, 'memory_maintain', 'repair', {}, { apply: true })).derived_indexes as Data) }
    expect(semantic).toMatchObject({ stale_index: false, missing_from_index: 0 })
    expect(graph).toMatchObject({ status: 'ok', missing_from_backend: { count: 0 } })
    expect(idsOf(await call(world, 'memory_query', 'search', { query: 'written by process' }))).toHaveLength(5)
  })

  it('a table whose build was interrupted stays unchanged', async (context) => {
    if (problem !== undefined) return context.skip(`the package cannot be had: ${problem}`)
    const dataDir = temporaryFolder('derived')
    useExtras(dataDir)
    const derived = openDerived(dataDir, createSystemClock())
    const table = await derived.semantic()
    const row = (id: string) => ({ chunkId: `${id}#object`, objectId: id, owner: 'me', hash: id, vector: new Float32Array([1, 0]) })
    await table.rebuild(
      2,
      'm',
      (async function* () {
        yield [row('a'), row('b')]
      })(),
    )
    await expect(
      table.rebuild(
        2,
        'm',
        (async function* () {
          yield [row('c')]
          throw new Error('broken off')
        })(),
      ),
    ).rejects.toThrow('broken off')
    expect([...(await table.contents('me')).keys()].sort()).toEqual(['a#object', 'b#object'])
    expect([await table.model(), (await table.contents('you')).size]).toEqual(['m', 0])
    await table.replace(['a'], [{ ...row('a'), hash: 'new' }])
    expect((await table.contents('me')).get('a#object')).toBe('new')
    expect(await table.search(new Float32Array([1, 0]), 'absent', 9)).toEqual([])
    const mirror = await derived.graph()
    const record = (id: string) => ({ id, objectType: 'node', owner: 'me', kind: 'k', title: `T "${id}",\nx`, status: 'active' })
    const relation = (id: string, source: string, target: string, origin: string) => ({
      id,
      origin,
      source,
      target,
      relation: 'uses',
      payload: { x: 'a "b", c' },
    })
    await mirror.rebuild({
      records: [record('a'), record('b')],
      relations: [relation('r1', 'a', 'b', 'a'), relation('r2', 'b', 'nowhere', 'b')],
    })
    expect([await mirror.counts('me'), await mirror.counts('you')]).toEqual([
      { records: 3, relations: 2 },
      { records: 0, relations: 0 },
    ])
    expect((await mirror.around('b', 9)).relations.map(({ id, payload }) => [id, payload])).toEqual([
      ['r2', { x: 'a "b", c' }],
      ['r1', { x: 'a "b", c' }],
    ])
    // A killed writer left its bulk files.
    writeFileSync(join(dataDir, 'indexes', 'kuzu', 'nodes_0_1_1.csv'), 'a secret title')
    await mirror.replace(['a'], { records: [], relations: [] })
    expect(await mirror.ids('me', '', 9)).toEqual(['b', 'nowhere'])
    expect(readdirSync(join(dataDir, 'indexes', 'kuzu')).filter((name) => name.endsWith('.csv'))).toEqual([])
    await derived.close()
  })
})
