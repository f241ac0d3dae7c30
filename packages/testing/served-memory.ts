import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** `mneme serve` over an empty store in a temporary folder. */
export async function servedMemory(...flags: readonly string[]): Promise<Served> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-served-'))
  const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
  const args = [program, 'serve', '--port', '0', '--data-dir', dataDir, '--embedder', 'hash', ...flags]
  const child = spawn(process.execPath, args)
  let log = ''
  while (!/listening on \S+/u.test(log)) {
    const [chunk]: unknown[] = await once(child.stderr, 'data')
    log += String(chunk)
  }
  child.stderr.resume()
  return {
    url: /listening on (\S+)/u.exec(log)?.[1] ?? '',
    async close() {
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await once(child, 'close')
      }
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
