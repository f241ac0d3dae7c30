// A node with several concurrent writers that prints each commit once acknowledged.
import { openPostgres } from '../../src/backends/postgres/open.js'
import { commit, putFact } from '../contract/samples.js'

const [url = '', name = '', writers = '1', owners = '1'] = process.argv.slice(2)
const backend = await openPostgres({
  url,
  clock: { now: () => Date.now() * 1000 },
  connections: Number(writers),
  waitMs: 30_000,
})
process.stdout.write('open\n')

async function write(writer: number): Promise<void> {
  for (let nth = 0; ; nth++) {
    const id = `${name}-${writer}-${nth}`
    const owner = `owner-${(writer + nth) % Number(owners)}`
    await commit(backend, putFact({ id, owner, text: `Walrus ${id}` }))
    process.stdout.write(`${id}\n`)
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)))
