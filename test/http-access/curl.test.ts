import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { removeTemporaryFolders, runProgram, startProgram, temporaryFolder } from '../wire/program.js'

// Responses to curl, from the first key to a revoked one. UPDATE_GOLDEN=1 rewrites them; read the difference.
const GOLDEN = 'test/golden/doors/curl.txt'
const update = process.env.UPDATE_GOLDEN === '1'
const run = promisify(execFile)
afterAll(removeTemporaryFolders)

const json = (body: object): readonly string[] => ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]
const fact = (more: object = {}) => ({
  ...{ entity: 'user:alice', relation: 'memory:role', value: { type: 'text', v: 'leads the harbour office' } },
  ...{ source: 'user:ann', scope: 'company', confidence: 0.9, timestamp: '2026-05-01T12:00:00.000Z' },
  ...more,
})

/** The calls, each with who makes it. */
const CALLS: readonly (readonly [who: string, path: string, ...args: (string | readonly string[])[]])[] = [
  ['nobody', '/healthz'],
  ['nobody', '/readyz'],
  ['nobody', '/v1/facts'],
  ['stranger', '/v1/facts'],
  ['ann', '/v1/facts', json(fact())],
  ['ann', '/v1/facts', json(fact())],
  ['ann', '/v1/facts', json(fact({ source: 'user:other' }))],
  ['ann', '/v1/facts?entity=user:alice'],
  ['ann', '/v1/facts?colour=red'],
  ['ann', '/v1/facts/%zz'],
  ['ann', '/v1/facts', '-X', 'DELETE'],
  ['ann', '/v1/facts', '-d', 'entity=x'],
  ['ann', '/v1/facts', ['-H', 'Content-Type: application/json', '-d', '{']],
  ['ann', '/v1/gardens', json({ slug: 'harbour', name: 'Harbour office', scope: 'company' })],
  ['ann', '/v1/facts', json(fact({ relation: 'memory:plan', garden_id: 'harbour' }))],
  ['bob', '/v1/facts?entity=user:alice'],
  ['bob', '/v1/facts?garden_id=harbour'],
  ['bob', '/v1/facts', json(fact({ source: 'user:bob' }))],
  ['ann', '/v1/gardens/harbour/members/user:bob', ['-X', 'PUT'], json({ role: 'reader' })],
  ['bob', '/v1/facts?garden_id=harbour'],
  ['bob', '/v1/auth/keys'],
  ['bob', '/v1/memory/list_memories', json({ user_id: 'someone' })],
  ['nobody', '/.well-known/oauth-protected-resource'],
  ['ann', '/nothing'],
]

/** What differs from run to run: ids, hashes, times, places. */
function masked(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, '<uuid>')
    .replace(/"id":"[a-z0-9]{20}"/gu, '"id":"<id>"')
    .replace(/\d{13}\.\d{3}/gu, '<hlc>')
    .replace(/20\d\d-\d\d-\d\dT(?!12:00:00\.000Z)[\d:.]+Z/gu, '<time>')
    .replace(/"version":"[^"]+"/gu, '"version":"<version>"')
}

it('responses to curl are unchanged', async () => {
  const folder = temporaryFolder()
  const settings = ['--data-dir', folder, '--embedder', 'none', '--log-level', 'error']
  const key = async (entity: string, ...rights: readonly string[]): Promise<string> =>
    JSON.parse((await runProgram(['keys', 'create', '--owner', 'acme', '--entity', entity, ...rights, ...settings, '--json'])).out).key
  const keys: Readonly<Record<string, string>> = {
    ann: await key('user:ann'),
    bob: await key('user:bob', '--right', 'read'),
    stranger: 'mneme_wrong',
  }
  const server = startProgram(['serve', '--port', '0', ...settings])
  await server.sawError('listening on ')
  const url = /listening on (http:\S+)/u.exec(server.err())?.[1] ?? ''
  const lines: string[] = []
  for (const [who, path, ...args] of CALLS) {
    const given = args.flat()
    const token = keys[who]
    const { stdout } = await run('curl', [
      ...['-sS', '-w', '\n%{http_code}', '--path-as-is', url + path],
      ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]),
      ...given,
    ])
    const at = stdout.lastIndexOf('\n')
    lines.push(`$ ${who}: curl ${[path, ...given].join(' ')}`, `${stdout.slice(at + 1)} ${masked(stdout.slice(0, at))}`, '')
  }
  server.child.kill('SIGTERM')
  const text = lines.join('\n')
  if (update) {
    mkdirSync(dirname(GOLDEN), { recursive: true })
    writeFileSync(GOLDEN, text)
  }
  expect(existsSync(GOLDEN)).toBe(true)
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'))
})
