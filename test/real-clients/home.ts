import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fetchClient } from './fetch.js'

/** A home directory for real clients, with their commands on the path and nothing else of the machine. */
export interface Home {
  readonly path: string
  readonly dataDir: string
  /** Why a client cannot be tested here; undefined if it can. */
  missing(client: string): string | undefined
  folder(name: string, remote?: string): string
  mneme(args: readonly string[], cwd?: string): { readonly code: number | null; readonly out: string }
  /** Runs a client to its end and returns its output. */
  run(
    client: string,
    args: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<string>
  read(file: string): Buffer | null
  remove(): void
}

const PROGRAM = resolve('dist/main.js')
const CLIENT_MS = 120_000

export function createHome(clients: readonly string[]): Home {
  // Codex refuses to work in a temporary folder.
  const parent = resolve('.cache', 'homes')
  mkdirSync(parent, { recursive: true })
  const path = mkdtempSync(join(parent, 'home-'))
  mkdirSync(join(path, 'bin'))
  const reasons = new Map<string, string>()
  const node = fetchClient('node22')
  for (const client of clients) {
    const { path: program, reason } = fetchClient(client)
    if (program === undefined) reasons.set(client, reason ?? 'It cannot be had.')
    else symlinkSync(program, join(path, 'bin', client))
  }
  const env = {
    MNEME_SHARED: 'off',
    HOME: path,
    PATH: [join(path, 'bin'), ...(node.path === undefined ? [] : [dirname(node.path)]), dirname(process.execPath), '/usr/bin', '/bin'].join(
      ':',
    ),
    TERM: 'dumb',
    NO_COLOR: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  }
  return {
    path,
    dataDir: join(path, 'memory'),
    missing: (client) => reasons.get(client),
    folder(name, remote) {
      const folder = join(path, name)
      mkdirSync(folder, { recursive: true })
      spawnSync('git', ['init', '-q'], { cwd: folder })
      if (remote !== undefined) spawnSync('git', ['remote', 'add', 'origin', remote], { cwd: folder })
      return folder
    },
    mneme(args, cwd = path) {
      const run = spawnSync(process.execPath, [PROGRAM, ...args, '--data-dir', join(path, 'memory')], { cwd, env, encoding: 'utf8' })
      return { code: run.status, out: run.stdout + run.stderr }
    },
    run(client, args, options = {}) {
      return new Promise((done) => {
        const child = spawn(join(path, 'bin', client), [...args], {
          cwd: options.cwd ?? path,
          env: { ...env, ...options.env },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        let out = ''
        const timer = setTimeout(() => child.kill('SIGKILL'), CLIENT_MS)
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += String(chunk)))
        child.on('error', (failure) => (out += failure.message))
        child.on('close', () => {
          clearTimeout(timer)
          done(out)
        })
      })
    },
    read: (file) => (existsSync(join(path, file)) ? readFileSync(join(path, file)) : null),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
