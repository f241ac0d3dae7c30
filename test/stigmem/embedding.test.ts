import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/backends/sqlite/driver.js'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { loadConfig } from '../../src/config.js'
import { openEngine } from '../../src/open.js'
import { fact, keyOf, openNode, ref, type TestNode } from './node.js'

const lengthOf = (bytes: Uint8Array): number =>
  Math.sqrt(new Float32Array(bytes.slice().buffer).reduce((sum, component) => sum + component * component, 0))

const namesIn = (db: Database): readonly string[] =>
  db
    .prepare(`SELECT name FROM sqlite_master WHERE type IN ('table', 'index')`)
    .all()
    .map((row) => String(row.name))

const WANTED = ['facts', 'entity_edges', 'fact_retractions', 'vec_facts', 'idx_edges_subject', 'idx_edges_object', 'idx_edges_subject_rel']

describe('tables and vectors of the document', () => {
  let node: TestNode
  let db: Database
  beforeEach(async () => {
    node = await openNode('sqlite')
    db = defaultDriver().open(node.backend.location, { readonly: true })
  })
  afterEach(async () => {
    db.close()
    await node.close()
  })

  const vectorOf = (id: unknown): Uint8Array | undefined => {
    const row = db.prepare('SELECT embedding FROM vec_facts WHERE id = ?').get(String(id))
    return row?.embedding instanceof Uint8Array ? row.embedding : undefined
  }

  test('the tables and indexes exist before anything is stored (L32.1)', () => {
    expect(WANTED.filter((name) => !namesIn(db).includes(name))).toEqual([])
    const columns = db
      .prepare(`SELECT name FROM pragma_table_info('facts')`)
      .all()
      .map((row) => String(row.name))
    expect(['access_count', 'last_accessed_at'].filter((name) => !columns.includes(name))).toEqual([])
    const columnsOf = (index: string): readonly string[] =>
      db
        .prepare('SELECT name FROM pragma_index_info(?)')
        .all(index)
        .map((row) => String(row.name))
        .slice(0, 3)
    expect(['idx_edges_subject', 'idx_edges_object', 'idx_edges_subject_rel'].map(columnsOf)).toEqual([
      ['subject', 'scope', 'confidence'],
      ['object', 'scope', 'confidence'],
      ['subject', 'relation', 'scope'],
    ])
  })

  test('the edge of a reference decays, ends and is deleted with its fact, in the file itself (L35.1 L35.2 L36.1 L39.1 L39.2)', async () => {
    const edgeOf = (id: unknown) =>
      db.prepare('SELECT subject, relation, object, scope, confidence, decay_epoch FROM entity_edges WHERE id = ?').get(String(id))
    const payload = await node.call('assert_fact', ref('user:a', 'memory:knows', 'user:B'))
    expect(edgeOf(payload.id)).toEqual({
      ...{ subject: 'user:a', relation: 'memory:knows', object: 'user:b', scope: 'company', confidence: 1, decay_epoch: null },
    })
    await node.call('create_decay_policy', { half_life_s: 3600 })
    node.clock.set(node.clock.now() + 3600e6)
    await node.call('decay_scope', { scope: 'company' })
    const faded = edgeOf(payload.id)
    expect([Number(faded?.confidence).toFixed(2), Number(faded?.decay_epoch)]).toEqual(['0.50', expect.closeTo(node.clock.now(), -6)])
    await node.call('retract_fact', { id: payload.id })
    expect(edgeOf(payload.id)).toMatchObject({ confidence: 0 })
    expect(db.prepare('SELECT count(*) AS n FROM fact_retractions WHERE fact_id = ?').get(String(payload.id))).toEqual({ n: 1 })
    const direct = defaultDriver().open(node.backend.location)
    direct.prepare('DELETE FROM facts WHERE id = ?').run(String(payload.id))
    direct.close()
    expect(edgeOf(payload.id)).toBeUndefined()
  })

  test('a fact has a unit vector in vec_facts while its confidence suffices (L79.1 L86.1 L89.1)', async () => {
    const sure = await node.call('assert_fact', ref('stigmem://acme/person/alice', 'memory:knows', 'stigmem://acme/person/bob'))
    const hardly = await node.call('assert_fact', fact('user:a', 'memory:x', 'rumour', { confidence: 0.1 }))
    const barely = await node.call('assert_fact', fact('user:a', 'memory:y', 'rumour', { confidence: 0.11 }))
    const [text] = await node.backend.store.facts([String(sure.id)])
    expect(text?.text).toBe('alice memory:knows bob')
    const vector = vectorOf(sure.id)
    expect(vector === undefined ? 0 : lengthOf(vector)).toBeCloseTo(1, 5)
    expect([vectorOf(hardly.id) === undefined, vectorOf(barely.id) === undefined]).toEqual([true, false])
    await node.call('retract_fact', { id: sure.id })
    expect(vectorOf(sure.id)).toBeUndefined()
  })

  test('contradicted facts keep their vectors, and a card has one under its key (L102.1)', async () => {
    const object = await node.call('assert_fact', fact('user:a', 'memory:role', 'CEO'))
    const before = vectorOf(object.id)
    expect(before).toBeDefined()
    const two = await node.call('assert_fact', fact('user:a', 'memory:role', 'CTO'))
    expect(vectorOf(object.id)).toEqual(before)
    expect(vectorOf(two.id)).toBeDefined()
    await node.call('memory_card', { entity: 'user:a' })
    await node.environment.embedding.embedPending()
    expect(vectorOf('card:user:a:company')).toBeDefined()
    expect((await node.call('query_facts', {})).total).toBe(1)
  })

  test('repair 5: the node states its id, with peers or without', async () => {
    const { id } = await node.engine.context().node()
    const described = await node.call('describe_node', {}, keyOf())
    expect(described).toMatchObject({ node_id: id, federation: 'disabled', spec: '1.1', namespaces: expect.any(Array) })
    expect(id).toMatch(/^mneme-/u)
    expect(described).not.toHaveProperty('federation_pubkey')
  })

  test('the node reports its model and dimensions (L94.1 L94.2)', async () => {
    expect(await node.call('describe_node', {}, keyOf())).toMatchObject({
      ...{ auth: 'none', source_attestation: 'enforce', embedding: { provider: 'hash', dimensions: 384, truncated_dimensions: null } },
    })
  })
})

test('a store of an older schema gets the current tables (L233.1)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mneme-older-'))
  writeFileSync(join(directory, 'mneme.db'), gunzipSync(readFileSync('test/fixtures/layout-2.db.gz')))
  const engine = await openEngine(loadConfig({ flags: { dataDir: directory, embedder: 'none' }, env: {} }).config, {
    log: { warn: () => undefined },
  })
  await engine.close()
  const db = defaultDriver().open(join(directory, 'mneme.db'), { readonly: true })
  expect(WANTED.filter((name) => !namesIn(db).includes(name))).toEqual([])
  expect(db.prepare('SELECT count(*) AS n FROM facts WHERE access_count <> 0 OR last_accessed_at IS NOT NULL').get()).toEqual({ n: 0 })
  db.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a server whose vectors have other dimensions than its model does not start (L95.1 L97.1)', async () => {
  const node = await openNode('sqlite')
  await node.call('assert_fact', fact('user:a', 'memory:x', 'y'))
  const directory = mkdtempSync(join(tmpdir(), 'mneme-mismatch-'))
  mkdirSync(directory, { recursive: true })
  await node.engine.context().maintenance.backup(join(directory, 'mneme.db'))
  await node.close()
  expect(existsSync(join(directory, 'mneme.db'))).toBe(true)
  copyFileSync(join(directory, 'mneme.db'), join(directory, 'copy.db'))
  const args = ['dist/main.js', 'serve', '--port', '0', '--data-dir', directory, '--embedder', 'hash', '--embed-dimensions', '128']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  expect(status).not.toBe(0)
  expect(stderr).toContain('vec_facts dimensionality mismatch: stored=384 configured=128')
  expect(stderr).toContain('embed_dimensionality_mismatch')
  expect(stderr).toContain('mneme reindex --vectors')
  expect(stderr).not.toContain('listening')
  rmSync(directory, { recursive: true, force: true })
})
