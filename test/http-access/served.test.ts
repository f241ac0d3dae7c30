import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { type Program, removeTemporaryFolders, runProgram, startProgram, temporaryFolder } from '../wire/program.js'

// The built program as people run it: keys made by one process, asked for by another.
const HASH = ['--embedder', 'hash', '--log-level', 'error']
const running: Program[] = []
const clients: Client[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close().catch(() => undefined)))
  for (const { child } of running.splice(0)) child.kill('SIGTERM')
})
afterAll(removeTemporaryFolders)

async function serve(folder: string, ...more: readonly string[]): Promise<string> {
  const program = startProgram(['serve', '--port', '0', '--data-dir', folder, ...HASH, ...more])
  running.push(program)
  await program.sawError('listening on ')
  return /listening on (http:\S+)/u.exec(program.err())?.[1] ?? ''
}

const keySchema = z.object({ id: z.string(), key: z.string() })
const mneme = (folder: string, ...args: readonly string[]) => runProgram([...args, '--data-dir', folder, ...HASH])
async function newKey(folder: string, ...args: readonly string[]): Promise<z.output<typeof keySchema>> {
  const made = await mneme(folder, 'keys', 'create', '--owner', 'ann', ...args, '--json')
  expect([made.code, made.err]).toEqual([0, ''])
  return keySchema.parse(JSON.parse(made.out))
}

async function connect(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' })
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  clients.push(client)
  return client
}

describe('mneme keys', () => {
  it('are created, listed and revoked, and named in the history', async () => {
    const folder = temporaryFolder()
    const made = await newKey(folder, '--entity', 'user:ann', '--scope', 'public,team', '--scope', 'company', '--right', 'read,write,admin')
    const listed = await mneme(folder, 'keys', 'list')
    expect(listed.out).not.toContain(made.key)
    expect(JSON.parse(listed.out)).toMatchObject({
      keys: [
        {
          id: made.id,
          owner: 'ann',
          entity: 'user:ann',
          scopes: ['team', 'company', 'public'],
          rights: ['read', 'write', 'admin'],
          revoked_at: null,
        },
      ],
    })
    expect((await mneme(folder, 'keys', 'revoke', made.id)).code).toBe(0)
    expect((await mneme(folder, 'keys', 'revoke', 'nobody')).code).toBe(3)
    const history = await mneme(folder, 'history')
    expect(
      JSON.parse(history.out).changes.map(({ op, kind, target, reason }: Record<string, unknown>) => [op, kind, target, reason]),
    ).toEqual([
      ['arrangement.put', 'key', made.id, 'revoked'],
      ['arrangement.put', 'key', made.id, undefined],
    ])
    expect(history.out).not.toContain(made.key.slice(-43))
    for (const args of [
      ['keys', 'create'],
      ['keys', 'create', '--owner', 'a', '--right', 'king'],
      ['keys', 'made'],
      ['keys', 'revoke'],
    ])
      expect([args.join(' '), (await mneme(folder, ...args)).code]).toEqual([args.join(' '), 2])
  })

  it('are required on every address but loopback, and with --auth required', async () => {
    const folder = temporaryFolder()
    for (const [args, said] of [
      [['--host', '0.0.0.0'], 'there is no key yet'],
      [['--auth', 'required'], 'there is no key yet'],
      [['--host', '0.0.0.0', '--auth', 'none'], 'cannot be served without authentication'],
      [['--oauth-issuer', 'https://issuer.example'], 'oauthJwks is missing'],
      [['--oauth-issuer', 'https://issuer.example', '--oauth-jwks', join(folder, 'none.json')], 'cannot be read'],
    ] as const) {
      const ended = await mneme(folder, 'serve', '--port', '0', ...args)
      expect([ended.code, ended.err.includes('listening')]).toEqual([2, false])
      expect(ended.err).toContain(said)
    }
    const { key } = await newKey(folder)
    const url = await serve(folder, '--host', '0.0.0.0', '--allowed-hosts', 'localhost')
    const at = url.replace('0.0.0.0', '127.0.0.1')
    expect((await fetch(`${at}/v1/openapi.json`)).status).toBe(401)
    expect((await fetch(`${at}/v1/openapi.json`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200)
    expect((await fetch(`${at}/healthz`)).status).toBe(200)
    expect((await fetch(`${at}/readyz`)).status).toBe(200)
  })
})

describe('an MCP session', () => {
  it('belongs to the key that opened it, and ends when another process revokes the key', async () => {
    const folder = temporaryFolder()
    const [mine, other] = [await newKey(folder), await newKey(folder)]
    const url = await serve(folder)
    await expect(connect(url)).rejects.toThrow()
    await expect(connect(url, 'mneme_wrong')).rejects.toThrow()
    const client = await connect(url, mine.key)
    const stored = await client.callTool({ name: 'store_memory', arguments: { content: 'Herons nest on the hill' } })
    expect(stored.isError).toBe(false)
    const history = await mneme(folder, 'history', '--limit', '1')
    expect(JSON.parse(history.out).changes[0]).toMatchObject({ actor: `key:${mine.id} mcp:tester`, owner: 'ann' })
    const { transport } = client
    const session = transport instanceof StreamableHTTPClientTransport ? (transport.sessionId ?? '') : ''
    const ask = (key: string) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${key}`,
          'Mcp-Session-Id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' }),
      })
    expect((await ask(mine.key)).status).toBe(200)
    expect((await ask(other.key)).status).toBe(404)
    const metrics = async () => (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${other.key}` } })).text()
    expect(await metrics()).toContain('mneme_mcp_sessions 1')
    expect((await mneme(folder, 'keys', 'revoke', mine.id)).code).toBe(0)
    expect((await ask(mine.key)).status).toBe(401)
    // Also the stream that nothing asks on.
    await expect.poll(metrics, EVENTUALLY).toContain('mneme_mcp_sessions 0')
  })
})

describe('tokens of an issuer', () => {
  it('grant access to their owner by their scopes; expired, foreign and unsigned ones grant nothing', async () => {
    const folder = temporaryFolder()
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwks = join(folder, 'jwks.json')
    writeFileSync(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' }] }))
    const issuer = 'https://issuer.example'
    const url = await serve(folder, '--oauth-issuer', issuer, '--oauth-jwks', jwks)
    const token = (claims: Record<string, unknown> = {}, change: (jwt: SignJWT) => SignJWT = (jwt) => jwt) =>
      change(
        new SignJWT({ scope: 'mneme:read mneme:write', ...claims })
          .setProtectedHeader({ alg: 'ES256', kid: 'k' })
          .setIssuer(issuer)
          .setAudience(url)
          .setSubject('ann')
          .setExpirationTime('5m'),
      ).sign(privateKey)
    const client = await connect(url, await token())
    expect((await client.callTool({ name: 'store_memory', arguments: { content: 'Otters swim' } })).isError).toBe(false)
    const list = await client.callTool({ name: 'list_memories', arguments: {} })
    expect(JSON.stringify(list)).toContain('Otters swim')
    const status = async (given: string, body = {}) =>
      (
        await fetch(`${url}/v1/memory/list_memories`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${given}` },
          body: JSON.stringify(body),
        })
      ).status
    const [head, claims] = [{ alg: 'none' }, { iss: issuer, aud: url, sub: 'ann', exp: 9e9, scope: 'mneme:read' }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const foreign = await generateKeyPair('ES256')
    const cases: readonly (readonly [string, string, number])[] = [
      ['as it is', await token(), 200],
      ['of another owner', await token({}, (jwt) => jwt.setSubject('bob')), 200],
      ['expired', await token({}, (jwt) => jwt.setExpirationTime('-5m')), 401],
      [
        'without an end',
        await new SignJWT({ scope: 'mneme:read' })
          .setProtectedHeader({ alg: 'ES256' })
          .setIssuer(issuer)
          .setAudience(url)
          .setSubject('ann')
          .sign(privateKey),
        401,
      ],
      ['for another audience', await token({}, (jwt) => jwt.setAudience('https://other.example')), 401],
      ['of another issuer', await token({}, (jwt) => jwt.setIssuer('https://other.example')), 401],
      ['not yet valid', await token({}, (jwt) => jwt.setNotBefore('5m')), 401],
      [
        'by another key',
        await new SignJWT({ scope: 'mneme:read' })
          .setProtectedHeader({ alg: 'ES256' })
          .setIssuer(issuer)
          .setAudience(url)
          .setSubject('ann')
          .setExpirationTime('5m')
          .sign(foreign.privateKey),
        401,
      ],
      ['alg none', `${head}.${claims}.`, 401],
      ['oversized', await token({ fill: 'x'.repeat(7_000) }), 401],
      ['beyond all headers', await token({ fill: 'x'.repeat(20_000) }), 431],
      ['for everyone', await token({}, (jwt) => jwt.setSubject('*')), 401],
      ['without scopes', await token({ scope: '' }), 403],
    ]
    for (const [what, given, wanted] of cases) expect([what, await status(given)]).toEqual([what, wanted])
    expect(await status(await token(), { user_id: 'bob' })).toBe(403)
    const refused = await fetch(`${url}/mcp`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    ])
    const metadata = await (await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).json()
    expect(metadata).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [issuer], bearer_methods_supported: ['header'] })
  })
})
