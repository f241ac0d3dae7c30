import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeTemporaryFolders, runProgram, temporaryFolder } from '../wire/program.js'
import { type ConsoleServer, startConsoleServer } from './console-server.js'

const folder = temporaryFolder()
const outside = temporaryFolder()
let server: ConsoleServer
const cookies: Record<string, string> = {}

const createKey = async (...rights: readonly string[]): Promise<string> => {
  const { out } = await runProgram(['keys', 'create', '--owner', 'ann', ...rights, '--data-dir', folder, '--embedder', 'hash'])
  return String(JSON.parse(out).key)
}

beforeAll(async () => {
  await runProgram(['remember', 'Bob keeps wasps', '--user-id', 'bob', '--data-dir', folder, '--embedder', 'hash'])
  const keys = { admin: await createKey('--right', 'admin'), plain: await createKey() }
  server = await startConsoleServer({ folder })
  for (const [name, key] of Object.entries(keys)) cookies[name] = await server.signIn({ key })
  writeFileSync(join(outside, 'note.md'), '- The file of someone else\n')
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

const upload = (name: string, text: string): Promise<Response> =>
  fetch(`${server.url}/console/uploads/new?name=memo.md`, {
    method: 'POST',
    headers: { Origin: server.url, 'Sec-Fetch-Site': 'same-origin', Cookie: cookies[name] ?? '' },
    body: text,
  })

test.each([
  ['import', { paths: [join(outside, 'note.md')] }],
  ['import', { file: join(outside, 'note.md'), dry_run: true }],
  ['import', { paths: [join(folder, 'projections')], dry_run: true }],
  ['import', { paths: [outside], watch: true }],
  ['import', {}],
  ['import', { all: true }],
  ['export', { file: join(outside, 'a.jsonl') }],
  ['export', { file: join(outside, 'note.md'), force: true }],
  ['export', { file: join(outside, 'a'), to: 'markdown' }],
  ['export', { file: join(outside, 'a'), to: 'markdown', watch: true }],
  ['backup', { file: join(outside, 'a.db') }],
  ['project_confirm', { folder: outside }],
])('a key with all rights of one owner names no file of the server: %s %j', async (operation, input) => {
  const refused = await server.call(cookies.admin ?? '', `admin/${operation}`, input)
  expect(refused.status).toBe(403)
  expect(existsSync(join(outside, 'a'))).toBe(false)
  expect(existsSync(join(outside, 'a.jsonl'))).toBe(false)
})

test('it imports what it uploads, and keys without the right upload nothing', async () => {
  expect((await upload('plain', 'x')).status).toBe(403)
  const { file }: { readonly file: string } = JSON.parse(await (await upload('admin', '- Ann keeps bees\n')).text())
  const imported = await server.call(cookies.admin ?? '', 'admin/import', { file })
  expect(await imported.json()).toMatchObject({ facts: 1, run: expect.stringContaining('import:') })
})
