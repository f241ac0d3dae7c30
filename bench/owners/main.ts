import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { saveResult } from '../result.js'
import { copyOwner } from './copy-owner.js'
import { fillStore, type Model } from './fill.js'
import { measure } from './measure.js'

// npm run bench owners -- [--only 1,2,3] [--out file]
// Search by owner on SQLite: first searches in a fresh process, memory of an idle process, and many owners under a memory limit. With the
// hash embedder; the last two cases use the shipped model, and `beyondModelMs` is the time in addition to loading it.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { out: { type: 'string' }, only: { type: 'string' }, measure: { type: 'string' } },
})

const measured = z.record(z.string(), z.union([z.number(), z.string()]))

interface Case {
  readonly name: string
  readonly owners: number
  readonly facts: number
  readonly asked: number
  readonly memoryMb: number
  readonly model?: Model
  readonly copied?: boolean
}

const CASES = [
  { name: 'one of 100 owners of 1,000 facts', owners: 100, facts: 1000, asked: 1, memoryMb: 512 },
  { name: 'one owner of 100,000 facts', owners: 1, facts: 100_000, asked: 1, memoryMb: 512 },
  { name: '2,000 owners of 500 facts in turn under 256 MB', owners: 2000, facts: 500, asked: 2000, memoryMb: 256, copied: true },
  { name: 'one of 100 owners of 1,000 facts, shipped model', owners: 100, facts: 1000, asked: 1, memoryMb: 512, model: 'local' },
  { name: 'one owner of 100,000 facts, shipped model', owners: 1, facts: 100_000, asked: 1, memoryMb: 512, model: 'local' },
] satisfies readonly Case[]

if (values.measure !== undefined) process.stdout.write(`${JSON.stringify(await measure(JSON.parse(values.measure)))}\n`)
else {
  const results: object[] = []
  const chosen = values.only?.split(',').map(Number)
  const inFreshProcess = (plan: object): Readonly<Record<string, number | string>> => {
    const args = ['--expose-gc', process.argv[1] ?? '', '--measure', JSON.stringify(plan)]
    return measured.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })))
  }
  const wanted: readonly Case[] = CASES.filter((_, i) => chosen?.includes(i + 1) ?? true)
  for (const { name, model = 'hash', copied = false, ...size } of wanted) {
    const directory = mkdtempSync(join(tmpdir(), 'mneme-owners-'))
    try {
      // Other owners are copies of the first: a million rows in minutes instead of hours.
      await fillStore(directory, copied ? 1 : size.owners, size.facts, model)
      if (copied) copyOwner(directory, size.owners)
      const plan = { directory, model, copied, ...size }
      const found = inFreshProcess(plan)
      const { modelMs = 0 } = model === 'hash' ? {} : inFreshProcess({ ...plan, asked: 0 })
      const beyond = model === 'hash' ? {} : { modelMs, beyondModelMs: Math.round((Number(found.firstMs) - Number(modelMs)) * 10) / 10 }
      const result = { name, ...found, ...beyond }
      results.push(result)
      process.stdout.write(`${JSON.stringify(result)}\n`)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  saveResult('owners', results, values.out)
}
