import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { root, saveResult } from '../result.js'

// npm run bench instant -- [--runs 40] [--facts 1000] [--entry dist/main.js] [--out file]
// What starting mneme costs, with the shared process and without it. Wall times include Node's own start.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    runs: { type: 'string', default: '40' },
    facts: { type: 'string', default: '1000' },
    /** Another built checkout, for a comparison in the same hour. */
    entry: { type: 'string', default: join(root, 'dist', 'main.js') },
    out: { type: 'string' },
  },
})
const PROGRAM = values.entry
const FACTS = Number(values.facts)
const RUNS = Number(values.runs)
const RUNS_ALONE = Math.max(1, Math.ceil(RUNS / 5))
const AGENTS = 5

const folder = mkdtempSync(join(tmpdir(), 'mneme-instant-'))
const environment = (shared: 'on' | 'off') => ({
  PATH: process.env.PATH,
  HOME: folder,
  MNEME_SHARED: shared,
  MNEME_DATA_DIR: join(folder, 'data'),
})

function run(args: readonly string[], shared: 'on' | 'off' = 'on', input = ''): { ms: number; cpuMs: number } {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(shared), input, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const ms = performance.now() - startedAt
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  const cpuMs = cpuOfChildren()
  return { ms, cpuMs }
}

let lastChildCpu = 0
/** User and system time of the children that have ended since the last call. */
function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = Number(fields[13]) + Number(fields[14])
  const spent = (ticks - lastChildCpu) * 10
  lastChildCpu = ticks
  return spent
}

const shareOf = (values: readonly number[]): { p50: number; p95: number; count: number } => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)) / 10
  return { p50: at(0.5), p95: at(0.95), count: sorted.length }
}

function measure(args: readonly string[], shared: 'on' | 'off' = 'on', input = '', runs = RUNS) {
  run(args, shared, input)
  const results = Array.from({ length: runs }, () => run(args, shared, input))
  return { wallMs: shareOf(results.map(({ ms }) => ms)), cpuMs: shareOf(results.map(({ cpuMs }) => cpuMs)) }
}

interface Agent {
  readonly child: ChildProcessWithoutNullStreams
  request(method: string, params: object): Promise<void>
  notify(method: string): void
}

function startAgent(shared: 'on' | 'off'): Agent {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: environment(shared), stdio: 'pipe' })
  const waiting = new Map<number, () => void>()
  let nextId = 0
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.())
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    child,
    notify: (method) => send({ method }),
    request: (method, params) =>
      new Promise((resolve) => {
        const id = ++nextId
        waiting.set(id, resolve)
        send({ id, method, params })
      }),
  }
}

const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'instant-bench', version: '1' } }
const RECALL = { name: 'recall', arguments: { query: 'which harbour does note 7 mention?' } }

async function measureMcp(shared: 'on' | 'off', runs: number) {
  const initialized: number[] = []
  const recalled: number[] = []
  for (let nth = -1; nth < runs; nth++) {
    const startedAt = performance.now()
    const agent = startAgent(shared)
    await agent.request('initialize', CLIENT)
    const initializedMs = performance.now() - startedAt
    agent.notify('notifications/initialized')
    await agent.request('tools/call', RECALL)
    if (nth >= 0) {
      initialized.push(initializedMs)
      recalled.push(performance.now() - startedAt)
    }
    agent.child.stdin.end()
    await once(agent.child, 'close')
  }
  return { initializeMs: shareOf(initialized), firstRecallMs: shareOf(recalled) }
}

/** Proportional set size of every process of this bench, in MB. */
function proportionalMegabytes(): number {
  let kilobytes = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      const variables = readFileSync(`/proc/${name}/environ`, 'utf8')
      if (!words.includes(PROGRAM) || !variables.includes(folder)) continue
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It has ended meanwhile.
    }
  }
  return Math.round(kilobytes / 1024)
}

async function measureAgents(shared: 'on' | 'off') {
  const agents = Array.from({ length: AGENTS }, () => startAgent(shared))
  for (const agent of agents) {
    await agent.request('initialize', CLIENT)
    agent.notify('notifications/initialized')
    await agent.request('tools/call', RECALL)
  }
  const megabytes = proportionalMegabytes()
  for (const { child } of agents) child.stdin.end()
  await Promise.all(agents.map(({ child }) => once(child, 'close')))
  return { agents: AGENTS, proportionalMegabytes: megabytes }
}

try {
  const lines = Array.from({ length: FACTS }, (_, nth) =>
    JSON.stringify({ content: `Note ${nth} says that the ship ${nth * 7} lies in harbour ${nth % 50}, berth ${nth % 9}` }),
  )
  run([PROGRAM, 'import'], 'off', lines.join('\n'))
  run([PROGRAM, 'reindex', '--vectors'], 'off')
  const prompt = JSON.stringify({ session_id: 'bench', cwd: folder, prompt: 'Which harbour does note 7 mention?' })
  const recall = [PROGRAM, 'recall', 'which harbour does note 7 mention?']
  const hook = [PROGRAM, 'hook', 'claude-code', 'UserPromptSubmit']
  const results = {
    facts: FACTS,
    node: measure(['-e', '0']),
    version: measure([PROGRAM, '-V']),
    help: measure([PROGRAM, 'help']),
    completion: measure([PROGRAM, 'completion', 'bash']),
    recall: { shared: measure(recall), alone: measure(recall, 'off', '', RUNS_ALONE) },
    hook: { shared: measure(hook, 'on', prompt), alone: measure(hook, 'off', prompt, RUNS_ALONE) },
    mcp: { shared: await measureMcp('on', RUNS), alone: await measureMcp('off', RUNS_ALONE) },
    agents: { shared: await measureAgents('on'), alone: await measureAgents('off') },
  }
  process.stdout.write(`${JSON.stringify(saveResult('instant', results, values.out).results, null, 1)}\n`)
} finally {
  spawnSync(process.execPath, [PROGRAM, 'stop'], { env: environment('on') })
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
