import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { toMemoryError } from '../../src/errors.js'
import { loadContracts } from '../../src/open.js'
import type { Clock } from '../../src/ports/clock.js'
import { type Opened, openBoth } from '../opened.js'

type Answer = Readonly<Record<string, unknown>>

/** Advances by one millisecond with every read, so that writes are in the past of later reads. */
export function tickingClock(
  start = 1_780_000_000_000_000,
): Clock & { advance(microseconds: number): void; set(now: number): void; peek(): number } {
  let now = start
  return {
    now() {
      now += 1000
      return now
    },
    advance(microseconds) {
      now += microseconds
    },
    set(index) {
      now = index
    },
    peek: () => now,
  }
}

export interface World extends Opened {
  readonly clock: ReturnType<typeof tickingClock>
  readonly directory: string
  /** Calls a tool like a surface, with the contract's error texts. */
  call(tool: string, input?: Answer): Promise<Answer>
  /** The `node` of a response that must have one. */
  node(tool: string, input: Answer): Promise<Record<string, unknown> & { readonly id: string }>
  close(): Promise<void>
}

export async function openWorld(
  flags: Readonly<Record<string, unknown>> = {},
  shared?: { readonly directory: string; readonly clock: World['clock'] },
  args?: World['clock'],
): Promise<World> {
  const directory = shared?.directory ?? mkdtempSync(join(tmpdir(), 'mneme-graph-'))
  const clock = shared?.clock ?? args ?? tickingClock()
  let minted = 0
  const ids = { mint: () => `n${String(++minted).padStart(4, '0')}${shared === undefined ? '' : 'b'}` }
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash', ...flags }, env: {} })
  const opened = await openBoth(config, { clock, ids })
  const { engine } = opened
  const contracts = await loadContracts(['graph', 'memory', 'substrate', 'admin', 'hooks'])
  const call: World['call'] = async (tool, input = {}) => {
    const [contract, name] = tool.includes('/') ? tool.split('/') : ['graph', tool]
    const found = contracts.find((entry) => entry.name === contract)
    const operation = found?.operations.find((operation) => operation.name === name)
    if (found === undefined || operation === undefined) throw new Error(`There is no ${tool}.`)
    try {
      return await operation.call(
        {
          context: engine.context(),
          actor: 'mcp:test',
          connection: 'c1',

          progress: () => undefined,
        },
        input,
      )
    } catch (error) {
      if (found.failure === undefined) throw error
      return found.failure(toMemoryError(error))
    }
  }
  return {
    ...opened,
    clock,
    directory,
    call,
    async node(tool, input) {
      const { node, ...rest } = await call(tool, input)
      if (typeof node !== 'object' || node === null || !('id' in node) || typeof node.id !== 'string')
        throw new Error(`${tool} answered no node: ${JSON.stringify(rest)}`)
      return { ...node, id: node.id }
    },
    async close() {
      await engine.close()
      if (shared === undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}
