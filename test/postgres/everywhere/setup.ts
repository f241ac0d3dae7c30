import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, vi } from 'vitest'
import { serverUrl } from '../server.js'
import { reasonOf } from './differences.js'
import { databaseOf } from './folder-database.mjs'

// Runs the tests with a database on a server instead of the file of each data folder.
const server = await serverUrl()
if (server === undefined) throw new Error('no PostgreSQL server can be had here')

process.env.TEST_POSTGRES_SERVER = server
process.env.TEST_POSTGRES_PRELOAD = pathToFileURL(resolve('test/postgres/everywhere/preload.mjs')).href

// Also applies to programs that tests start with their own environment.
process.env.NODE_OPTIONS = `--import ${process.env.TEST_POSTGRES_PRELOAD}`

beforeEach(({ task, skip }) => {
  const reason = reasonOf(task.file.filepath, nameOf(task))
  if (reason !== undefined) skip(reason)
})

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

const nameOf = ({ name, suite }: Named): string => (suite === undefined ? name : `${nameOf(suite)} > ${name}`)

vi.mock('../../../src/open/backend.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/open/backend.js')>()
  const openBackend: typeof original.openBackend = async (config, parts) =>
    original.openBackend({ ...config, database: config.database ?? (await databaseOf(server, resolve(config.dataDir))) }, parts)
  return { ...original, openBackend }
})
