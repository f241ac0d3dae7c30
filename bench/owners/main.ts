import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { copyOwner } from './copy-owner.js'
import { fillStore } from './fill.js'
import { measure } from './measure.js'

// npm run bench:owners -- [--only 1,2,3] [--out bench/results/owners.json]
// What search by owner gives on SQLite: first searches in a fresh process, what stays when nobody asks, and many owners
// under a limit. With the hash embedder, so that no model has to be loaded.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { out: { type: 'string', default: 'bench/results/owners.json' }, only: { type: 'string' }, measure: { type: 'string' } },
})

const measured = z.record(z.string(), z.union([z.number(), z.string()]))

const CASES = [
  { name: 'one of 100 owners of 1,000 facts', owners: 100, facts: 1000, asked: 1, memoryMb: 512 },
  { name: 'one owner of 100,000 facts', owners: 1, facts: 100_000, asked: 1, memoryMb: 512 },
  { name: '2,000 owners of 500 facts in turn under 256 MB', owners: 2000, facts: 500, asked: 2000, memoryMb: 256, copied: true },
] as const

if (values.measure !== undefined) process.stdout.write(`${JSON.stringify(await measure(JSON.parse(values.measure)))}\n`)
else {
  const results: object[] = []
  const chosen = values.only?.split(',').map(Number)
  for (const { name, copied, ...plan } of CASES.map((one) => ({ copied: false, ...one })).filter(
    (_, i) => chosen?.includes(i + 1) ?? true,
  )) {
    const directory = mkdtempSync(join(tmpdir(), 'mneme-owners-'))
    try {
      // Owners beyond the first are copies of its rows: a million facts are stored in minutes instead of hours.
      await fillStore(directory, copied ? 1 : plan.owners, plan.facts)
      if (copied) copyOwner(directory, plan.owners)
      const given = JSON.stringify({ directory, copied, ...plan })
      const told = execFileSync(process.execPath, ['--expose-gc', process.argv[1] ?? '', '--measure', given], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      })
      const result = { name, ...measured.parse(JSON.parse(told)) }
      results.push(result)
      process.stdout.write(`${JSON.stringify(result)}\n`)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version, load: loadavg()[0] }
  writeFileSync(values.out, `${JSON.stringify({ at: new Date().toISOString(), commit, machine, results }, null, 2)}\n`)
}
