import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { runProgram, startProgram } from '../wire/program.js'
import { openStdio, useTools } from '../wire/wire.js'
import { dump, freshDump, makeProject, removeTemporaryFolders, temporaryFolder } from './workbench.js'

afterAll(removeTemporaryFolders)

const FILES = {
  'src/a.ts': 'export function greetPeople(name: string) {\n  return name\n}\n',
  'b.py': 'def count_sheep(n):\n    return n\n',
}
const found = z.object({ results: z.array(z.object({ file_path: z.string() })) })

it('indexes and finds code from the shell', async () => {
  const [root, dataDir] = [makeProject('farm', FILES), temporaryFolder('data')]
  const settings = ['--data-dir', dataDir, '--embedder', 'none', '--output', 'json']
  const indexed = await runProgram(['index', root, ...settings])
  expect(JSON.parse(indexed.out), indexed.err).toMatchObject({ project_id: 'farm', files_indexed: 2 })
  const answer = await runProgram(['code', 'count', 'the', 'sheep', '--limit', '1', ...settings])
  expect(found.parse(JSON.parse(answer.out)).results).toMatchObject([{ file_path: 'b.py' }])
  const refused = await runProgram(['index', join(root, 'b.py'), ...settings])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`Invalid path: ${join(root, 'b.py')}`)])
})

it('repair 15: index ends before vectors are computed, and with --wait after all of them', async () => {
  const [root, dataDir] = [makeProject('farm', FILES), temporaryFolder('data')]
  const settings = ['--data-dir', dataDir, '--embedder', 'hash', '--output', 'json']
  const waited = JSON.parse((await runProgram(['index', root, '--wait', ...settings])).out)
  expect(waited).toMatchObject({ files_indexed: 2, files_changed: 2 })
  expect(waited).not.toHaveProperty('vectors_pending')
  const status = await runProgram(['call', 'memory', 'get_index_status', '--project-id', 'farm', ...settings])
  const { vectors_done: done, vectors_total: total } = JSON.parse(status.out)
  expect([done, total > 0]).toEqual([total, true])
})

it('keeps running with --watch, indexes an edit, and ends cleanly when interrupted', async () => {
  const [root, dataDir] = [makeProject('farm', FILES), temporaryFolder('data')]
  const program = startProgram(['index', root, '--watch', '--data-dir', dataDir, '--embedder', 'none', '--output', 'json'], {
    keepOutput: true,
  })
  program.child.stdin.end()
  await vi.waitFor(async () => expect(dump(dataDir, 'farm')).toEqual(await freshDump(root, 'farm')), EVENTUALLY)
  appendFileSync(join(root, 'b.py'), '\n\ndef count_goats(n):\n    return n\n')
  await vi.waitFor(async () => expect(dump(dataDir, 'farm')).toEqual(await freshDump(root, 'farm')), EVENTUALLY)
  program.child.kill('SIGINT')
  const { code, out, err } = await program.ended()
  expect(code, err).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ project_id: 'farm', files_indexed: 2 })
  const status = await runProgram([
    'call',
    'memory',
    'get_index_status',
    '--data-dir',
    dataDir,
    '--embedder',
    'none',
    '--json',
    '{"project_id":"farm"}',
  ])
  expect(JSON.parse(status.out), status.err).toMatchObject({ status: 'completed', watching: false })
})

it('is watched again by the next server', async () => {
  const [root, dataDir] = [makeProject('farm', FILES), temporaryFolder('data')]
  const settings = ['--data-dir', dataDir, '--embedder', 'none']
  const first = openStdio(settings)
  await (await useTools(first)).call('index_project', { path: root, watch: true })
  await first.close()
  appendFileSync(join(root, 'b.py'), '\n\ndef while_away():\n    return 1\n')
  const second = openStdio(settings)
  const tools = await useTools(second)
  const files = async (query: string) =>
    found.parse(await tools.call('search_code', { query, limit: 1 })).results.map((entry) => entry.file_path)
  await vi.waitFor(async () => expect(await files('while_away')).toEqual(['b.py']), EVENTUALLY)
  appendFileSync(join(root, 'src/a.ts'), '\nexport const lateEdit = 1\n')
  await vi.waitFor(async () => expect(await files('lateEdit')).toEqual(['src/a.ts']), EVENTUALLY)
  await second.close()
})
