import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../latency/client.js'
import { saveResult } from '../result.js'
import { RULE, type Sample, sampleOf, table, verdicts } from './samples.js'
import { fill, type Tally, work } from './workload.js'

// npm run bench soak -- [--minutes 60] [--facts 1500] [--processes 3] [--every 60] [--journal-minutes 5] [--rate 40]
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    minutes: { type: 'string', default: '60' },
    facts: { type: 'string', default: '1500' },
    processes: { type: 'string', default: '3' },
    /** Seconds between samples. */
    every: { type: 'string', default: '60' },
    /** Journal retention. With a constant number of facts, only the journal grows otherwise. */
    'journal-minutes': { type: 'string', default: '5' },
    /** Calls per second of all processes together, so that the load does not depend on the machine. */
    rate: { type: 'string', default: '40' },
    embedder: { type: 'string', default: 'hash' },
    out: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const everyMs = Number(values.every) * 1000
const pauseMs = (1000 * Number(values.processes)) / Number(values.rate)
const days = String(Number(values['journal-minutes']) / 1440)

const folder = mkdtempSync(join(tmpdir(), 'mneme-soak-'))
const command = {
  args: [resolve('dist/main.js'), 'mcp'],
  env: {
    MNEME_DATA_DIR: folder,
    MNEME_EMBEDDER: values.embedder,
    MNEME_LOG_LEVEL: 'error',
    MNEME_JOURNAL_DAYS: days,
    MNEME_JOURNAL_ENTRY_DAYS: days,
  },
}

const connections = await Promise.all(Array.from({ length: Number(values.processes) }, () => connect(command)))
try {
  const [first] = connections
  if (first === undefined) throw new Error('At least one process is needed.')
  const ids = await fill(first, Number(values.facts))
  const tally: Tally = { calls: 0, failures: [] }
  const until = performance.now() + minutes * 60_000
  const workers = connections.map((connection, index) => work(connection, { ids, share: connections.length, index, until, pauseMs, tally }))
  const samples: Sample[] = []
  const since = performance.now()
  while (performance.now() < until) {
    const now = Math.min(everyMs, until - performance.now())
    await new Promise<void>((done) => setTimeout(done, now))
    const sample = sampleOf(folder, connections, (performance.now() - since) / 60_000, tally.calls)
    samples.push(sample)
    process.stdout.write(`${table([sample], samples.length === 1)}\n`)
  }
  await Promise.all(workers)
  const found = verdicts(samples)
  process.stdout.write(`\n${RULE}\n`)
  for (const { what, start, end, flat } of found) process.stdout.write(`${what}: ${start} -> ${end}, ${flat ? 'flat' : 'NOT FLAT'}\n`)
  if (tally.failures.length > 0) process.stdout.write(`failures: ${tally.failures.length}, first: ${tally.failures[0]}\n`)
  saveResult(
    'soak',
    { settings: { ...values, minutes }, calls: tally.calls, failures: tally.failures.length, rule: RULE, verdicts: found, samples },
    values.out,
  )
  if (found.some(({ flat }) => !flat) || tally.failures.length > 0) process.exitCode = 1
} finally {
  await Promise.all(connections.map((connection) => connection.close()))
  rmSync(folder, { recursive: true, force: true })
}
