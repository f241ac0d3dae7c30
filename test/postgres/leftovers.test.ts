import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Backend } from '../../src/ports/backend.js'
import { commit, embedAll, idsFound, putFact, unit } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { bundleWriter, startWriter } from '../sqlite/start-writer.js'
import { freshDatabase, openAt, query, SERVER } from './server.js'

const clock = { now: () => Date.now() * 1000 }
const FACTS = 30

/** Index tables of an owner, and whether deletions reach them. */
const PARTS = `SELECT i.inhrelid IS NOT NULL AS attached FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relname ~ '^large_[0-9a-f]{20}$'`
const BUILDER_WAITS = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM owners%'`

describe.skipIf(SERVER === undefined)('unfinished index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-asker-'))
  let program: string
  beforeAll(async () => {
    program = await bundleWriter(folder, 'test/postgres/asker.ts')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function filled(): Promise<{ readonly url: string; readonly node: Backend }> {
    const url = await freshDatabase()
    const node = await openAt(url, clock, { largeFrom: Number.POSITIVE_INFINITY })
    await node.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
    await commit(node, ...Array.from({ length: FACTS }, (_, n) => putFact({ id: `f${n}`, owner: 'ann', text: `otter ${n}` })))
    await embedAll(node, (id) => unit(1, Number(id.slice(1))))
    return { url, node }
  }

  /** While a write for the owner is running, an index is filled but not attached. */
  async function whileBuilt(url: string, work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    await writer.query('BEGIN')
    await writer.query(`SELECT 1 FROM owners WHERE owner = 'ann' FOR UPDATE`)
    const release = async (): Promise<void> => void (await writer.query('ROLLBACK'))
    try {
      await work(release)
    } finally {
      await writer.end()
    }
  }

  test('is dropped once its builder is gone, so that no deleted data stays', async () => {
    const { url, node } = await filled()
    await whileBuilt(url, async () => {
      const builder = startWriter(program, url, 'ann', '10')
      await vi.waitFor(async () => expect(await query(url, BUILDER_WAITS)).toEqual([{ n: 1 }]), EVENTUALLY)
      builder.process.kill('SIGKILL')
      await builder.ended
    })
    expect(await query(url, PARTS)).toEqual([{ attached: false }])
    // Until its lease expires the build may be running.
    const early = await openAt(url, clock, { largeFrom: 1000 })
    expect(await idsFound(early, 'bob', 'otter')).toEqual([])
    await early.close()
    expect(await query(url, PARTS)).toEqual([{ attached: false }])
    await query(url, 'UPDATE large_owners SET until = 0')
    await commit(node, { op: 'fact.delete', id: 'f3', owner: 'ann' })
    const other = await openAt(url, clock, { largeFrom: 1000 })
    expect(await idsFound(other, 'bob', 'otter')).toEqual([])
    await other.close()
    expect(await query(url, PARTS)).toEqual([])
    expect(await query(url, 'SELECT * FROM large_owners')).toEqual([])
    await node.close()
  }, 120_000)

  test('is dropped at once by a reset, whichever node builds it', async () => {
    const { url, node } = await filled()
    const builder = await openAt(url, clock, { largeFrom: 10 })
    let resetting: Promise<unknown> = Promise.resolve()
    await whileBuilt(url, async (release) => {
      ;(await builder.view('ann')).close()
      await vi.waitFor(async () => expect(await query(url, BUILDER_WAITS)).toEqual([{ n: 1 }]), EVENTUALLY)
      resetting = commit(node, { op: 'reset', owner: 'ann' })
      await vi.waitFor(async () => expect(await query(url, BUILDER_WAITS)).toEqual([{ n: 2 }]), EVENTUALLY)
      await release()
    })
    await resetting
    await vi.waitFor(async () => expect((await query(url, PARTS)).filter(({ attached }) => attached === false)).toEqual([]), EVENTUALLY)
    expect(await query(url, 'SELECT * FROM large_facts')).toEqual([])
    for (const backend of [builder, node]) await backend.close()
  }, 120_000)

  test('of a killed builder is dropped by compaction, too', async () => {
    const { url, node } = await filled()
    const name = `large_${'0'.repeat(20)}`
    await query(url, `CREATE TABLE ${name} (LIKE large_facts INCLUDING DEFAULTS) PARTITION BY RANGE (piece)`)
    await node.maintenance.compact(false, () => undefined, new AbortController().signal)
    expect(await query(url, PARTS)).toEqual([])
    await node.close()
  })
})
