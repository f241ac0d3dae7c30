import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** Its stderr output. */
  said(): string
  saw(text: string): Promise<void>
  /** Rejects if the process exits unexpectedly. */
  readonly gone: Promise<never>
  stop(): Promise<void>
}

const PROGRAM = resolve('dist/main.js')

export function startServer(args: readonly string[], cwd: string): ServerProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args, '--embedder', 'hash', '--log-level', 'error'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    stdio: 'pipe',
  })
  let err = ''
  let stopping = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => undefined)
  const closed = once(child, 'close')
  const gone = closed.then(async () => {
    if (stopping) await new Promise<never>(() => undefined)
    throw new Error(`The server ended by itself (${child.exitCode ?? child.signalCode}): ${err.slice(-2000)}`)
  })
  gone.catch(() => undefined)
  return {
    child,
    gone,
    said: () => err,
    async saw(text) {
      while (!err.includes(text)) await Promise.race([once(child.stderr, 'data'), gone])
    },
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      await closed
    },
  }
}
