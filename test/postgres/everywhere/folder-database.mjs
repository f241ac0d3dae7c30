import { createHash } from 'node:crypto'
import pg from 'pg'

/** It is there, or is being made at this moment. */
const EXISTS = ['42P04', '23505']

/** The database that stands for the store of a data folder, made where there is none. */
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
