// A node that switches the store to another model, and is killed while it does.
import { openPostgres } from '../../src/backends/postgres/open.js'

const [url = '', id = '', dimensions = '2'] = process.argv.slice(2)
const backend = await openPostgres({ url, clock: { now: () => Date.now() * 1000 }, connections: 2, waitMs: 30_000 })
process.stdout.write('open\n')
await backend.backlog.adopt({ id, dimensions: Number(dimensions), floor: 0 })
process.stdout.write('moved\n')
await backend.close()
