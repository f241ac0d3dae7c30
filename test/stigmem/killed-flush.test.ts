import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'

const FACTS = 2000
/** Counts written per transaction. */
const PAGE_SIZE = 200

/** Stores facts if there are none, reports it, and increments the recall count of each. */
const PROGRAM = `
import { loadConfig } from './dist/config.js'
import { completeFact } from './dist/core/facts/fact.js'
import { createAccessLog } from './dist/engine/stigmem/access-log.js'
import { openParts } from './dist/open.js'
const { config } = loadConfig({ flags: { dataDir: process.argv[1], embedder: 'hash', logLevel: 'error' }, env: {} })
const { environment } = await openParts(config)
const ids = Array.from({ length: ${FACTS} }, (_, i) => 'f' + i)
const lasting = { status: 'active', confidence: 1, importance: 1, source: 's', reason: null, validUntil: null, expiresAt: null, ttlDays: null }
const empty = { title: null, author: null, session: null, date: null, garden: null, supersededBy: null, derivedFrom: [], metadata: {}, dedupAt: null }
const aFact = (id, at) => ({
  ...lasting, ...empty, id, owner: 'default', text: 'note ' + id, kind: 'semantic', subject: 'user:a', predicate: 'memory:' + id, value: id,
  scope: 'company', eventAt: at, validFrom: at, recordedAt: at, updatedAt: at, autoLink: false, version: 1,
})
const { store } = environment
if ((await store.facts(['f0'])).length === 0)
  await store.commit({ actor: 't', owners: ['default'] }, (at) =>
    ids.map((id) => ({ op: 'fact.put', fact: completeFact(aFact(id, at), { valueType: 'text', assertedConfidence: 1 }) })))
const log = createAccessLog(environment)
log.note(ids)
process.stdout.write('flushing')
await log.flush()
process.stdout.write(' done')
setInterval(() => undefined, 1000)
`

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-flush-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Runs the program and kills it this long after it began to write, or when it is done. */
async function flushed(wait: number | 'done'): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const ended = once(child, 'exit')
  while (!text.includes(wait === 'done' ? 'done' : 'flushing') && child.exitCode === null)
    await Promise.race([once(child.stdout, 'data'), ended])
  if (wait !== 'done') await new Promise((resolve) => setTimeout(resolve, wait))
  child.kill('SIGKILL')
  await ended
}

/** Recall counts, and whether the file is intact. */
function counted(): { readonly facts: number; readonly counts: ReadonlyMap<number, number>; readonly check: unknown } {
  const db = defaultDriver().open(join(directory, 'mneme.db'))
  try {
    const rows = db.prepare('SELECT access_count AS recalls, count(*) AS n FROM facts GROUP BY access_count').all()
    const counts = new Map(rows.map((row) => [Number(row.recalls), Number(row.n)]))
    return { facts: [...counts.values()].reduce((sum, n) => sum + n, 0), counts, check: db.prepare('PRAGMA integrity_check').value() }
  } finally {
    db.close()
  }
}

test('a process killed while writing recall counts leaves complete pages, no fact less, and nothing twice', async () => {
  const rounds = [0, 3, 9] as const
  for (const wait of rounds) {
    await flushed(wait)
    const { facts, counts, check } = counted()
    expect([facts, check]).toEqual([FACTS, 'ok'])
    for (const n of counts.values()) expect(n % PAGE_SIZE).toBe(0)
    expect(Math.max(...counts.keys())).toBeLessThanOrEqual(rounds.length)
  }
  const before = counted().counts
  await flushed('done')
  expect(counted().counts).toEqual(new Map([...before].map(([result, n]) => [result + 1, n])))
})
