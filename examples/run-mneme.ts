import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('dist/main.js', import.meta.resolve('mneme/package.json')))

/** A folder for the data of one example; it is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-example-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command to its end and gives its JSON. */
export async function mneme(dataDir: string, args: readonly string[], input = ''): Promise<unknown> {
  const child = spawn(process.execPath, [PROGRAM, ...args, '--data-dir', dataDir, '--shared', 'off'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stdin.end(input)
  await once(child, 'close')
  return out.trim() === '' ? undefined : JSON.parse(out)
}

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Starts `mneme serve` on a free port. */
export async function serve(dataDir: string, ...flags: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--data-dir', dataDir, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.setEncoding('utf8')
  while (!told.includes('listening on ')) {
    const [text]: unknown[] = await once(child.stderr, 'data')
    told += String(text)
  }
  return {
    url: /listening on (\S+)/.exec(told)?.[1] ?? '',
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}
