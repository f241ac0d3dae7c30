import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import type { Backend } from '../../src/ports/backend.js'
import { commit, embedAll, idsFound, idsNear, putFact, unit } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { bundleWriter, startWriter } from '../sqlite/start-writer.js'
import { freshDatabase, openAt, query, SERVER } from './server.js'

const clock = { now: () => Date.now() * 1000 }
const OLD = { id: 'old', dimensions: 2, floor: 0 }
/** As wide as the old one, so that only the store distinguishes their vectors. */
const NEW = { id: 'new', dimensions: 2, floor: 0 }
const OWNERS = ['ann', 'bob', 'cem', 'dan']

const WAITING = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

async function filled(url: string): Promise<Backend> {
  const backend = await openAt(url, clock)
  await backend.backlog.adopt(OLD)
  await commit(backend, ...OWNERS.flatMap((owner) => [0, 1].map((n) => putFact({ id: `${owner}-${n}`, owner, text: `otter ${n}` }))))
  await embedAll(backend, () => unit(1, 0))
  return backend
}

const held = (url: string) =>
  query(url, `SELECT owner, count(*)::int AS n FROM fact_codes GROUP BY owner ORDER BY owner`).then((rows) =>
    Object.fromEntries(rows.map(({ owner, n }) => [owner, n])),
  )

describe.skipIf(SERVER === undefined)('a change of model', () => {
  test('proceeds owner by owner: after a killed node, others search by keyword and complete it', async () => {
    const url = await freshDatabase()
    const node = await filled(url)
    for (const owner of OWNERS) expect(await idsNear(node, owner, unit(1, 0))).toHaveLength(2)
    const folder = mkdtempSync(join(tmpdir(), 'mneme-mover-'))
    const program = await bundleWriter(folder, 'test/postgres/mover.ts')
    // A write for the third owner blocks the switch there.
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    await writer.query('BEGIN')
    await writer.query(`SELECT 1 FROM owners WHERE owner = 'cem' FOR UPDATE`)
    const mover = startWriter(program, url, NEW.id, String(NEW.dimensions))
    await vi.waitFor(async () => expect(await query(url, WAITING)).toEqual([{ n: 1 }]), EVENTUALLY)
    mover.process.kill('SIGKILL')
    await mover.ended
    expect(mover.lines).toEqual(['open'])
    await writer.query('ROLLBACK')
    await writer.end()
    rmSync(folder, { recursive: true, force: true })

    expect(await node.backlog.model()).toEqual({ id: NEW.id, dimensions: NEW.dimensions })
    expect(await held(url)).toMatchObject({ dan: 2 })
    expect(await held(url)).not.toHaveProperty('ann')
    // Vectors of the old model are not used any more; keywords find everything.
    for (const owner of OWNERS) {
      expect(await idsNear(node, owner, unit(1, 0))).toEqual([])
      expect(await idsFound(node, owner, 'otter')).toHaveLength(2)
    }
    // A write for an owner that was not switched yet switches it.
    await commit(node, putFact({ id: 'dan-2', owner: 'dan', text: 'otter 2' }))
    const [fresh] = (await node.backlog.next('facts', 1, ['dan-2'])).map(({ text: _text, ...entry }) => ({ ...entry, vector: unit(0, 1) }))
    expect(await node.backlog.fill('facts', fresh === undefined ? [] : [fresh], NEW)).toBe(1)
    expect(await idsNear(node, 'dan', unit(1, 0))).toEqual(['dan-2'])

    const other = await openAt(url, clock)
    await other.backlog.resumeModelSwitch()
    expect(await held(url)).toEqual({ dan: 1 })
    expect(await other.backlog.pending('facts')).toBe(8)
    await embedAll(other, () => unit(0, 1))
    for (const owner of OWNERS) expect(await idsNear(node, owner, unit(0, 1))).toHaveLength(owner === 'dan' ? 3 : 2)
    expect(await other.maintenance.diagnose()).toEqual([])
    for (const backend of [node, other]) await backend.close()
  }, 120_000)

  test('late vectors of the old model are rejected, and dropped if they were stored in between', async () => {
    const url = await freshDatabase()
    const node = await filled(url)
    await commit(node, putFact({ id: 'late', owner: 'ann', text: 'heron' }))
    const late = (await node.backlog.next('facts', 1)).map(({ text: _text, ...entry }) => ({ ...entry, vector: unit(1, 0) }))
    // A writer that read the old model before the change waits until the switch is done.
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    await writer.query('BEGIN')
    await writer.query(`SELECT 1 FROM owners WHERE owner = 'ann' FOR UPDATE`)
    const filling = node.backlog.fill('facts', late, OLD).then(
      (taken) => taken,
      (error: unknown) => error,
    )
    await vi.waitFor(async () => expect(await query(url, WAITING)).toEqual([{ n: 1 }]), EVENTUALLY)
    await query(url, `UPDATE meta SET value = '{"id":"new","dimensions":2,"epoch":2}' WHERE key = 'model'`)
    await writer.query(`UPDATE owners SET epoch = 2 WHERE owner = 'ann'`)
    await writer.query('COMMIT')
    await writer.end()
    expect(await filling).toMatchObject({ code: 'conflict', message: expect.stringContaining('now uses embedding model new') })
    expect(await node.backlog.pending('facts')).toBe(1)
    await node.close()
  }, 120_000)
})
