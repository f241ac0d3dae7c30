// A node that queries an owner until it is searched in the database, and may be killed during the build.
import { setTimeout as delay } from 'node:timers/promises'
import { openPostgres } from '../../src/backends/postgres/open.js'

const [url = '', owner = '', largeFrom = '1'] = process.argv.slice(2)
const backend = await openPostgres({
  url,
  clock: { now: () => Date.now() * 1000 },
  connections: 4,
  waitMs: 30_000,
  largeFrom: Number(largeFrom),
})
process.stdout.write('open\n')
for (let isReady = false; !isReady; ) {
  const view = await backend.view(owner)
  isReady = view.approximate === true
  view.close()
  await delay(50)
}
process.stdout.write('ready\n')
await backend.close()
