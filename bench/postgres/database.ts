import pg from 'pg'

let made = 0

/** Creates an empty database and returns its URL. */
export async function freshDatabase(server: string): Promise<string> {
  const name = `bench_${process.pid}_${made++}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}
