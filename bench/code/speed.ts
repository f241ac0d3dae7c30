import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { whySkipped } from '../../src/core/files/skipped-files.js'
import { scanProject } from '../../src/readers/repo-scan.js'
import { createProgressBar } from './progress-bar.js'
import { startServer } from './server.js'

export interface SpeedTarget {
  readonly name: string
  readonly path: string
  /** A question whose answer is known, and the files that hold it. */
  readonly question: string
  readonly answer: RegExp
}

export interface SpeedReport {
  readonly name: string
  readonly files: number
  readonly chunks: number
  readonly megabytes: number
  readonly indexSeconds: number
  readonly filesPerSecond: number
  readonly chunksPerSecond: number
  readonly megabytesPerSecond: number
  readonly peakMegabytes: number
  /** From the call to index until the right file is the first result. */
  readonly firstAnswerSeconds: number
  readonly searchMilliseconds: { readonly p50: number; readonly p95: number }
  readonly touchedMilliseconds: number
}

const SEARCHES = 60

export async function measureSpeed(entry: string, dataDir: string, target: SpeedTarget): Promise<SpeedReport> {
  const bytes = await bytesOf(target.path)
  const server = await startServer(entry, dataDir)
  const bar = createProgressBar(target.name)
  try {
    const startedAt = performance.now()
    const indexed = await server.index(target.path, bar.show)
    const indexSeconds = (performance.now() - startedAt) / 1000
    bar.end()
    const peakMegabytes = server.peakMegabytes()
    const [first] = await server.files('hybrid', target.question, indexed.project_id)
    const firstAnswerSeconds = (performance.now() - startedAt) / 1000
    if (first === undefined || !target.answer.test(first))
      throw new Error(`${target.name}: "${target.question}" was answered with ${first}, not ${target.answer}`)
    const times: number[] = []
    for (let i = 0; i < SEARCHES; i++) {
      const from = performance.now()
      await server.files('hybrid', `${target.question} ${i}`, indexed.project_id)
      times.push(performance.now() - from)
    }
    times.sort((a, b) => a - b)
    return {
      name: target.name,
      files: indexed.files_indexed,
      chunks: indexed.chunks_created,
      megabytes: round(bytes / 1e6),
      indexSeconds: round(indexSeconds),
      filesPerSecond: Math.round(indexed.files_indexed / indexSeconds),
      chunksPerSecond: Math.round(indexed.chunks_created / indexSeconds),
      megabytesPerSecond: round(bytes / 1e6 / indexSeconds),
      peakMegabytes,
      firstAnswerSeconds: round(firstAnswerSeconds),
      searchMilliseconds: { p50: round(times[Math.floor(SEARCHES * 0.5)] ?? 0), p95: round(times[Math.floor(SEARCHES * 0.95)] ?? 0) },
      touchedMilliseconds: await touchOne(server, join(target.path, first), target.path),
    }
  } finally {
    bar.end()
    await server.close()
  }
}

/** The file gets a new time and then its old one again, so that the tree is left as it was. */
async function touchOne(server: Awaited<ReturnType<typeof startServer>>, file: string, root: string): Promise<number> {
  const { atime, mtime } = statSync(file)
  utimesSync(file, new Date(), new Date())
  try {
    const from = performance.now()
    const { files_changed } = await server.index(root)
    if (files_changed < 1) throw new Error(`The touched file ${file} was not noticed`)
    return Math.round(performance.now() - from)
  } finally {
    utimesSync(file, atime, mtime)
  }
}

async function bytesOf(path: string): Promise<number> {
  let bytes = 0
  for await (const file of scanProject(path)) if (whySkipped(file.path, file) === null) bytes += file.size
  return bytes
}

const round = (value: number): number => Math.round(value * 100) / 100
