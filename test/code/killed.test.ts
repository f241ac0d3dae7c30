import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { runProgram } from '../wire/program.js'
import { HELLO, openStdio } from '../wire/wire.js'
import { dump, freshDump, makeProject, removeTemporaryFolders, temporaryFolder } from './workbench.js'

afterAll(removeTemporaryFolders)

const FILES = 900
const statusSchema = z.looseObject({
  status: z.string(),
  total_files: z.number(),
  indexed_files: z.number(),
  progress_percent: z.number(),
  completed_at: z.string().nullable(),
  error_message: z.string().optional(),
})
const filesOf = z.looseObject({ files: z.array(z.unknown()) })

const storedFiles = (dataDir: string): number => filesOf.parse(dump(dataDir, 'big')).files.length

/** Starts indexing in a server process and kills it once this number of files is stored. */
async function indexAndKill(dataDir: string, root: string, after: number): Promise<void> {
  const wire = openStdio(['--data-dir', dataDir, '--embedder', 'hash'])
  await wire.send(HELLO)
  // The store exists once a call has returned.
  await wire.send({ jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'list_projects', arguments: {} } })
  void wire
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'index_project', arguments: { path: root } } })
    .catch(() => undefined)
  const stored = openFile(join(dataDir, 'mneme.db'), { readonly: true }).prepare('SELECT count(*) FROM source_files')
  while (Number(stored.value()) < after) await setImmediate()
  wire.program.child.kill('SIGKILL')
  await once(wire.program.child, 'close')
}

async function statusOf(dataDir: string): Promise<z.infer<typeof statusSchema>> {
  const { code, out, err } = await runProgram([
    'call',
    'memory',
    'get_index_status',
    '--data-dir',
    dataDir,
    '--embedder',
    'hash',
    '--json',
    '{"project_id":"big"}',
  ])
  expect(code, err).toBe(0)
  return statusSchema.parse(JSON.parse(out))
}

const source = (n: number): string =>
  Array.from(
    { length: 12 },
    (_, i) =>
      `def job_${n}_${i}(rows, limit):\n    """Handles batch ${i} of ${n}."""\n    found = helper_${(n + i) % 50}(rows)\n    return found[:limit]\n`,
  ).join('\n\n')

it('reports its state after each kill, continues, and ends with the index of a fresh run', async () => {
  const root = makeProject('big', Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d${i % 30}/m${i}.py`, source(i)])))
  const dataDir = temporaryFolder('data')
  let before = 0
  for (const more of [1, 300]) {
    await indexAndKill(dataDir, root, before + more)
    const status = await statusOf(dataDir)
    const stored = storedFiles(dataDir)
    expect(status).toMatchObject({
      status: 'failed',
      completed_at: null,
      indexed_files: stored,
      total_files: FILES,
      error_message: expect.stringContaining('Index the project again'),
    })
    expect(status.progress_percent).toBeLessThan(100)
    expect(stored).toBeGreaterThan(before)
    expect(stored).toBeLessThan(FILES)
    before = stored
  }
  const finished = await runProgram(['index', root, '--data-dir', dataDir, '--embedder', 'hash', '--output', 'json'])
  expect(JSON.parse(finished.out)).toMatchObject({ project_id: 'big', files_indexed: FILES, files_changed: FILES - before })
  expect(await statusOf(dataDir)).toMatchObject({ status: 'completed', indexed_files: FILES, progress_percent: 100 })
  expect(dump(dataDir, 'big')).toEqual(await freshDump(root, 'big'))
}, 120_000)

it('is finished by the next server that starts', async () => {
  const files = 300
  const root = makeProject('big', Object.fromEntries(Array.from({ length: files }, (_, i) => [`m${i}.py`, source(i)])))
  const dataDir = temporaryFolder('data')
  await indexAndKill(dataDir, root, 64)
  const wire = openStdio(['--data-dir', dataDir, '--embedder', 'hash'])
  await wire.send(HELLO)
  const call = (id: number) =>
    wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_index_status', arguments: { project_id: 'big' } } })
  const answer = z.object({ result: z.object({ structuredContent: statusSchema }) })
  for (let id = 1; ; id++) {
    const { status, indexed_files } = answer.parse(await call(id)).result.structuredContent
    if (status === 'completed') {
      expect(indexed_files).toBe(files)
      break
    }
    expect(['indexing', 'failed']).toContain(status)
  }
  await wire.close()
  expect(dump(dataDir, 'big')).toEqual(await freshDump(root, 'big'))
}, 120_000)
