import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { openHost } from '../../src/open.js'
import { createDispatch } from '../../src/surfaces/host.js'
import type { Random } from './random.js'
import type { Tally } from './tally.js'
import { createCallMaker, type FuzzedTool, toFuzzed } from './tool-calls.js'
import { brief, judgeAnswer, judgeError } from './verdict.js'

const AT_ONCE = 16
const WATCHED_MS = 2000
/** The store is emptied after this number of calls, so that calls stay fast. */
const CALLS_PER_STORE = 2_000
const KEPT = /^(mneme\.db(-wal|-shm)?|config\.json|.*lock.*)$/

/** All contracts through the common dispatcher, in this process. */
export async function fuzzInProcess(random: Random, tally: Tally, scratch: string): Promise<void> {
  const dataDir = join(scratch, 'in-process')
  const { config } = loadConfig({ flags: { dataDir, embedder: 'hash', profile: 'memory,graph,admin', jobsEnabled: 'false' }, env: {} })
  const host = await openHost(config)
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const dispatch = createDispatch(host, silent)
  const operations = host.contracts.flatMap((contract) =>
    contract.operations.map((operation) => ({ ...toFuzzed(contract.name, operation), operation })),
  )
  const byTool = new Map<FuzzedTool, (typeof operations)[number]['operation']>(
    operations.map((operation) => [operation, operation.operation]),
  )
  const maker = createCallMaker(operations, random, scratch)
  const reset = operations.find(({ name }) => name === 'reset_all_memory')?.operation
  const invoke = (operation: (typeof operations)[number]['operation'], input: unknown, signal: AbortSignal) =>
    dispatch.invoke({
      operation,
      input,
      principal: LOCAL_PRINCIPAL,
      actor: 'fuzz',
      connection: 'fuzz',
      signal,
      progress: () => undefined,
      pipe: { write: async () => undefined, lines: () => badLines(random) },
    })

  const worker = async (): Promise<void> => {
    while (!tally.over('in-process')) {
      const { tool, input } = maker.make()
      const operation = byTool.get(tool)
      if (operation === undefined) throw new Error(`No operation behind ${tool.name}.`)
      const abort = new AbortController()
      const call = invoke(operation, input, abort.signal)
      if (random.chance(0.01)) setImmediate(() => abort.abort())
      // A command that runs until cancelled.
      if ('watch' in Object(input)) setTimeout(() => abort.abort(), WATCHED_MS).unref()
      const outcome = await tally.timed('in-process', tool.name, input, call)
      if (outcome === undefined) continue
      tally.note('in-process', tool.name, input, outcome.ok ? judgeAnswer(tool, outcome.answer) : judgeError(outcome.error))
      if (outcome.ok) maker.learn(outcome.answer)
      if (tally.calls['in-process'] % CALLS_PER_STORE === 0 && reset !== undefined) await empty(reset)
    }
  }
  const empty = async (operation: (typeof operations)[number]['operation']): Promise<void> => {
    const outcome = await invoke(operation, { confirm: true }, new AbortController().signal)
    if (!outcome.ok) throw new Error(`The store could not be emptied: ${brief(outcome.error.message)}`)
    clearCopies(dataDir)
    clearCopies(join(scratch, 'files'))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await host.close()
}

/** Deletes backups created by calls. */
export function clearCopies(folder: string): void {
  for (const name of readdirSync(folder)) if (!KEPT.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

async function* badLines(random: Random): AsyncIterable<string> {
  const lines = ['', 'not json', '{}', '[]', '{"type":"fact"}', '{"mneme":{"version":99}}', '{"mneme":{"export":1}}', 'null']
  for (let i = random.int(4); i > 0; i--) yield lines[random.int(lines.length)] ?? ''
}
