import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import type { Backend } from '../../src/ports/backend.js'
import { commit, embedAll, idsFound, idsNear, NOON, putFact, unit } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { cuttingProxy } from './cutting-proxy.js'
import { freshDatabase, openAt, query, SERVER } from './server.js'

const clock = { now: () => Date.now() * 1000 }
/** Where nothing listens. A server that answers may take longer on a busy machine. */
const QUICK = { waitMs: 300 }

const refusal = (opening: Promise<Backend>) =>
  opening.then(
    async (backend) => {
      await backend.close()
      return 'opened'
    },
    (error: unknown) => error,
  )

/** The same database as another user. */
function asUser(url: string, user: string): string {
  const other = new URL(url)
  other.username = user
  return other.toString()
}

describe.skipIf(SERVER === undefined)('unusable databases are reported', () => {
  test('if nothing listens, database or schema is missing, or the address is invalid', async () => {
    const url = new URL(SERVER ?? '')
    expect(await refusal(openAt('postgres://mneme@127.0.0.1:1/none', clock, QUICK))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('postgres://mneme@127.0.0.1:1/none cannot be reached'),
    })
    url.pathname = '/nowhere'
    expect(await refusal(openAt(url.toString(), clock))).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('no such database'),
    })
    expect(await refusal(openAt(`${await freshDatabase()}&schema=absent`, clock))).toMatchObject({ code: 'storage' })
    expect(await refusal(openAt('postgres://a b@:x', clock, QUICK))).toMatchObject({ code: 'invalid_input' })
    const secret = await refusal(openAt('postgres://mneme:hidden@127.0.0.1:1/none', clock, QUICK))
    expect(JSON.stringify([secret, secret instanceof Error ? secret.message : ''])).not.toContain('hidden')
  })

  test('if the tables belong to another program or a newer schema version', async () => {
    const foreign = await freshDatabase()
    await query(foreign, 'CREATE TABLE facts (anything text)')
    expect(await refusal(openAt(foreign, clock))).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('another program (facts)'),
    })
    const meta = await freshDatabase()
    await query(meta, 'CREATE TABLE meta (id integer)')
    expect(await refusal(openAt(meta, clock))).toMatchObject({ message: expect.stringContaining('another program (meta)') })
    const newer = await freshDatabase()
    await (await openAt(newer, clock)).close()
    await query(newer, `UPDATE meta SET value = '99' WHERE key = 'layout'`)
    expect(await refusal(openAt(newer, clock))).toMatchObject({ message: expect.stringContaining('schema version 99') })
    expect(await query(newer, `SELECT value FROM meta WHERE key = 'layout'`)).toEqual([{ value: '99' }])
  })

  test('if the user has no rights, at the start or later', async () => {
    const url = await freshDatabase()
    const user = `guest_${process.pid}`
    await query(url, `CREATE ROLE ${user} LOGIN`)
    expect(await refusal(openAt(asUser(url, user), clock))).toMatchObject({ code: 'storage' })
    await (await openAt(url, clock)).close()
    await query(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`)
    const guest = await openAt(asUser(url, user), clock)
    await expect(commit(guest, putFact({ id: 'a' }))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('lacks a privilege'),
    })
    expect(await guest.problem()).toContain('lacks a privilege')
    expect(await guest.store.facts(['a'])).toEqual([])
    await guest.close()
    await query(url, `DROP OWNED BY ${user}`, `DROP ROLE ${user}`)
  })

  test('if it is read-only, a statement takes too long, or no connection is free; later calls succeed', async () => {
    const url = await freshDatabase()
    const name = new URL(url).pathname.slice(1)
    const backend = await openAt(url, clock, { connections: 1 })
    await query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const readOnly = await openAt(url, clock)
    await expect(commit(readOnly, putFact({ id: 'a' }))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('read-only'),
    })
    await readOnly.close()
    await query(url, 'SET default_transaction_read_only = off', `ALTER DATABASE ${name} RESET default_transaction_read_only`)
    await query(url, `ALTER DATABASE ${name} SET statement_timeout = '1s'`)
    const hurried = await openAt(url, clock)
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query(`SET statement_timeout = 0`)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE owners')
    await expect(commit(hurried, putFact({ id: 'b' }))).rejects.toMatchObject({ code: 'timeout' })
    await holder.query('ROLLBACK')
    await holder.end()
    await commit(hurried, putFact({ id: 'c' }))
    await hurried.close()
    await query(url, 'SET statement_timeout = 0', `ALTER DATABASE ${name} RESET statement_timeout`)
    // The only connection is in use: later calls fail in time.
    const slow = backend.store.commit({ actor: 'test', owners: ['ann'] }, () => [putFact({ id: 'd' })])
    await slow
    expect((await backend.store.facts(['a', 'b', 'c', 'd'])).map(({ id }) => id).filter((id) => id !== 'b')).toEqual(['c', 'd'])
    await backend.close()
  }, 60_000)

  test('after a lost connection, calls wait and continue when it is back', async () => {
    const url = await freshDatabase()
    await (await openAt(url, clock)).close()
    const proxy = await cuttingProxy(url, () => 'no')
    const backend = await openAt(proxy.url, clock)
    await commit(backend, putFact({ id: 'a', text: 'walrus' }))
    proxy.refuse(true)
    const waiting = [commit(backend, putFact({ id: 'b', text: 'narwhal' })), idsFound(backend, 'ann', 'walru')] as const
    setTimeout(() => proxy.refuse(false), 300)
    await waiting[0]
    expect(await waiting[1]).toEqual(['a'])
    expect(await idsFound(backend, 'ann', 'narwhal')).toEqual(['b'])
    proxy.refuse(true)
    const impatient = await openAt(url, clock)
    await impatient.close()
    await backend.close()
    await proxy.close()
  })
})

describe.skipIf(SERVER === undefined)('unusual data is stored like any other', () => {
  test('an owner whose name is an SQL statement', async () => {
    const backend = await openAt(await freshDatabase(), clock)
    const owner = `'; DROP TABLE facts; --`
    await commit(backend, putFact({ id: 'a', owner, text: `otter'); DELETE FROM facts; --` }), putFact({ id: 'b', text: 'otter' }))
    expect(await idsFound(backend, owner, 'otter')).toEqual(['a'])
    expect(await idsFound(backend, 'ann', 'otter')).toEqual(['b'])
    await commit(backend, { op: 'reset', owner })
    expect((await backend.store.facts(['a', 'b'])).map(({ id }) => id)).toEqual(['b'])
    await backend.close()
  })

  test('the same for an owner searched in the database, with placeholders in its name', async () => {
    const backend = await openAt(await freshDatabase(), clock, { largeFrom: 5 })
    await backend.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
    for (const owner of [`'; DROP TABLE facts; --`, `o'?\\'' $1`]) {
      const name = owner.length
      await commit(
        backend,
        ...Array.from({ length: 8 }, (_, n) => putFact({ id: `${name}-${n}`, owner, text: `otter ${n}`, session: 's' })),
      )
      await embedAll(backend, (id) => unit(1, Number(id.split('-')[1])))
      await vi.waitFor(async () => {
        const view = await backend.view(owner)
        view.close()
        expect(view.approximate).toBe(true)
      }, EVENTUALLY)
      expect((await idsFound(backend, owner, 'otter')).length).toBe(8)
      expect(await idsNear(backend, owner, unit(1, 0), 1)).toEqual([`${name}-0`])
      await commit(backend, { op: 'fact.delete', id: `${name}-0`, owner })
      expect(await idsNear(backend, owner, unit(1, 0), 1)).toEqual([`${name}-1`])
    }
    await backend.close()
  }, 60_000)

  test('clocks of nodes five minutes apart: the order of an owner grows, and nothing is lost', async () => {
    const url = await freshDatabase()
    const [ahead, behind] = [await openAt(url, { now: () => NOON + 300e6 }), await openAt(url, { now: () => NOON })]
    for (let nth = 0; nth < 6; nth++) await commit(nth % 2 === 0 ? ahead : behind, putFact({ id: `f${nth}`, text: `heron ${nth}` }))
    const entries = await behind.store.journal({ owner: 'ann', limit: 10 })
    expect(entries.map(({ target }) => target)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5'])
    expect(entries.map(({ hlc }) => hlc)).toEqual([...new Set(entries.map(({ hlc }) => hlc))].sort())
    expect((await idsFound(behind, 'ann', 'heron')).length).toBe(6)
    for (const backend of [ahead, behind]) await backend.close()
  })

  test('a model change during searches, and a budget smaller than one shard', async () => {
    const url = await freshDatabase()
    const [first, second] = [await openAt(url, clock), await openAt(url, clock, { searchLimits: { bytes: 1, idleMs: 1000 } })]
    await first.backlog.adopt({ id: 'one', dimensions: 2, floor: 0 })
    await commit(first, putFact({ id: 'a', text: 'otter' }), putFact({ id: 'b', text: 'heron' }))
    await embedAll(first, (id) => (id === 'a' ? unit(1, 0) : unit(0, 1)))
    expect(await idsNear(second, 'ann', unit(1, 0.1), 1)).toEqual(['a'])
    await second.backlog.adopt({ id: 'two', dimensions: 3, floor: 0 })
    expect(await idsNear(first, 'ann', unit(1, 0.1, 0), 1)).toEqual([])
    await embedAll(second, (id) => (id === 'a' ? unit(0, 0, 1) : unit(0, 1, 0)))
    expect(await idsNear(first, 'ann', unit(0, 0.9, 0.1), 1)).toEqual(['b'])
    expect(await idsFound(second, 'ann', 'heron')).toEqual(['b'])
    for (const backend of [first, second]) await backend.close()
  })
})
