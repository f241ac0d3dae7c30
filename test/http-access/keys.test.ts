import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeyRing } from '../../src/engine/access/keys.js'
import { listEntries } from '../../src/engine/history/entries.js'
import { exportLines } from '../../src/engine/transfer/transfer.js'
import { EVENTUALLY } from '../eventually.js'
import { type House, openHouse } from './house.js'

const remember = (content: string, more: object = {}) => ({ content, ...more })

describe('keys', () => {
  let house: House
  beforeEach(async () => {
    house = await openHouse()
  })
  afterEach(() => house.close())

  it('are required on every route once one exists', async () => {
    expect((await house.ask('POST', '/v1/memory/list_memories', { body: {} })).status).toBe(200)
    await house.key({})
    for (const [method, path] of [
      ['POST', '/v1/memory/list_memories'],
      ['GET', '/v1/openapi.json'],
      ['GET', '/v1/nothing/here'],
      ['POST', '/mcp'],
      ['POST', '/mcp/graph'],
      ['GET', '/mcp/nothing'],
      ['GET', '/metrics'],
      ['GET', '/v1'],
      ['DELETE', '/v1/auth/keys/x'],
    ] as const) {
      const { status, headers, body } = await house.ask(method, path, method === 'POST' ? { body: {} } : {})
      expect([path, status], path).toEqual([path, 401])
      expect(headers.get('www-authenticate')).toBe('Bearer realm="mneme"')
      expect(JSON.stringify(body)).toContain('This server asks for a key.')
    }
    for (const path of ['/healthz', '/readyz', '/']) expect((await house.ask('GET', path)).status, path).toBe(200)
  })

  it('grant access to their owner only', async () => {
    const ann = await house.key({})
    const bob = await house.key({ owner: 'bob', entity: 'user:bob' })
    const stored = await house.ask('POST', '/v1/memory/store_memory', { key: ann.key, body: remember('Herons nest on the hill') })
    expect(stored.status).toBe(200)
    const list = async (key: string, body: object = {}) => house.ask('POST', '/v1/memory/list_memories', { key, body })
    expect((await list(ann.key)).text).toContain('Herons')
    expect((await list(bob.key)).text).not.toContain('Herons')
    const foreign = await list(bob.key, { user_id: 'ann' })
    expect([foreign.status, foreign.body.error]).toMatchObject([403, { code: 'foreign_owner' }])
    expect((await list(bob.key, { user_id: 'bob' })).status).toBe(200)
    const everyone = await house.key({ owner: '*', entity: 'user:root' })
    expect((await list(everyone.key)).text).toContain('Herons')
    const [fact] = await house.opened.backend.store.listFacts({ limit: 1, offset: 0 })
    expect(fact?.owner).toBe('ann')
  })

  it('are rejected if changed, unknown, revoked or malformed', async () => {
    const { id, key } = await house.key({})
    const status = async (given: string) => (await house.ask('POST', '/v1/memory/list_memories', { key: given, body: {} })).status
    expect(await status(key)).toBe(200)
    const last = key.slice(-1)
    for (const wrong of [
      key.slice(0, -1) + (last === 'A' ? 'B' : 'A'),
      key.replace(id, 'a'.repeat(20)),
      `${key}x`,
      key.toUpperCase(),
      'mneme_',
      'null',
      `${'a'.repeat(50)}.${'b'.repeat(50)}.${'c'.repeat(50)}`,
      'x'.repeat(100_000),
    ])
      expect([wrong.slice(0, 30), await status(wrong)]).toEqual([wrong.slice(0, 30), 401])
    for (const authorization of ['', 'Bearer', 'Basic abc', `Bearer ${key} ${key}`, `Token ${key}`])
      expect((await house.ask('POST', '/v1/memory/list_memories', { body: {}, headers: { authorization } })).status, authorization).toBe(
        401,
      )
    await house.revoke(id)
    expect(await status(key)).toBe(401)
    expect(await house.engine.keyRing.any()).toBe(true)
  })

  it('revoked during a lookup are not cached as valid', async () => {
    const { id, key } = await house.key({})
    const { backend } = house.opened
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isHeld = (): void => undefined
    const held = new Promise<void>((resolve) => {
      isHeld = resolve
    })
    const digestOf: typeof backend.store.digestOf = async (...of) => {
      isHeld()
      await released
      return backend.store.digestOf(...of)
    }
    const ring = createKeyRing({ store: { ...backend.store, digestOf } })
    const early = ring.verify(key)
    await held
    await house.revoke(id)
    expect(await ring.verify('somebody else')).toBeUndefined()
    release()
    await early
    expect(await ring.verify(key)).toBeUndefined()
  })

  it('are stored as a hash, in no journal entry and no export', async () => {
    const { id, key } = await house.key({})
    const secret = key.slice(-43)
    expect(JSON.stringify(await house.opened.backend.store.journal({ limit: 100 }))).not.toContain(secret)
    let exported = ''
    for await (const line of exportLines(house.engine.context(), { owner: undefined, history: true })) exported += line
    expect(exported).not.toContain(secret)
    const digest = await house.opened.backend.store.digestOf('key', id)
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(exported).not.toContain(digest)
  })

  it('pasted into a memory are masked', async () => {
    const { key } = await house.key({})
    await house.ask('POST', '/v1/memory/store_memory', { key, body: remember(`my key is ${key}, keep it`) })
    const [fact] = await house.opened.backend.store.listFacts({ limit: 1, offset: 0 })
    expect(fact?.text).toBe('my key is [masked mneme key], keep it')
  })

  it('have their rights only', async () => {
    const reader = await house.key({ rights: ['read'] })
    const writer = await house.key({ rights: ['write'] })
    const admin = await house.key({ rights: ['admin'] })
    const call = async (key: string, tool: string, body: object) => (await house.ask('POST', `/v1/memory/${tool}`, { key, body })).status
    expect(await call(reader.key, 'list_memories', {})).toBe(200)
    expect(await call(reader.key, 'store_memory', remember('x'))).toBe(403)
    expect(await call(writer.key, 'store_memory', remember('Otters swim'))).toBe(200)
    expect(await call(writer.key, 'list_memories', {})).toBe(403)
    expect(await call(writer.key, 'reset_all_memory', { confirm: true })).toBe(403)
    expect(await call(admin.key, 'list_memories', {})).toBe(200)
    expect((await house.ask('GET', '/v1/auth/keys', { key: reader.key })).status).toBe(403)
    const listed = await house.ask('GET', '/v1/auth/keys', { key: admin.key })
    expect(listed.status).toBe(200)
    for (const { key } of [reader, writer, admin]) expect(listed.text).not.toContain(key.slice(-43))
  })

  it('are created and revoked over HTTP by administrators, within their own access', async () => {
    const admin = await house.key({ rights: ['admin'] })
    const make = (body: unknown, key = admin.key) => house.ask('POST', '/v1/auth/keys', { key, body })
    const made = await make({ owner: 'ann', entity: 'user:cy', scopes: ['public', 'team'], gardens: ['den:writer'], rights: ['read'] })
    expect([made.status, Object.keys(made.body).sort()]).toEqual([201, ['id', 'key']])
    expect((await make({ owner: 'bob' })).status).toBe(403)
    expect((await make({ owner: '*' })).status).toBe(403)
    expect((await make({ owner: 'ann', rights: ['federated'] })).status).toBe(403)
    for (const bad of [
      {},
      { owner: 7 },
      { owner: 'ann', rights: ['all'] },
      { owner: 'ann', scopes: ['x'] },
      { owner: 'ann', gardens: ['den:king'] },
      { owner: 'ann', x: 1 },
      [],
    ]) {
      const { status, body } = await make(bad)
      expect([JSON.stringify(bad), status, body.error]).toMatchObject([JSON.stringify(bad), 422, { code: 'invalid_input' }])
    }
    const { body } = await house.ask('GET', '/v1/auth/keys', { key: admin.key })
    expect(body.keys).toContainEqual(
      expect.objectContaining({ id: made.body.id, entity: 'user:cy', gardens: { den: 'writer' }, revoked_at: null }),
    )
    const gone = await house.ask('DELETE', `/v1/auth/keys/${String(made.body.id)}`, { key: admin.key })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await house.ask('DELETE', '/v1/auth/keys/nobody', { key: admin.key })).status).toBe(404)
    // A key cannot revoke one with more rights, but can be revoked by it.
    const small = await house.key({ rights: ['admin'], scopes: ['public'] })
    for (const above of [admin, await house.key({ scopes: ['public'], rights: ['read', 'federated'] })]) {
      const kept = await house.ask('DELETE', `/v1/auth/keys/${above.id}`, { key: small.key })
      expect([kept.status, kept.body.detail]).toEqual([403, expect.stringContaining('cannot revoke one that has')])
    }
    const second = await house.key({ scopes: ['public'], rights: ['read'] })
    expect((await house.ask('DELETE', `/v1/auth/keys/${second.id}`, { key: small.key })).status).toBe(204)
    expect((await house.ask('DELETE', `/v1/auth/keys/${small.id}`, { key: admin.key })).status).toBe(204)
    // Of another owner there is none.
    const bob = await house.key({ owner: 'bob', entity: 'user:bob' })
    expect((await house.ask('DELETE', `/v1/auth/keys/${bob.id}`, { key: admin.key })).status).toBe(404)
  })

  it('limited to some scopes grant no access to contracts without scopes', async () => {
    const { key } = await house.key({ scopes: ['public'] })
    const refused = await house.ask('POST', '/v1/memory/list_memories', { key, body: {} })
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'missing_scopes' }])
  })

  it('are named in the journal, also when refused', async () => {
    const { id, key } = await house.key({ rights: ['write'] })
    await house.ask('POST', '/v1/memory/store_memory', { key, body: remember('Otters swim') })
    await house.ask('POST', '/v1/memory/list_memories', { key, body: {} })
    await house.ask('POST', '/v1/memory/list_memories', { key, body: {} })
    await house.ask('POST', '/v1/memory/list_memories', { body: {} })
    const entries = async () => (await listEntries(house.engine.context(), { limit: 50 })).entries
    await expect.poll(async () => (await entries()).filter(({ op }) => op === 'denial').length, EVENTUALLY).toBe(2)
    expect((await entries()).find(({ op }) => op === 'fact.put')?.actor).toBe(`key:${id} http`)
    const denials = (await entries()).filter(({ op }) => op === 'denial').map(({ target, reason }) => `${target}: ${reason}`)
    expect(denials.sort()).toEqual([`key:${id}: list_memories: missing_right`, 'no key: unauthenticated'])
  })
})

describe('rate limit of a key', () => {
  it('applies and states the delay; an open server has none', async () => {
    const house = await openHouse({ rateLimit: 3 })
    try {
      for (let i = 0; i < 6; i++) expect((await house.ask('GET', '/v1/openapi.json')).status).toBe(200)
      const { key } = await house.key({})
      const other = await house.key({})
      const statuses = []
      for (let i = 0; i < 5; i++) statuses.push((await house.ask('GET', '/v1/openapi.json', { key })).status)
      expect(statuses).toEqual([200, 200, 200, 429, 429])
      const refused = await house.ask('GET', '/v1/openapi.json', { key })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.body.error).toMatchObject({ code: 'rate_limited' })
      expect((await house.ask('GET', '/v1/openapi.json', { key: other.key })).status).toBe(200)
    } finally {
      await house.close()
    }
  })
})
