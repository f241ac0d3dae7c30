import { join } from 'node:path'
import { z } from 'zod'
import { nodeOf, run } from '../../scripts/fetched-tools.mjs'
import { root, saveResult } from '../result.js'

// npm run bench drivers: the same work on the store by each SQLite driver: better-sqlite3 on Node 20, the built-in one on 22, 24 and 26.
// The drivers take turns, so that other load on the machine affects all alike. Runs without a model, so only the store is measured.
const ROUNDS = 3

const measured = z.object({ name: z.string(), figures: z.record(z.string(), z.number()) })
type Figures = z.infer<typeof measured>['figures']

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const nodes: string[] = [process.execPath, await nodeOf('22'), await nodeOf('24'), await nodeOf('26')]
const rounds = new Map<string, Figures[]>()
for (let round = 0; round < ROUNDS; round++)
  for (const node of nodes) {
    const { name, figures } = measured.parse(JSON.parse(await run(node, [join(root, 'bench', 'drivers', 'measure.mjs')], { cwd: root })))
    rounds.set(name, [...(rounds.get(name) ?? []), figures])
    process.stderr.write(`${name} ${JSON.stringify(figures)}\n`)
  }
const report = [...rounds].map(([name, figures]) => ({
  name,
  figures: Object.fromEntries(Object.keys(figures[0] ?? {}).map((key) => [key, median(figures.map((round) => round[key] ?? 0))])),
}))
const columns = Object.keys(report[0]?.figures ?? {})
const lines = [
  ['', ...columns],
  ['---', ...columns.map(() => '---')],
  ...report.map(({ name, figures }) => [name, ...columns.map((key) => figures[key])]),
]
process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`)
saveResult('drivers', { rounds: ROUNDS, report })
