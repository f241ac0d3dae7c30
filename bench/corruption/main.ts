// npm run bench corruption -- [pages] [logs] [seed]: damages stores and runs the built program's doctor.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { copyStore, damagedLog, differing, factsIn, flippedPage, type Harm, replacedFiles } from './harm.js'
import { makeCopies } from './store.js'

const run = promisify(execFile)
const LONGEST_MS = 180_000
const report = z.looseObject({ healthy: z.boolean() })

/** True if doctor reports a healthy store; false if unhealthy or unreadable. */
async function askDoctor(folder: string): Promise<boolean> {
  const args = [resolve('dist/main.js'), 'doctor', '--output', 'json', '--data-dir', folder, '--embedder', 'none']
  const options = { env: { PATH: process.env.PATH, HOME: folder }, timeout: LONGEST_MS }
  const { stdout } = await run(process.execPath, args, options).catch((failure: unknown) => {
    if (failure instanceof Error && 'killed' in failure && failure.killed === true)
      throw new Error(`doctor has not ended within ${LONGEST_MS / 1000} s`)
    return { stdout: failure instanceof Error && 'stdout' in failure && typeof failure.stdout === 'string' ? failure.stdout : '' }
  })
  try {
    return report.parse(JSON.parse(stdout)).healthy
  } catch {
    return false
  }
}

const [pages = 500, logs = 50, first = 1] = process.argv.slice(2).map(Number)
const root = mkdtempSync(join(tmpdir(), 'mneme-damage-'))
try {
  const copies = await makeCopies(root)
  const truth = factsIn(join(copies.closed, 'mneme.db'))
  if (truth === undefined) throw new Error('The created store cannot be read.')
  const harms: readonly { readonly kind: string; readonly list: readonly Harm[] }[] = [
    { kind: 'nothing', list: [{ name: 'none', apply: (folder) => copyStore(copies.killed, folder) }] },
    { kind: 'flipped pages', list: Array.from({ length: pages }, (_, i) => flippedPage(copies, first + i)) },
    { kind: 'damaged logs', list: Array.from({ length: logs }, (_, i) => damagedLog(copies, first + i)) },
    { kind: 'replaced files', list: replacedFiles(copies) },
  ]
  let lies = 0
  for (const { kind, list } of harms) {
    const counted = { healthy: 0, harmed: 0, found: 0 }
    const judge = async (harm: Harm): Promise<void> => {
      const folder = mkdtempSync(join(root, 'case-'))
      harm.apply(folder)
      const healthy = await askDoctor(folder).catch((failure: unknown) => {
        throw new Error(`${harm.name}: ${String(failure)}`)
      })
      const wrong = differing(truth, join(folder, 'mneme.db'))
      if (healthy) counted.healthy++
      else if (kind === 'nothing') throw new Error('An untouched store is reported as unhealthy.')
      if (wrong > 0) counted.harmed++
      if (wrong > 0 && !healthy) counted.found++
      if (wrong > 0 && healthy) {
        lies++
        process.stdout.write(`${harm.name}: called healthy, ${wrong} facts are altered or missing\n`)
      }
      rmSync(folder, { recursive: true, force: true })
    }
    const left = [...list]
    const worker = async (): Promise<void> => {
      for (let harm = left.shift(); harm !== undefined; harm = left.shift()) await judge(harm)
    }
    await Promise.all([worker(), worker(), worker()])
    process.stdout.write(
      `${list.length} ${kind}: ${counted.harmed} with altered or missing facts, ${counted.found} of them found; ${counted.healthy} called healthy\n`,
    )
  }
  process.exitCode = lies === 0 ? 0 : 1
} finally {
  rmSync(root, { recursive: true, force: true })
}
