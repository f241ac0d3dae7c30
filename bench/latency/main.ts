import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { installPeers } from '../peers/install.js'
import { describeCommit, root, saveResult } from '../result.js'
import { measureAlternately, renderComparison } from './compare.js'
import { run } from './load.js'
import { measureReference, type ReferenceResult, referenceSurvival } from './reference.js'
import { type LatencyFigures, renderTable } from './report.js'
import { commandFor, measureSize, type SizeResult } from './subject.js'
import { measureSurvival, type Survival } from './survivors.js'

const USAGE = `Usage: npm run bench latency -- [options]
  --sizes 1000,10000,100000   facts in the store
  --large                     200,000 facts too
  --no-peers                  leave the reference server out
  --no-survivors              leave the concurrent writers out
  --writes 500                records per writer
  --compare <checkout>        only compare with another built checkout, in alternation`

const main = join(root, 'dist', 'main.js')
const progress = (text: string): void => void process.stderr.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    large: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    'no-survivors': { type: 'boolean', default: false },
    writes: { type: 'string', default: '500' },
    compare: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) progress(USAGE)
else if (values.compare !== undefined) await compare(values.compare)
else await bench()

async function compare(other: string): Promise<void> {
  const facts = z.coerce.number().int().positive().parse(values.sizes.split(',').at(-1))
  const mains = { before: join(other, 'dist', 'main.js'), now: main }
  const results = await inFolder((folder) => measureAlternately(mains, { facts, folder, progress }))
  saveResult('latency-compared', { before: describeCommit(other), facts, results })
  process.stdout.write(`${renderComparison(results)}\n`)
}

async function bench(): Promise<void> {
  const sizes = z.array(z.coerce.number().int().positive()).parse(values.sizes.split(','))
  if (values.large) sizes.push(200_000)
  const plans = sizes.map((facts) => ({ facts, embedder: 'local' }))
  const load = { processes: 8, writesEach: z.coerce.number().int().positive().parse(values.writes) }

  const results: SizeResult[] = []
  for (const plan of plans) results.push(await inFolder((dataDir) => measureSize(main, { ...plan, dataDir }, progress)))
  const survival = values['no-survivors'] ? null : await inFolder((dataDir) => ownSurvival(dataDir, load))

  const peers = values['no-peers'] ? null : installPeers(join(root, '.cache'), progress)
  const reference: ReferenceResult[] = []
  let theirSurvival: Survival | null = null
  if (peers !== null) {
    for (const facts of sizes) {
      progress(`server-memory: ${facts} facts`)
      reference.push(await inFolder((dataDir) => measureReference(peers, dataDir, facts)))
    }
    if (survival)
      theirSurvival = await inFolder((dataDir) => referenceSurvival(peers, dataDir, { ...load, writesEach: Math.min(50, load.writesEach) }))
  }

  const figures: LatencyFigures = { sizes: results, survival, reference, referenceSurvival: theirSurvival }
  const report = saveResult('latency', figures)
  process.stdout.write(`${renderTable(report)}\n`)
}

function textOf(word: string): string {
  return `${word} was recorded during the concurrent load.`
}

async function ownSurvival(dataDir: string, load: { processes: number; writesEach: number }): Promise<Survival> {
  progress(`concurrent writers: ${load.processes} x ${load.writesEach}`)
  const command = commandFor(main, { dataDir, embedder: 'hash' })
  const stored = z.object({ id: z.string() })
  const found = z.object({ results: z.array(z.object({ id: z.string() })) })
  const names = new Map<string, string>()
  const survival = await measureSurvival({
    ...load,
    command,
    async write(connection, name) {
      const word = name.replaceAll(/\s/g, '')
      const { id } = stored.parse(await connection.call('store_memory', { content: textOf(word) }))
      names.set(id, word)
      return id
    },
    async present(connection, keys) {
      const present = new Set<string>()
      for (const id of keys) {
        const query = names.get(id) ?? ''
        // Present means readable, and found by keyword and by vector.
        const readable = await connection.call('get_memory', { id }).then(
          () => true,
          () => false,
        )
        const byWord = found.parse(await connection.call('search_text', { query, limit: 3 })).results
        const byMeaning = found.parse(await connection.call('search', { query: textOf(query), limit: 10 })).results
        if (readable && [byWord, byMeaning].every((hits) => hits.some((hit) => hit.id === id))) present.add(id)
      }
      return present
    },
  })
  await run([main, 'doctor', '--data-dir', dataDir], command.env)
  return survival
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
