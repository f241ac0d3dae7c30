import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startConsoleServer } from '../console/console-server.js'
import { EVENTUALLY } from '../eventually.js'
import { removeTemporaryFolders, runProgram, temporaryFolder } from '../wire/program.js'

type Json = Readonly<Record<string, unknown>>

const folder = temporaryFolder()
const OWN = ['--data-dir', folder, '--embedder', 'hash']
const keys: Record<string, string> = {}
let server: Awaited<ReturnType<typeof startConsoleServer>>

beforeAll(async () => {
  for (const [name, owner, right] of [
    ['ann', 'ann', 'admin'],
    ['bob', 'bob', 'admin'],
    ['plain', 'ann', 'write'],
  ] as const)
    keys[name] = String(JSON.parse((await runProgram(['keys', 'create', '--owner', owner, '--right', right, ...OWN])).out).key)
  server = await startConsoleServer({ folder })
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

async function send(
  key: string,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<{ readonly status: number; readonly body: Json }> {
  const response = await fetch(`${server.url}/v1/imports${path}`, {
    method,
    headers: { Authorization: `Bearer ${keys[key]}`, ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}) },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

async function finished(key: string, id: unknown): Promise<Json> {
  const state = await vi.waitFor(async () => {
    const { body } = await send(key, 'GET', `/${id}`)
    expect(body.state).not.toBe('running')
    return body
  }, EVENTUALLY)
  return state
}

test('a file in parts is previewed, committed with the token of its preview, and reported', async () => {
  const fixture = gunzipSync(readFileSync(fileURLToPath(new URL('../import/fixtures/claude-mem.db.gz', import.meta.url))))
  const created = await send('ann', 'POST', '?name=claude-mem.db', new Uint8Array(fixture.subarray(0, 5000)))
  expect(created).toMatchObject({ status: 201, body: { bytes: 5000, state: 'uploaded' } })
  const { id } = created.body
  await send('ann', 'POST', `/${id}/parts`, new Uint8Array(fixture.subarray(5000)))
  const early = await send('ann', 'POST', `/${id}/commit`, '{"token":"guessed"}')
  expect(early.status).toBe(409)
  const { body: preview } = await send('ann', 'POST', `/${id}/preview`, '{}')
  expect(preview).toMatchObject({ preview: true, facts: 7, found: [{ format: 'claude-mem', path: expect.not.stringContaining('/') }] })
  expect((await runProgram(['list', '--owner', 'ann', ...OWN])).out).toContain('"total":0')
  const token = JSON.stringify({ token: preview.token })
  expect(await send('ann', 'POST', `/${id}/commit`, token)).toMatchObject({ status: 202 })
  const done = await finished('ann', id)
  expect(done).toMatchObject({ state: 'done', report: { facts: 7, run: expect.stringMatching(/^import:claude-mem:/) } })
  expect((await send('ann', 'POST', `/${id}/commit`, token)).status).toBe(409)
  expect((await send('ann', 'DELETE', `/${id}`)).status).toBe(204)
  expect((await send('ann', 'GET', `/${id}`)).status).toBe(404)
})

test('an added part invalidates the token, and the commit uses the options of the preview', async () => {
  const { body: created } = await send('ann', 'POST', '?name=table.csv', bytes('note,created\nOne,2024-01-01\n'))
  const options = JSON.stringify({ map: ['content=note,date=created'] })
  const first = await send('ann', 'POST', `/${created.id}/preview`, options)
  await send('ann', 'POST', `/${created.id}/parts`, bytes('Two,2024-01-02\n'))
  expect((await send('ann', 'POST', `/${created.id}/commit`, JSON.stringify({ token: first.body.token }))).status).toBe(409)
  const second = await send('ann', 'POST', `/${created.id}/preview`, options)
  expect(second.body).toMatchObject({ facts: 2 })
  await send('ann', 'POST', `/${created.id}/commit`, JSON.stringify({ token: second.body.token }))
  expect(await finished('ann', created.id)).toMatchObject({ state: 'done', report: { facts: 2 } })
})

test('uploads belong to the key that sent them, need the right to import, and reach no file of the server', async () => {
  expect((await send('plain', 'POST', '?name=a.md', bytes('- x\n'))).status).toBe(403)
  const { body: created } = await send('ann', 'POST', '?name=../../../a.md', bytes('- Ann keeps bees\n'))
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '/parts', bytes('x')],
    ['POST', '/preview', '{}'],
    ['DELETE', '', undefined],
  ] as const)
    expect((await send('bob', method, `/${created.id}${path}`, body)).status).toBe(404)
  const paths = await send('ann', 'POST', `/${created.id}/preview`, JSON.stringify({ paths: ['/etc/hosts'] }))
  expect(paths).toMatchObject({ status: 400, body: { detail: 'Unknown argument: paths' } })
  const other = await send('ann', 'POST', `/${created.id}/preview`, JSON.stringify({ owner: 'bob' }))
  await send('ann', 'POST', `/${created.id}/commit`, JSON.stringify({ token: other.body.token }))
  expect(await finished('ann', created.id)).toMatchObject({ state: 'failed', error: { code: 'forbidden' } })
  expect((await runProgram(['list', '--owner', 'bob', ...OWN])).out).toContain('"total":0')
})
