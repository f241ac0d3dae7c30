import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export interface ServerCommand {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Discards the stderr of the server. */
  readonly quiet?: boolean
}

/** A server process with an SDK client over stdio. */
export interface Connection {
  /** From the start of the process to the response of `initialize`. */
  readonly startMs: number
  readonly pid: number
  listingBytes(): Promise<number>
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown>
  residentMegabytes(): number
  close(): Promise<void>
}

const CALL_TIMEOUT_MS = 300_000

export async function connect(command: ServerCommand): Promise<Connection> {
  const client = new Client({ name: 'latency-bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...command.args],
    env: { ...getDefaultEnvironment(), MNEME_SHARED: 'off', ...command.env },
    stderr: command.quiet ? 'ignore' : 'inherit',
    maxBufferSize: 2 ** 28,
  })
  const startedAt = performance.now()
  await client.connect(transport)
  const startMs = performance.now() - startedAt
  const { pid } = transport
  if (pid === null) throw new Error('The server has no process id.')

  return {
    startMs,
    pid,
    async listingBytes() {
      const { tools } = await client.listTools()
      return Buffer.byteLength(JSON.stringify({ tools }))
    },
    async call(tool, input) {
      const result = await client.callTool({ name: tool, arguments: { ...input } }, { timeout: CALL_TIMEOUT_MS })
      const [block] = result.content
      const text = block?.type === 'text' ? block.text : ''
      if (result.isError) throw new Error(`${tool}: ${text}`)
      return result.structuredContent ?? JSON.parse(text)
    },
    residentMegabytes: () => residentMegabytes(pid),
    close: () => client.close(),
  }
}

/** A model that is loading has a documented error, which is retried. */
export async function callWhenReady(connection: Connection, tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await connection.call(tool, input)
    } catch (failure) {
      if (attempt >= 120 || !(failure instanceof Error) || !failure.message.includes('not ready')) throw failure
      await delay(250)
    }
  }
}

function residentMegabytes(pid: number): number {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) / 1024
}
