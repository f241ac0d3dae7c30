import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, saveResult } from '../result.js'
import { expressionsIn, type SlowExpression, tryExpression } from './expressions.js'
import { FOLDERS } from './folders.js'
import { CALLS } from './inputs.js'
import { type HostileServer, startServer } from './server.js'

/** Limits for every input: time for which the event loop is blocked, and duration of a call. */
const MAX_HOLD_MS = 100
const CALL_LIMIT_MS = 20_000
const LONG_LIMIT_MS = 180_000

const { values } = parseArgs({
  options: {
    entry: { type: 'string' },
    only: { type: 'string' },
    facts: { type: 'string', default: '3000' },
    expressions: { type: 'boolean', default: false },
  },
})
const entry = values.entry ?? join(root, 'dist', 'main.js')

interface Measured {
  readonly kind: string
  readonly name: string
  readonly callMs: number
  readonly holdMs: number
  readonly status: number
}

const round = (value: number): number => Math.round(value * 10) / 10
const progress = (line: string): void => void process.stderr.write(`${line}\n`)

async function seed(server: HostileServer, folder: string): Promise<void> {
  const count = Number(values.facts)
  for (let i = 0; i < count; i += 50) {
    const words = (n: number): string => `a data system user ${n} of the project team has a plan for the owl a_b_c in river ${n % 97}`
    await Promise.all(Array.from({ length: 50 }, (_, j) => server.call('memory/store_memory', { content: words(i + j) })))
  }
  const project = join(folder, 'seed')
  mkdirSync(join(project, 'src'), { recursive: true })
  for (let i = 0; i < 500; i++)
    writeFileSync(join(project, 'src', `${'a'.repeat(60)}-${i}.ts`), `export function step${i}() {\n  return ${i}\n}\n`)
  await server.call('memory/index_project', { path: project })
}

/** Measures one input after background work of earlier ones has finished. */
async function measure(server: HostileServer, kind: string, name: string, tool: string, input: unknown): Promise<Measured> {
  await rest(server)
  const { ms, status } = await server.call(tool, input)
  const after = await server.longestHold()
  const row = { kind, name, callMs: round(ms), holdMs: round(Math.max(after, await settle(server))), status }
  progress(
    `${row.kind.padEnd(12)} ${row.name.padEnd(52)} call ${String(row.callMs).padStart(9)}  hold ${String(row.holdMs).padStart(7)}  ${status}`,
  )
  return row
}

const QUIET_MS = 3
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function rest(server: HostileServer): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await server.longestHold()
    await pause(40)
    if ((await server.longestHold()) < QUIET_MS) return
  }
}

/** Background work of a call, such as vectors and links, blocks the loop too. */
async function settle(server: HostileServer): Promise<number> {
  await pause(100)
  return server.longestHold()
}

async function measureAll(folder: string): Promise<{ readonly rows: readonly Measured[]; readonly endMs: number }> {
  const flags = ['--call-timeout-ms', String(CALL_LIMIT_MS), '--long-call-timeout-ms', String(LONG_LIMIT_MS)]
  const server = await startServer(entry, folder, flags)
  const wanted = (name: string): boolean => values.only === undefined || name.includes(values.only)
  const rows: Measured[] = []
  try {
    await seed(server, folder)
    for (const { kind, name, tool, input } of CALLS)
      if (wanted(`${kind} ${name}`)) rows.push(await measure(server, kind, name, tool, input))
    for (const [name, fill] of Object.entries(FOLDERS)) {
      if (!wanted(`folders ${name}`)) continue
      const path = join(folder, 'projects', String(rows.length))
      mkdirSync(path, { recursive: true })
      fill(path)
      rows.push(await measure(server, 'folders', name, 'memory/index_project', { path }))
    }
    return { rows, endMs: round(await server.end()) }
  } catch (failure) {
    await server.end()
    throw failure
  }
}

async function slowExpressions(): Promise<readonly SlowExpression[]> {
  const slow: SlowExpression[] = []
  for (const expression of expressionsIn(root)) {
    const found = await tryExpression(expression)
    if (found === null) continue
    slow.push(found)
    progress(`${found.at}: ${round(found.shortMs)} ms over 4,000 characters, ${round(found.longMs)} ms over 16,000 of ${found.text}`)
  }
  return slow
}

function tableOf(rows: readonly Measured[]): string {
  const kinds = [...new Set(rows.map((row) => row.kind))]
  const lines = kinds.map((kind) => {
    const own = rows.filter((row) => row.kind === kind)
    const held = own.reduce((worst, row) => (row.holdMs > worst.holdMs ? row : worst))
    const slow = own.reduce((worst, row) => (row.callMs > worst.callMs ? row : worst))
    return `| ${kind} | ${own.length} | ${held.holdMs} | ${held.name} | ${slow.callMs} | ${slow.name} |`
  })
  return ['| inputs | number | longest hold, ms | by | longest call, ms | by |', '|---|--:|--:|---|--:|---|', ...lines].join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'mneme-hostile-'))
try {
  const { rows, endMs } = await measureAll(folder)
  const expressions = values.expressions ? await slowExpressions() : null
  const over = rows.filter((row) => row.holdMs > MAX_HOLD_MS || row.status === 504)
  const report = {
    limits: { holdMs: MAX_HOLD_MS, callMs: CALL_LIMIT_MS, longCallMs: LONG_LIMIT_MS },
    over: over.length,
    endMs,
    rows,
    ...(expressions === null ? {} : { expressions }),
  }
  process.stdout.write(`${tableOf(rows)}\n\n${over.length} of ${rows.length} over a limit\n`)
  if (values.only === undefined) {
    saveResult('adversarial', report)
    writeTable(join(root, 'docs', 'limits.md'), tableOf(rows))
  }
  process.exitCode = over.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Replaces the measured table between its markers; the rest of the page stays. */
function writeTable(page: string, table: string): void {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split('<!-- measured -->')
  const [, after = ''] = rest.split('<!-- /measured -->')
  writeFileSync(page, `${before}<!-- measured -->\n\n${table}\n\n<!-- /measured -->${after}`)
}
