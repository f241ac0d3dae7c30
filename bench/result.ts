import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** The form of every file in bench/results. */
export interface BenchResult<T> {
  readonly bench: string
  readonly at: string
  /** Null outside a checkout. */
  readonly commit: string | null
  readonly machine: Machine
  /** The arguments that differ from the defaults. */
  readonly arguments: readonly string[]
  readonly results: T
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly node: string
  /** Load average over one minute when the bench started. */
  readonly load: number
}

const startLoad = loadavg()[0] ?? 0

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    load: Math.round(startLoad * 100) / 100,
  }
}

export function describeCommit(folder: string = root): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}

/** Writes `bench/results/<name>.json`, or `file` if the caller passes one. Returns what was written. */
export function saveResult<T>(name: string, results: T, file?: string): BenchResult<T> {
  const target = file === undefined ? join(root, 'bench', 'results', `${name}.json`) : resolve(file)
  const result = {
    bench: name,
    at: new Date().toISOString(),
    commit: describeCommit(),
    machine: describeMachine(),
    arguments: process.argv.slice(2),
    results,
  }
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, `${JSON.stringify(result, null, 2)}\n`)
  return result
}
