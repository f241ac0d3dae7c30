import { z } from 'zod'
import type { Connection } from '../latency/client.js'

const stored = z.object({ id: z.string() })

export interface Tally {
  calls: number
  readonly failures: string[]
}

const THINGS = ['billing', 'search', 'gateway', 'parser', 'scheduler', 'mailer', 'ledger']

/** A distinct text per number, with shared words. */
const textOf = (n: number): string =>
  `Note ${n} on the ${THINGS[n % THINGS.length]} service: ${Array.from({ length: 24 }, (_, i) => `word${(n * 31 + i * 17) % 997}`).join(' ')}`

let last = 0

const store = async (connection: Connection): Promise<string> =>
  stored.parse(await connection.call('store_memory', { content: textOf(++last), user_id: 'soak' })).id

export async function fill(connection: Connection, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await store(connection))
  return ids
}

export interface Work {
  /** Ids of all facts; each worker changes its own share. */
  readonly ids: string[]
  readonly index: number
  readonly share: number
  readonly until: number
  /** Interval between starts of turns; a late turn is followed at once. */
  readonly pauseMs: number
  readonly tally: Tally
}

/** Stores, changes, ends, deletes and recalls sequentially. The number of facts stays constant. */
export async function work(connection: Connection, { ids, index, share, until, pauseMs, tally }: Work): Promise<void> {
  const since = performance.now()
  for (let turn = 0; performance.now() < until; turn++) {
    const own = (Math.floor(Math.random() * Math.floor(ids.length / share)) * share + index) % ids.length
    const id = ids[own] ?? ''
    try {
      switch (turn % 6) {
        case 0:
        case 3:
          await connection.call('recall', { query: textOf(last).slice(0, 60), user_id: 'soak' })
          break
        case 1:
          await connection.call('update_memory', { id, content: textOf(++last) })
          break
        case 2:
          await connection.call('delete_memory', { id })
          ids[own] = await store(connection)
          break
        case 4:
          await connection.call('invalidate', { id, reason: 'it was replaced' })
          await connection.call('delete_memory', { id })
          ids[own] = await store(connection)
          break
        default:
          await connection.call('search_text', { query: `${THINGS[turn % THINGS.length]} service`, user_id: 'soak' })
      }
      tally.calls++
    } catch (error) {
      tally.failures.push(String(error))
    }
    const early = since + (turn + 1) * pauseMs - performance.now()
    if (early > 0) await new Promise<void>((done) => setTimeout(done, early))
  }
}
