import { createHash } from 'node:crypto'
import pg from 'pg'

/** It exists, or is being created. */
const EXISTS = ['42P04', '23505']

/** The database for a data folder, created if absent. */
export async function databaseOf(server, folder) {
  const name = `folder_${createHash('sha1').update(folder).digest('hex').slice(0, 20)}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } catch (error) {
    if (!EXISTS.includes(error.code)) throw error
  } finally {
    await client.end()
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}
