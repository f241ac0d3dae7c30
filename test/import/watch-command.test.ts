import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { removeTemporaryFolders, runProgram, startProgram, temporaryFolder } from '../wire/program.js'

afterAll(removeTemporaryFolders)

it('keeps a folder and the memory in step until it is interrupted, then sums up', { timeout: 180_000 }, async () => {
  const data = temporaryFolder()
  const folder = join(temporaryFolder(), 'notes')
  const store = ['--data-dir', data, '--embedder', 'hash']
  await runProgram(['remember', 'The gateway listens on port 8080', ...store])
  const watching = startProgram(['import', '--watch', folder, '--author', 'ann', ...store], { keepOutput: true })
  const page = async (): Promise<string> => {
    const owner = join(folder, 'default')
    const [name = ''] = existsSync(owner) ? (await readdir(owner)).filter((file) => file.startsWith('memories-')) : []
    return join(owner, name)
  }
  await vi.waitFor(async () => expect(await readFile(await page(), 'utf8')).toContain('8080'), EVENTUALLY)
  await writeFile(await page(), (await readFile(await page(), 'utf8')).replace('8080', '9090'))
  await vi.waitFor(async () => expect((await runProgram(['list', ...store])).out).toContain('port 9090'), EVENTUALLY)
  await runProgram(['remember', 'Backups run at night', ...store])
  await vi.waitFor(async () => expect(await readFile(await page(), 'utf8')).toContain('Backups run at night'), EVENTUALLY)
  watching.child.kill('SIGINT')
  const { code, out } = await watching.ended()
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ watched: { folder, revised: 1, added: 0, conflicts: 0 } })
})

it('refuses to watch what is no single folder of Markdown', async () => {
  const store = ['--data-dir', temporaryFolder(), '--embedder', 'hash']
  const none = await runProgram(['import', '--watch', ...store])
  const csv = await runProgram(['export', 'a.csv', '--to', 'csv', '--watch', ...store])
  expect([none.code, csv.code]).not.toContain(0)
  expect(none.err).toContain('One folder is needed')
  expect(csv.err).toContain('cannot be kept current')
})
