import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Packages stay where they are installed, wherever the program is written. */
export async function bundleWriter(folder: string, entry = 'test/sqlite/writer.ts'): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  const outfile = join(folder, 'writer.mjs')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    // Resolves `require` from here.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    plugins: [
      {
        name: 'installed-packages',
        setup(plugin) {
          plugin.onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('node:') ? undefined : { path: pathToFileURL(resolve(path)).href, external: true },
          )
        },
      },
    ],
  })
  return outfile
}

export interface Writer {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** Every line printed so far. */
  readonly lines: readonly string[]
  /** Resolves once this number of lines is printed. */
  said(count: number): Promise<void>
  /** Resolves with its stderr once it has ended. */
  readonly ended: Promise<string>
}

export const startWriter = (program: string, ...args: readonly string[]): Writer => startWriterIn({}, program, ...args)

/** With additional environment variables. */
export function startWriterIn(env: Readonly<Record<string, string>>, program: string, ...args: readonly string[]): Writer {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  const lines: string[] = []
  const errors: string[] = []
  const input = createInterface({ input: child.stdout })
  input.on('line', (line) => lines.push(line))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  child.stdin.on('error', () => {})
  const ended = Promise.all([once(child, 'exit'), once(input, 'close')]).then(() => errors.join(''))
  return {
    process: child,
    lines,
    async said(count) {
      while (lines.length < count) {
        const over = await Promise.race([once(input, 'line').then(() => undefined), ended])
        if (over !== undefined && lines.length < count) throw new Error(`the writer ended early: ${over}`)
      }
    },
    ended,
  }
}
