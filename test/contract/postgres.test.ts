import { afterAll } from 'vitest'
import type { Clock } from '../../src/ports/clock.js'
import { emptyStore, freshDatabase, openAt, SERVER } from '../postgres/server.js'
import { storeContract } from './store.contract.js'

interface Found {
  readonly url: string
  readonly connections: number
  close?(): Promise<void>
}

/** A server, or PostgreSQL inside this process if there is none. */
async function find(): Promise<Found> {
  if (SERVER !== undefined) return { url: await freshDatabase(), connections: 8 }
  const { startPglite } = await import('../postgres/pglite.js')
  return { ...(await startPglite()), connections: 1 }
}

let found: Promise<Found> | undefined
afterAll(async () => (await found)?.close?.())

storeContract(SERVER === undefined ? 'PostgreSQL (PGlite: no server can be had here)' : 'PostgreSQL', async (clock: Clock) => {
  const isFirst = found === undefined
  found ??= find()
  const { url, connections } = await found
  if (!isFirst) await emptyStore(url)
  return openAt(url, clock, { connections })
})
