import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Answered {
  readonly ms: number
  readonly status: number
  readonly body: unknown
}

/** The built program, served over HTTP, with a probe of its event loop. */
export interface HostileServer {
  /** Calls a tool such as `memory/recall`; a string is sent as it is. */
  call(tool: string, input: unknown): Promise<Answered>
  /** Longest block of the event loop in milliseconds since the last call of this function. */
  longestHold(): Promise<number>
  /** Milliseconds from SIGTERM to the exit. */
  end(): Promise<number>
}

export async function startServer(entry: string, folder: string, flags: readonly string[]): Promise<HostileServer> {
  const socket = join(folder, 'probe.sock')
  const probe = fileURLToPath(new URL('./probe.mjs', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--import', probe, entry, 'serve', '--port', '0', '--data-dir', join(folder, 'data'), '--log-level', 'error', ...flags],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, MNEME_BENCH_PROBE: socket } },
  )
  const url = await addressOf(child)
  return {
    async call(tool, input) {
      const startedAt = performance.now()
      const response = await fetch(`${url}/v1/${tool}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: typeof input === 'string' ? input : JSON.stringify(input),
      })
      const text = await response.text()
      return { ms: performance.now() - startedAt, status: response.status, body: parsed(text) }
    },
    longestHold: () => ask(socket),
    async end() {
      const startedAt = performance.now()
      child.kill('SIGTERM')
      await once(child, 'exit')
      return performance.now() - startedAt
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('The server has no standard error.')
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /listening on (\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stderr.resume()
    return url
  }
  throw new Error('The server ended before it listened.')
}

async function ask(socket: string): Promise<number> {
  const connection = connect(socket)
  let text = ''
  for await (const chunk of connection) text += String(chunk)
  return Number(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
