import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { readAddress } from '../../src/backends/postgres/address.js'
import { createPostgresConnection } from '../../src/backends/postgres/connection.js'
import { createPool } from '../../src/backends/postgres/pool.js'
import { first, number, run } from '../../src/backends/sql/plan/plan.js'
import { commit, idsFound, putFact } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { cuttingProxy } from './cutting-proxy.js'
import { freshDatabase, openAt, query, SERVER } from './server.js'

const clock = { now: () => Date.now() * 1000 }

const WAITING = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** The same database as a user who is not its owner, and the cleanup of that user. */
async function asGuest(
  url: string,
  ...grants: readonly string[]
): Promise<{ readonly url: string; readonly name: string; gone(): Promise<unknown> }> {
  const name = `visitor_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
  await query(url, `CREATE ROLE ${name} LOGIN`, ...grants.map((grant) => `${grant} TO ${name}`))
  const other = new URL(url)
  other.username = name
  return { url: other.toString(), name, gone: () => query(url, `DROP OWNED BY ${name} CASCADE`, `DROP ROLE ${name}`) }
}

async function locked(url: string, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE owners')
  try {
    await work()
  } finally {
    await holder.query('ROLLBACK')
    await holder.end()
  }
}

describe.skipIf(SERVER === undefined)('scarce resources', () => {
  test('no free connection of this node: a call that waits too long fails, a call with a connection continues', async () => {
    const url = await freshDatabase()
    const backend = await openAt(url, clock, { connections: 1, waitMs: 2000 })
    let slow: Promise<unknown> = Promise.resolve()
    await locked(url, async () => {
      slow = commit(backend, putFact({ id: 'a' }))
      // It has the only connection once the server reports it as waiting.
      await vi.waitFor(async () => expect(await query(url, WAITING)).toEqual([{ n: '1' }]), EVENTUALLY)
      await expect(backend.store.facts(['a'])).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('was free in time'),
        hint: expect.stringContaining('--database-connections'),
      })
    })
    await slow
    expect((await backend.store.facts(['a'])).map(({ id }) => id)).toEqual(['a'])
    await backend.close()
  })

  test('no free connection of the server: calls wait for one, and report it if none comes', async () => {
    const url = await freshDatabase()
    await (await openAt(url, clock)).close()
    const guest = await asGuest(url, 'GRANT ALL ON ALL TABLES IN SCHEMA public')
    await query(url, `ALTER ROLE ${guest.name} CONNECTION LIMIT 1`)
    const taken = new pg.Client({ connectionString: guest.url })
    await taken.connect()
    await expect(openAt(guest.url, clock, { waitMs: 2000 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no room for another connection'),
    })
    const waiting = openAt(guest.url, clock, { waitMs: 30_000, connections: 1 })
    await taken.end()
    const backend = await waiting
    await commit(backend, putFact({ id: 'a' }))
    await backend.close()
    await guest.gone()
  })

  test('no extension, or an old one: the error says what to install, and nothing is created', async () => {
    const without = await freshDatabase()
    const guest = await asGuest(without, 'GRANT ALL ON SCHEMA public')
    await expect(openAt(guest.url, clock)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('extension vector'),
      hint: expect.stringContaining('CREATE EXTENSION vector'),
    })
    expect(await query(without, `SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
    await guest.gone()
    const old = await freshDatabase()
    await query(old, 'CREATE EXTENSION vector', `UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'`)
    await expect(openAt(old, clock)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('version 0.7.4; 0.8 or newer'),
      hint: expect.stringContaining('ALTER EXTENSION vector UPDATE'),
    })
    expect(await query(old, `SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
  })

  test('a search of all owners that does not fit into memory is rejected; a search of one owner is not', async () => {
    const backend = await openAt(await freshDatabase(), clock, { searchLimits: { bytes: 20_000, idleMs: 1000 }, largeFrom: 1000 })
    await commit(backend, ...Array.from({ length: 20 }, (_, n) => putFact({ id: `f${n}`, text: `otter ${n}` })))
    await expect(backend.view(undefined)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('would load 20 facts'),
      hint: expect.stringContaining('Pass user_id or owner_id'),
    })
    expect((await idsFound(backend, 'ann', 'otter')).length).toBe(20)
    await backend.close()
  })
})

describe.skipIf(SERVER === undefined)('connection pooler', () => {
  test('a pooler that drops prepared statements between transactions is detected, and statements are sent unprepared', async () => {
    const url = await freshDatabase()
    await (await openAt(url, clock)).close()
    const pool = createPool({ address: readAddress(url), connections: 2, waitMs: 5000 })
    // Every acquired connection has no prepared statements, whatever the driver assumes.
    pool.on('acquire', (client) => void client.query('DEALLOCATE ALL').catch(() => undefined))
    const connection = createPostgresConnection({ pool, location: 'here', patienceMs: 5000 })
    for (let n = 1; n <= 4; n++) {
      await connection.write(() => run(`INSERT INTO meta (key, value) VALUES (?, ?)`, `k${n}`, String(n)))
      expect(
        await connection.read(function* () {
          return number((yield* first(`SELECT count(*) AS n FROM meta WHERE key LIKE ?`, 'k%')) ?? {}, 'n')
        }),
      ).toBe(n)
    }
    await connection.close()
  })

  test('a connection lost during the load of a shard: the load continues with another, without repeats', async () => {
    const url = await freshDatabase()
    const direct = await openAt(url, clock)
    const facts = 600
    await commit(
      direct,
      ...Array.from({ length: facts }, (_, n) => putFact({ id: `f${n}`, text: `walrus ${n} ${'of the north '.repeat(20)}` })),
    )
    await direct.close()
    const proxy = await cuttingProxy(url, () => 'no')
    const backend = await openAt(proxy.url, clock)
    proxy.cutAfter(40_000)
    const view = await backend.view('ann')
    expect(proxy.cuts()).toBe(1)
    const { hits, documents } = await view.words.search(['walru'], { at: clock.now(), present: true }, 2 * facts, {
      title: 1,
      text: 1,
      near: 0,
      far: 0,
    })
    expect([hits.length, documents]).toEqual([facts, facts])
    view.close()
    await backend.close()
    await proxy.close()
  })
})
