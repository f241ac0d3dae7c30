import { once } from 'node:events'
import { watch } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runs } from '../runs.js'
import { runProgram, startProgram } from '../wire/program.js'
import { withFolder } from './read-tree.js'

const RUNS = runs(1, 3)
const FACTS = 4000

const jobs = z.object({
  jobs: z.array(z.looseObject({ kind: z.string(), progress: z.looseObject({ run: z.string().optional(), done: z.boolean().optional() }) })),
})
const answer = z.looseObject({ facts: z.number(), skipped: z.number(), run: z.string().optional(), resumed: z.boolean().optional() })

/** Kills a process after the given number of changes in its data folder. */
async function killAfter(child: ReturnType<typeof startProgram>, folder: string, changes: number): Promise<void> {
  const watcher = watch(folder)
  const ended = child.ended()
  try {
    for (let seen = 0; seen < changes && child.child.exitCode === null; seen++) await Promise.race([once(watcher, 'change'), ended])
    child.child.kill('SIGKILL')
    await ended
  } finally {
    watcher.close()
  }
}

test('an import killed at any moment leaves nothing, or a named run that the same command completes and undo removes', {
  timeout: 60_000 * Math.max(10, RUNS),
}, async () => {
  const rows = Array.from({ length: FACTS }, (_, i) => JSON.stringify({ text: `note ${i} of the log`, id: i })).join('\n')
  for (let nth = 0; nth < RUNS; nth++)
    await withFolder(async (folder) => {
      const data = join(folder, 'data')
      const own = ['--data-dir', data, '--embedder', 'none']
      const path = join(folder, 'rows.jsonl')
      await writeFile(path, rows)
      expect((await runProgram(['remember', 'The gate opens at seven.', ...own])).code).toBe(0)
      const before = (await runProgram(['export', '-', ...own])).out
      await killAfter(startProgram(['import', path, ...own]), data, 1 + Math.floor(Math.random() * 60))
      const exported = (await runProgram(['export', '-', ...own])).out.split('\n')
      expect(exported.filter((line) => line.includes('The gate opens at seven.'))).toHaveLength(1)
      expect((await runProgram(['doctor', ...own])).code).toBe(0)
      const stored = exported.filter((line) => line.includes(' of the log')).length
      const listed = jobs.parse(JSON.parse((await runProgram(['jobs', ...own])).out)).jobs.filter(({ kind }) => kind === 'import')
      if (stored > 0) expect(listed).toMatchObject([{ progress: { run: expect.stringContaining('import:table:') } }])
      const wasDone = listed.some(({ progress }) => progress.done === true)
      const again = answer.parse(JSON.parse((await runProgram(['import', path, ...own])).out))
      expect(again.facts + stored).toBe(FACTS)
      if (stored > 0 && !wasDone) expect(again).toMatchObject({ resumed: true, run: listed[0]?.progress.run })
      expect((await runProgram(['undo', wasDone ? (listed[0]?.progress.run ?? '') : (again.run ?? ''), ...own])).code).toBe(0)
      expect((await runProgram(['export', '-', ...own])).out).toBe(before)
    })
})
