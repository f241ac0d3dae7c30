import { spawn } from 'node:child_process'
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hashVector } from '../../src/models/hash.js'
import type { ServerCommand } from './client.js'
import { factAt } from './corpus.js'

const DIMENSIONS = 384

export interface Load {
  readonly count: number
  readonly env: ServerCommand['env']
  /** Random vectors instead of the model's: embedding 100,000 texts takes an hour, and the index does not depend on it. */
  readonly vectors: boolean
}

/** Fills a new data directory by `mneme import`. Resolves to milliseconds. */
export async function loadStore(main: string, dataDir: string, { count, env, vectors }: Load): Promise<number> {
  const file = join(dataDir, 'bench-import.jsonl')
  await pipeline(lines(count, vectors), createWriteStream(file))
  const startedAt = performance.now()
  await run([main, 'import', file, '--data-dir', dataDir], env)
  const took = performance.now() - startedAt
  rmSync(file)
  return took
}

function* lines(count: number, vectors: boolean): Generator<string> {
  yield `${JSON.stringify({ mneme: 1, model: vectors ? { id: 'gte-small', dimensions: DIMENSIONS } : null })}\n`
  for (let number = 0; number < count; number++) {
    const { content, session, author } = factAt(number)
    const vector = vectors ? { vector: Buffer.from(hashVector(content, DIMENSIONS).buffer).toString('base64') } : {}
    yield `${JSON.stringify({ content, metadata: { session, author }, ...vector })}\n`
  }
}

/** Rejects with the stderr output if the program fails. */
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
