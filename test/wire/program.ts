import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const PROGRAM = resolve('dist/main.js')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Program {
  readonly child: ChildProcessWithoutNullStreams
  err(): string
  /** Resolves when stderr contains the text. */
  sawError(text: string): Promise<void>
  ended(): Promise<Ended>
}

export interface StartOptions {
  readonly keepOutput?: boolean
  /** Another program than the built one. */
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  /** As an unprivileged user, if the tests run as root. */
  readonly unprivileged?: boolean
}

/** In tests on a database server (vitest.postgres.config.ts), programs use it, too. */
const onServer = (): Readonly<Record<string, string>> => {
  const { TEST_POSTGRES_SERVER: server, TEST_POSTGRES_PRELOAD: preload } = process.env
  return server === undefined || preload === undefined ? {} : { TEST_POSTGRES_SERVER: server, NODE_OPTIONS: `--import ${preload}` }
}

/** A prompt waits for its hook on a busy machine, too. */
const DEFAULTS = { MNEME_CHECK_ANSWERS: '1', MNEME_SHARED: 'off', MNEME_HOOK_RECALL_MS: '60000' }

/** The built program as a process, without the settings of the user who runs the tests. */
export function startProgram(args: readonly string[], options: StartOptions = {}): Program {
  const child = spawn(process.execPath, [options.program ?? PROGRAM, ...args], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...DEFAULTS, ...onServer(), ...options.env },
    stdio: 'pipe',
    ...(options.unprivileged === true && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
  })
  let out = ''
  let err = ''
  if (options.keepOutput === true) child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => undefined)
  const closed = once(child, 'close')
  return {
    child,
    err: () => err,
    async sawError(text) {
      while (!err.includes(text)) {
        const over = await Promise.race([once(child.stderr, 'data').then(() => false), closed.then(() => true)])
        if (over && !err.includes(text)) throw new Error(`The process ended without saying "${text}": ${err}`)
      }
    },
    async ended() {
      await closed
      return { code: child.exitCode, signal: child.signalCode, out, err }
    },
  }
}

/** Runs a command to its end. */
export function runProgram(args: readonly string[], input = '', file = PROGRAM): Promise<Ended> {
  const program = startProgram(args, { keepOutput: true, program: file })
  program.child.stdin.end(input)
  return program.ended()
}

const folders: string[] = []

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-wire-'))
  folders.push(folder)
  return folder
}

export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) {
    if (existsSync(folder)) chmodSync(folder, 0o700)
    // An ending program may still write into it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
