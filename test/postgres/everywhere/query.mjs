// node query.mjs <server> <folder> <statement> <value>...: rows of the database for a data folder, as JSON.
import pg from 'pg'
import { databaseOf } from './folder-database.mjs'

const [server, folder, statement, ...values] = process.argv.slice(2)
const client = new pg.Client({ connectionString: await databaseOf(server, folder) })
await client.connect()
const { rows } = await client.query(statement, values)
process.stdout.write(JSON.stringify(rows))
await client.end()
