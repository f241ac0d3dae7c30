import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadContracts } from '../../src/open.js'
import { fuzzCommands } from './commands.js'
import { fuzzHttp } from './http.js'
import { fuzzInProcess } from './in-process.js'
import { createRandom } from './random.js'
import { fuzzStdio } from './stdio.js'
import { createTally, type Lane, type Tally } from './tally.js'
import { toFuzzed } from './tool-calls.js'

export interface FuzzOptions {
  readonly seed: number
  readonly calls: number
  readonly seconds: number
  readonly deadlineMs: number
}

/** Most calls go directly to the operations; processes and sockets are slower. */
const SHARES: Readonly<Record<Exclude<Lane, 'commands'>, number>> = {
  'in-process': 0.87,
  stdio: 0.06,
  'http-mcp': 0.03,
  'http-rest': 0.03,
  'http-raw': 0.01,
}
const COMMANDS_PER_CALL = 1 / 10_000
const LEAST_COMMANDS = 4

/** Runs all lanes concurrently, each with its own store and random sequence. */
export async function fuzz({ seed, calls, seconds, deadlineMs }: FuzzOptions): Promise<Tally> {
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mneme-fuzz-'))
  for (const folder of ['project', 'files', 'in-process']) mkdirSync(join(scratch, folder))
  writeFileSync(join(scratch, 'project', 'harbour.ts'), 'export function ferry(name: string): string {\n  return name\n}\n')
  writeFileSync(join(scratch, 'project', 'README.md'), '# Harbour\n\nThe ferry leaves at dawn.\n')
  const share = (lane: Exclude<Lane, 'commands'>): number => Math.ceil(calls * SHARES[lane])
  const tally = createTally({
    shares: {
      'in-process': share('in-process'),
      stdio: share('stdio'),
      'http-mcp': share('http-mcp'),
      'http-rest': share('http-rest'),
      'http-raw': share('http-raw'),
      commands: Math.max(LEAST_COMMANDS, Math.round(calls * COMMANDS_PER_CALL)),
    },
    until: performance.now() + seconds * 1000,
    deadlineMs,
  })
  const progress = setInterval(
    () => process.stderr.write(`fuzz: ${Object.values(tally.calls).reduce((sum, value) => sum + value, 0)} calls\n`),
    60_000,
  )
  const contracts = await loadContracts(['memory', 'graph', 'admin'])
  const tools = contracts.flatMap((contract) => contract.operations.map((operation) => toFuzzed(contract.name, operation)))
  const graph = new Set(tools.filter((tool) => tool.contract === 'graph').map((tool) => tool.name))
  for (const { name, contract } of tools) if (contract === 'memory') graph.delete(name)
  try {
    await Promise.all([
      fuzzInProcess(createRandom(seed), tally, scratch),
      fuzzStdio(createRandom(seed + 1), tally, scratch, graph),
      fuzzHttp(createRandom(seed + 2), tally, scratch, graph),
      fuzzCommands(createRandom(seed + 3), tally, scratch, tools),
    ])
  } finally {
    clearInterval(progress)
    rmSync(scratch, { recursive: true, force: true })
  }
  return tally
}
