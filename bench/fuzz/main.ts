// npm run bench fuzz -- [--calls n] [--seconds n] [--seed n] [--save] [--key]: calls of every tool with valid and invalid arguments, over every
// surface.
import { parseArgs } from 'node:util'
import { saveResult } from '../result.js'
import { fuzzWithKey } from './limited-key.js'
import { createRandom } from './random.js'
import { fuzz } from './run.js'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '7200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    deadline: { type: 'string', default: '60000' },
    save: { type: 'boolean', default: false },
    key: { type: 'boolean', default: false },
  },
})

const options = {
  seed: Number(values.seed),
  calls: Number(values.calls),
  seconds: Number(values.seconds),
  deadlineMs: Number(values.deadline),
}
process.stderr.write(`fuzz: seed ${options.seed}, ${options.calls} calls, at most ${options.seconds} s\n`)
if (values.key) {
  // Calls of all four contracts with the key of one owner, in a store that another owner uses too.
  const report = await fuzzWithKey(createRandom(options.seed), options)
  process.stdout.write(`${JSON.stringify({ ...options, ...report }, null, 2)}\n`)
  if (values.save) saveResult('fuzz-key', { ...options, ...report })
  process.exit(report.server_errors + report.foreign_answers + report.beyond_deadline === 0 ? 0 : 1)
}
const since = performance.now()
const tally = await fuzz(options)
const result = {
  ...options,
  took_s: Math.round((performance.now() - since) / 1000),
  made: Object.values(tally.calls).reduce((sum, count) => sum + count, 0),
  by_lane: tally.calls,
  answered: tally.answered,
  refused: tally.refused,
  hangs: tally.hangs,
  slowest_ms: Math.round(tally.slowestMs),
  problems: tally.problemCount,
  first_problems: tally.problems,
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
if (values.save) saveResult('fuzz', result)
process.exitCode = tally.problemCount === 0 ? 0 : 1
