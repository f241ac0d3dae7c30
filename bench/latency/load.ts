import { spawn } from 'node:child_process'
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ServerCommand } from './client.js'
import { factAt } from './corpus.js'

/** Fills a new data directory with `count` facts by the program's own import. Resolves to the milliseconds it took. */
export async function loadStore(
  main: string,
  dataDir: string,
  { count, env }: { count: number; env: ServerCommand['env'] },
): Promise<number> {
  const file = join(dataDir, 'bench-import.jsonl')
  await pipeline(lines(count), createWriteStream(file))
  const startedAt = performance.now()
  await run([main, 'import', file, '--data-dir', dataDir], env)
  const took = performance.now() - startedAt
  rmSync(file)
  return took
}

function* lines(count: number): Generator<string> {
  for (let number = 0; number < count; number++) {
    const { content, session, author } = factAt(number)
    yield `${JSON.stringify({ content, metadata: { session, author } })}\n`
  }
}

/** Rejects with what the program wrote to stderr when it fails. */
export function run(args: readonly string[], env: ServerCommand['env']): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`mneme ${args.slice(1, 3).join(' ')} ended with ${code}: ${err.trim()}`)),
    )
  })
}
