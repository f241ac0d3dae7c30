import { describe } from 'vitest'
import type { Clock } from '../../src/ports/clock.js'
import { emptyStore, freshDatabase, openAt, SERVER } from '../postgres/server.js'
import { storeContract } from './store.contract.js'

describe.skipIf(SERVER === undefined)('with a server', () => {
  let database: Promise<string> | undefined
  storeContract('PostgreSQL', async (clock: Clock) => {
    const isFirst = database === undefined
    database ??= freshDatabase()
    const url = await database
    if (!isFirst) await emptyStore(url)
    return openAt(url, clock)
  })
})
