import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram, temporaryFolder } from '../wire/program.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

let server: ConsoleServer
let cookie: string

beforeAll(async () => {
  server = await startConsoleServer()
  cookie = await server.signIn()
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

const signIn = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${server.url}/console/session`, {
    method: 'POST',
    headers: { Origin: server.url, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** `fetch` sets the Host header itself. */
const statusFor = (path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${server.url}${path}`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

describe('signing in', () => {
  test('a code is good for one session, and a used one says how to get another', async () => {
    const code = await server.code()
    expect((await signIn({ code })).status).toBe(200)
    const again = await signIn({ code })
    expect(again.status).toBe(401)
    expect(await again.json()).toMatchObject({ error: { code: 'spent_code', hint: 'Run `mneme console` for a new one.' } })
    expect((await signIn({ code: 'guessed' })).status).toBe(401)
    expect((await signIn({})).status).toBe(400)
  })

  test('a code is given to who can read the data directory, and to no page', async () => {
    const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${server.url}/console/code`, { method: 'POST', headers })
    expect((await ask({})).status).toBe(403)
    expect((await ask({ Authorization: 'Bearer wrong' })).status).toBe(403)
    expect((await ask({ Authorization: 'Bearer wrong', Origin: server.url })).status).toBe(403)
  })

  test('the cookie is out of reach of scripts and of other sites', async () => {
    const header = (await signIn({ code: await server.code() })).headers.get('set-cookie') ?? ''
    expect(header).toMatch(/^mneme-console-\d+=[\w-]{40,}; Path=\/console; HttpOnly; SameSite=Strict$/)
  })

  test('an ended session is rejected', async () => {
    const own = await server.signIn()
    expect((await server.call(own, 'console/settings', {})).status).toBe(200)
    const headers = { Origin: server.url, 'Sec-Fetch-Site': 'same-origin', Cookie: own }
    expect((await fetch(`${server.url}/console/session`, { method: 'DELETE', headers })).status).toBe(200)
    const refused = await server.call(own, 'console/settings', {})
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ error: { message: 'You are not signed in.' } })
  })
})

describe('requests that no page of the console has sent', () => {
  test('are refused without the cookie, from other origins and ports, and from other sites', async () => {
    expect((await server.call('', 'console/settings', {})).status).toBe(401)
    for (const headers of [
      { Origin: 'http://127.0.0.1:1' },
      { Origin: 'http://localhost:5173' },
      { Origin: 'https://example.com' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ])
      expect((await server.call(cookie, 'console/settings', {}, headers)).status, JSON.stringify(headers)).toBe(403)
    const plain = { method: 'POST', headers: { Cookie: cookie, 'Content-Type': 'application/json' }, body: '{}' }
    expect((await fetch(`${server.url}/console/api/console/settings`, plain)).status).toBe(403)
    expect((await fetch(`${server.url}/console/events`, { headers: { Cookie: cookie } })).status).toBe(403)
    expect((await fetch(`${server.url}/console/events`, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status).toBe(401)
  })

  test('are refused under a name that the server does not have', async () => {
    const own = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    expect(await statusFor('/console/session', { ...own, Host: 'attacker.example' })).toBe(403)
    expect(await statusFor('/console/', { Host: 'attacker.example:80' })).toBe(403)
  })
})

describe('what is served', () => {
  test('pages allow nothing of other origins, no inline script and no frame around them', async () => {
    const response = await fetch(`${server.url}/console/browse`)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    const html = await response.text()
    expect(html).not.toMatch(/<script(?![^>]*src=)|style=|https?:\/\//)
  })

  test('all files together stay below 150 KB as they are sent', async () => {
    let bytes = 0
    for (const name of ['', 'app.js', 'app.css', 'icon.svg']) {
      const response = await fetch(`${server.url}/console/${name}`, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(response.status).toBe(200)
      bytes += Number(response.headers.get('content-length') ?? (await response.arrayBuffer()).byteLength)
    }
    expect(bytes).toBeLessThan(150 * 1024)
  })

  test('operations of the console are in no listing, on no other path, and no command', async () => {
    const index: { readonly mcp: readonly string[] } = JSON.parse(await (await fetch(`${server.url}/`)).text())
    expect(index.mcp).not.toContain('/mcp/console')
    expect((await fetch(`${server.url}/v1/console/overview`, { method: 'POST' })).status).toBe(404)
    expect(await (await fetch(`${server.url}/v1/openapi.json`)).text()).not.toContain('/v1/console')
    const help = await runProgram(['--help'])
    expect(help.out).toContain('console')
    expect(help.out).not.toContain('overview')
  })

  test('an unknown operation and an unknown file are refused by name', async () => {
    const refused = await server.call(cookie, 'console/brows', {})
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ error: { message: 'The console has no operation console/brows.' } })
    expect((await fetch(`${server.url}/console/none.js`)).status).toBe(404)
  })
})

describe('a server with keys', () => {
  test('takes a key in place of a code, shows what the key may see, and ends the session with the key', async () => {
    const folder = temporaryFolder()
    const cli = async (...args: readonly string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await runProgram([...args, '--data-dir', folder, '--embedder', 'hash', '--output', 'json'])).out)
    await cli('remember', 'Ann keeps bees', '--user-id', 'ann')
    await cli('remember', 'Bob keeps wasps', '--user-id', 'bob')
    const key = await cli('keys', 'create', '--owner', 'ann')
    const keyed = await startConsoleServer({ folder })
    try {
      await expect(keyed.signIn()).rejects.toThrow('This server asks for a key.')
      await expect(keyed.signIn({ key: 'wrong' })).rejects.toThrow()
      const own = await keyed.signIn({ key: String(key.key) })
      const ask = async (tool: string, input: object = {}): Promise<string> => (await keyed.call(own, tool, input)).text()
      const answers = await Promise.all([
        ask('console/browse', { facets: true, histogram: true }),
        ask('console/overview', { today: '2020-01-01T00:00:00Z' }),
        ask('console/activity'),
        ask('console/review'),
        ask('console/told'),
        ask('console/entities'),
        ask('console/timeline', { from: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }),
        ask('console/ask', { question: 'who keeps wasps' }),
      ])
      expect(answers[0]).toContain('Ann keeps bees')
      for (const answer of answers) expect(answer).not.toMatch(/wasps(?!")|bob/i)
      expect((await keyed.call(own, 'console/settings', {})).status).toBe(403)
      await cli('keys', 'revoke', String(key.id))
      const refused = await keyed.call(own, 'console/browse', {})
      expect(refused.status).toBe(401)
    } finally {
      await keyed.stop()
    }
  })

  test('works behind a proxy with a prefix, where pages come from the public address', async () => {
    const proxied = await startConsoleServer({
      flags: [
        '--public-url',
        'https://memory.example/team',
        '--allowed-hosts',
        'memory.example',
        '--allowed-origins',
        'https://memory.example',
      ],
    })
    try {
      const headers = { Origin: 'https://memory.example', 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
      const body = JSON.stringify({ code: await proxied.code() })
      const response = await fetch(`${proxied.url}/console/session`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      expect(response.headers.get('set-cookie')).toMatch(/Path=\/team\/console; HttpOnly; SameSite=Strict; Secure$/)
      expect((await fetch(`${proxied.url}/console`, { redirect: 'manual' })).headers.get('location')).toBe('console/')
    } finally {
      await proxied.stop()
    }
  })
})
