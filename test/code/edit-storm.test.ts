import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { LOOK_EVERY_MS } from '../store-rows.js'
import { call, dump, freshDump, makeProject, open, removeTemporaryFolders, temporaryFolder } from './workbench.js'

afterAll(removeTemporaryFolders)

/** Small and seeded, so that a failure is reproducible. */
function createDice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const EDITS = 400

it.each([20_261, 7, 4_242])(
  'ends in the same index as a fresh run, after edits, renames, moves and deletions without a pause (seed %i)',
  async (seed) => {
    const dice = createDice(seed)
    const source = (n: number): string =>
      Array.from(
        { length: 1 + dice(5) },
        (_, i) => `export function work${n}_${i}(value: number) {\n  return helper${dice(9)}(value) + ${dice(1000)}\n}\n`,
      ).join('\n')
    const paths = new Set(Array.from({ length: 40 }, (_, i) => `part${i % 5}/file${i}.ts`))
    const root = makeProject('storm', Object.fromEntries([...paths].map((path, i) => [path, source(i)])))
    const dataDir = temporaryFolder('data')
    const engine = await open(dataDir)
    await call(engine, 'index_project', { path: root, watch: true })

    const some = (): string => [...paths][dice(paths.size)] ?? ''
    const place = (path: string): string => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      return join(root, path)
    }
    for (let n = 0; n < EDITS; n++) {
      const kind = dice(10)
      const path = some()
      if (kind < 6) writeFileSync(place(path), source(n))
      else if (kind < 7) {
        const made = dice(2) === 0 ? `part${dice(7)}/new${n}.ts` : `tree${n}/a/b/new${n}.ts`
        writeFileSync(place(made), source(n))
        paths.add(made)
      } else if (kind < 8 && paths.size > 10) {
        rmSync(join(root, path))
        paths.delete(path)
      } else if (kind < 9) {
        const moved = `part${dice(7)}/moved${n}.ts`
        renameSync(join(root, path), place(moved))
        paths.delete(path)
        paths.add(moved)
      } else {
        const folder = path.split('/')[0] ?? ''
        renameSync(join(root, folder), join(root, `folder${n}`))
        for (const inside of [...paths].filter((path) => path.startsWith(`${folder}/`))) {
          paths.delete(inside)
          paths.add(inside.replace(folder, `folder${n}`))
        }
      }
      // Edits come faster than the watcher settles, but not all in one burst of events.
      if (n % 20 === 0) await delay(60)
    }
    const expected = await freshDump(root, 'storm')
    await vi.waitFor(() => expect(dump(dataDir, 'storm')).toEqual(expected), { ...EVENTUALLY, interval: LOOK_EVERY_MS })
    expect(await call(engine, 'get_index_status', { project_id: 'storm' })).toMatchObject({
      status: 'completed',
      watching: true,
      indexed_files: paths.size,
    })
    await engine.close()
  },
  240_000,
)
