// Loaded into every program started by tests on PostgreSQL: the store of its data folder is a database.
import { resolve } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { databaseOf } from './folder-database.mjs'

const flag = (name) => {
  const at = process.argv.findIndex((one) => one === name || one.startsWith(`${name}=`))
  if (at < 0) return undefined
  return process.argv[at].includes('=') ? process.argv[at].slice(name.length + 1) : process.argv[at + 1]
}

const server = process.env.TEST_POSTGRES_SERVER
// One program of the tests gets the folder unchanged.
const plain = process.argv[1]?.endsWith('caller.mjs') ? process.argv[3] : undefined
const folder = plain ?? flag('--data-dir') ?? process.env.MNEME_DATA_DIR
const named = flag('--database') ?? process.env.MNEME_DATABASE
if (isMainThread && server !== undefined && folder !== undefined && named === undefined && process.argv[2] !== 'migrate')
  process.env.MNEME_DATABASE = await databaseOf(server, resolve(folder))
