import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOCAL_PRINCIPAL } from '../../src/contracts/operation.js'
import { gardenOf } from '../../src/core/access/garden.js'
import { createGarden } from '../../src/engine/access/gardens.js'
import { listFacts } from '../../src/engine/facts/list-facts.js'
import { addPeer, listPeers } from '../../src/engine/federation/peers.js'
import { createPolicy } from '../../src/engine/stigmem/decay.js'
import { exportLines, importLines } from '../../src/engine/transfer/transfer.js'
import { aFact } from '../contract/samples.js'
import { type House, openHouse } from './house.js'

describe('gardens', () => {
  let house: House
  let ann: string
  let bob: string
  beforeEach(async () => {
    house = await openHouse()
    ann = (await house.key({ entity: 'user:ann' })).key
    bob = (await house.key({ entity: 'user:bob' })).key
  })
  afterEach(() => house.close())

  const make = (body: object = {}, key = ann) =>
    house.ask('POST', '/v1/gardens', { key, body: { slug: 'den', name: 'The den', scope: 'team', ...body } })
  const members = (path = '', slug = 'den'): string => `/v1/gardens/${slug}/members${path}`
  const put = (fact: Parameters<typeof aFact>[0]) =>
    house.opened.backend.store.commit({ actor: 'test', owners: ['ann'] }, () => [
      { op: 'fact.put', fact: aFact({ owner: 'ann', ...fact }) },
    ])
  const code = (body: Readonly<Record<string, unknown>>): unknown => Reflect.get(Object(body.error), 'code')

  it('repair 36: a new member costs the journal one member, and members are limited', async () => {
    await make()
    const { store } = house.opened.backend
    for (let i = 0; i < 40; i++)
      expect((await house.ask('PUT', members(`/user:m${i}`), { key: ann, body: { role: 'reader' } })).status).toBe(201)
    const entries = (await store.journal({ limit: 1000 })).filter(
      ({ op, targetKind }) => op === 'arrangement.put' && targetKind === 'garden',
    )
    const sizes = entries.map(({ before, after }) => JSON.stringify([before, after]).length)
    expect(Math.max(...sizes)).toBeLessThan(2000)
    const last = JSON.stringify(entries.at(-1))
    expect([last.includes('user:m39'), last.includes('user:m38')]).toEqual([true, false])
    const [stored] = await store.arrangements({ kind: 'garden', owner: 'ann' })
    if (stored === undefined) throw new Error('no garden')
    const role = { role: 'reader', addedBy: 'user:ann', addedAt: 1 }
    const full = Object.fromEntries(Array.from({ length: 959 }, (_, i) => [`user:x${i}`, role]))
    const data = { ...stored.data, members: { ...Object(stored.data.members), ...full } }
    await store.commit({ actor: 'test', owners: ['ann'] }, () => [
      { op: 'arrangement.put', arrangement: { ...stored, data, version: stored.version + 1 } },
    ])
    const refused = await house.ask('PUT', members('/user:late'), { key: ann, body: { role: 'reader' } })
    expect([refused.status, code(refused.body)]).toEqual([413, 'too_many_members'])
    // Those who are in may still be changed.
    expect((await house.ask('PUT', members('/user:m1'), { key: ann, body: { role: 'writer' } })).status).toBe(200)
  })

  it('are created by a writer, their first admin, and visible to members only', async () => {
    const made = await make()
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        slug: 'den',
        garden_id: 'stigmem://local/garden/den',
        scope: 'team',
        quarantine: false,
        members: [{ entity_uri: 'user:ann', role: 'admin' }],
      },
    ])
    expect((await make()).status).toBe(409)
    expect((await house.ask('GET', '/v1/gardens', { key: ann })).body).toMatchObject({ total: 1, gardens: [{ slug: 'den' }] })
    expect((await house.ask('GET', '/v1/gardens', { key: bob })).body).toEqual({ gardens: [], total: 0 })
    const hidden = await house.ask('GET', '/v1/gardens/den', { key: bob })
    const absent = await house.ask('GET', '/v1/gardens/den2', { key: bob })
    expect([hidden.status, hidden.text.replaceAll('den2', 'den')]).toEqual([absent.status, absent.text.replaceAll('den2', 'den')])
    expect(code(hidden.body)).toBe('garden_not_found')
    // Another owner's gardens are another's.
    const other = (await house.key({ owner: 'cy', entity: 'user:ann', rights: ['admin'] })).key
    expect((await house.ask('GET', '/v1/gardens/den', { key: other })).status).toBe(404)
    expect((await make({}, other)).status).toBe(201)
  })

  it('have members with roles, and keep their last admin', async () => {
    await make()
    const add = await house.ask('POST', members(), { key: ann, body: { entity_uri: 'User:Bob', role: 'reader' } })
    expect([add.status, add.body]).toMatchObject([201, { garden: 'den', entity_uri: 'user:bob', role: 'reader', added_by: 'user:ann' }])
    expect((await house.ask('POST', members(), { key: ann, body: { entity_uri: 'user:bob' } })).status).toBe(409)
    expect((await house.ask('GET', '/v1/gardens/den', { key: bob })).status).toBe(200)
    const refused = await house.ask('POST', members(), { key: bob, body: { entity_uri: 'user:cy' } })
    expect([refused.status, code(refused.body)]).toEqual([403, 'garden_access_denied'])
    expect((await house.ask('PATCH', members('/user:cy'), { key: ann, body: { role: 'writer' } })).status).toBe(404)
    expect((await house.ask('PATCH', members('/user:bob'), { key: ann, body: { role: 'writer' } })).status).toBe(200)
    const uri = 'https://example.com/people/cy'
    expect((await house.ask('PUT', members(`/${uri}`), { key: ann, body: { role: 'reader' } })).status).toBe(201)
    expect((await house.ask('PUT', members(`/${encodeURIComponent(uri)}`), { key: ann, body: { role: 'admin' } })).status).toBe(200)
    expect((await house.ask('DELETE', members(`/${uri}`), { key: ann })).status).toBe(204)
    expect((await house.ask('DELETE', members(`/${uri}`), { key: ann })).status).toBe(404)
    for (const answer of [
      await house.ask('DELETE', members('/user:ann'), { key: ann }),
      await house.ask('PATCH', members('/user:ann'), { key: ann, body: { role: 'reader' } }),
    ])
      expect([answer.status, code(answer.body)]).toEqual([403, 'last_admin'])
  })

  it('repair 5: return and list members as records', async () => {
    await make()
    const body = { entity_uri: 'user:bob', role: 'reader' }
    const record = { garden: 'den', entity_uri: 'user:bob', added_by: 'user:ann', added_at: expect.any(String) }
    const added = await house.ask('POST', members(), { key: ann, body })
    expect([added.status, added.body]).toEqual([201, { ...record, role: 'reader' }])
    const changed = await house.ask('PATCH', members('/user:bob'), { key: ann, body: { role: 'writer' } })
    expect([changed.status, changed.body]).toEqual([200, { ...record, role: 'writer' }])
    const put = await house.ask('PUT', members('/user:cy'), { key: ann, body: { role: 'reader' } })
    expect([put.status, put.body]).toMatchObject([201, { ...record, entity_uri: 'user:cy', role: 'reader' }])
    const again = await house.ask('PUT', members('/user:cy'), { key: ann, body: { role: 'admin' } })
    expect([again.status, again.body]).toMatchObject([200, { entity_uri: 'user:cy', role: 'admin' }])
    const listed = await house.ask('GET', members(), { key: bob })
    expect([listed.status, listed.body]).toMatchObject([
      200,
      { total: 3, members: [{ entity_uri: 'user:ann', role: 'admin' }, { ...record, role: 'writer' }, { entity_uri: 'user:cy' }] },
    ])
    const stranger = (await house.key({ owner: 'ann', entity: 'user:eve', rights: ['read', 'write'] })).key
    expect((await house.ask('GET', members(), { key: stranger })).status).toBe(404)
  })

  it('do not confuse members with inherited names', async () => {
    await make({ slug: 'constructor' })
    await house.ask('POST', '/v1/facts', {
      key: ann,
      body: { entity: 'user:x', relation: 'memory:plan', value: { type: 'text', v: 'treasure' }, garden_id: 'constructor' },
    })
    const list = async (key: string) => (await house.ask('GET', '/v1/facts', { key })).body.total
    expect([await list(ann), await list(bob)]).toEqual([1, 0])
    for (const name of ['constructor', '__proto__', 'tostring']) {
      const at = members(`/${name}`, 'constructor')
      expect((await house.ask('DELETE', at, { key: ann })).status, name).toBe(404)
      expect((await house.ask('POST', members('', 'constructor'), { key: ann, body: { entity_uri: name } })).status, name).toBe(201)
      expect((await house.ask('DELETE', at, { key: ann })).status, name).toBe(204)
    }
  })

  it('accept concurrent additions and removals of members', async () => {
    await make()
    const names = Array.from({ length: 12 }, (_, i) => `user:m${i}`)
    const added = await Promise.all(names.map((name) => house.ask('POST', members(), { key: ann, body: { entity_uri: name } })))
    expect(added.map(({ status }) => status)).toEqual(names.map(() => 201))
    const gone = await Promise.all(names.map((name) => house.ask('DELETE', members(`/${name}`), { key: ann })))
    expect(gone.map(({ status }) => status)).toEqual(names.map(() => 204))
    expect((await house.ask('GET', '/v1/gardens/den', { key: ann })).body.members).toHaveLength(1)
  })

  it('change the access of a key immediately, in both directions', async () => {
    await make()
    await put({ id: 'g1', text: 'The den is behind the mill', scope: 'team', garden: 'den' })
    const reach = async (key: string) => (await house.engine.keyRing.verify(key))?.reach
    expect(await reach(bob)).toMatchObject({ owners: [{ gardens: [], writes: [] }] })
    await house.ask('PUT', members('/user:bob'), { key: ann, body: { role: 'reader' } })
    expect(await reach(bob)).toMatchObject({ owners: [{ gardens: ['den'], writes: [] }] })
    await house.ask('PUT', members('/user:bob'), { key: ann, body: { role: 'writer' } })
    expect(await reach(bob)).toMatchObject({ owners: [{ gardens: ['den'], writes: ['den'] }] })
    await house.ask('DELETE', members('/user:bob'), { key: ann })
    expect(await reach(bob)).toMatchObject({ owners: [{ gardens: [] }] })
    const granted = (await house.key({ entity: 'user:dee', gardens: { den: 'reader' } })).key
    expect(await reach(granted)).toMatchObject({ owners: [{ gardens: ['den'], writes: [] }] })
    // Contracts without gardens return no facts of a garden to any key.
    for (const key of [ann, granted, (await house.key({ rights: ['admin'] })).key])
      expect((await house.ask('POST', '/v1/memory/list_memories', { key, body: {} })).text).not.toContain('behind the mill')
  })

  it('are hidden from local users too in contracts without gardens', async () => {
    const open = await openHouse({ auth: 'none' })
    try {
      const tools = ['list_memories', 'search_text', 'recall', 'get_valid'] as const
      const ask = async (tool: string) =>
        (await open.ask('POST', `/v1/memory/${tool}`, { body: tool === 'list_memories' || tool === 'get_valid' ? {} : { query: 'mill' } }))
          .text
      const by = { principal: LOCAL_PRINCIPAL, actor: 'test' }
      await createGarden(open.engine.context(), by, { slug: 'den', name: 'den', scope: 'team', description: null, quarantine: false })
      const facts = [aFact({ id: 'g1', text: 'The den is behind the mill', garden: 'den' }), aFact({ id: 'o1', text: 'The mill is old' })]
      await open.opened.backend.store.commit({ actor: 'test', owners: ['ann'] }, () => facts.map((fact) => ({ op: 'fact.put', fact })))
      for (const tool of tools) {
        const text = await ask(tool)
        expect([tool, text.includes('The mill is old'), text.includes('behind the mill')]).toEqual([tool, true, false])
      }
    } finally {
      await open.close()
    }
  })

  it('keep their facts for administrators after deletion, and never free their slug', async () => {
    await make()
    await put({ id: 'g1', text: 'The den is behind the mill', scope: 'team', garden: 'den' })
    expect((await house.ask('DELETE', '/v1/gardens/den', { key: bob })).status).toBe(404)
    expect((await house.ask('DELETE', '/v1/gardens/den', { key: ann })).status).toBe(204)
    expect((await house.ask('GET', '/v1/gardens/den', { key: ann })).status).toBe(404)
    expect((await make({}, bob)).status).toBe(409)
    const verify = async (key: string) => house.engine.keyRing.verify(key)
    const admin = await verify((await house.key({ rights: ['admin'] })).key)
    const [former] = [await verify(ann)]
    const seen = async (principal: typeof admin) =>
      principal === undefined
        ? []
        : (await listFacts(house.engine.context({ principal }), { limit: 10, offset: 0 })).facts.map(({ id }) => id)
    expect([await seen(admin), await seen(former)]).toEqual([['g1'], []])
  })

  it('of quarantine hide facts until a moderator promotes or rejects them', async () => {
    await make({ slug: 'gate', quarantine: true })
    await make({ slug: 'loft' })
    for (const id of ['q1', 'q2', 'q3']) await put({ id, text: `Waits as ${id}`, scope: 'team', garden: 'gate', quarantine: 'pending' })
    const decide = (what: string, body: object, key: string) => house.ask('POST', `/v1/gardens/gate/${what}`, { key, body })
    expect((await decide('promote', { fact_id: 'q1', reason: 'x' }, bob)).status).toBe(404)
    await house.ask('PUT', members('/user:bob', 'gate'), { key: ann, body: { role: 'writer' } })
    expect((await decide('promote', { fact_id: 'q1', reason: 'x' }, bob)).status).toBe(403)
    await house.ask('PUT', members('/user:bob', 'gate'), { key: ann, body: { role: 'quarantine:moderator' } })
    expect((await decide('promote', { fact_id: 'q1', reason: 'x', target_garden_id: 'loft' }, bob)).status).toBe(404)
    expect((await decide('promote', { fact_id: 'q1', reason: 'known source' }, bob)).body).toEqual({
      fact_id: 'q1',
      quarantine_status: 'promoted',
      garden_id: null,
    })
    expect((await decide('reject', { fact_id: 'q2', reason: 'no source' }, bob)).body).toMatchObject({ quarantine_status: 'rejected' })
    expect(
      (await decide('promote', { fact_id: 'q3', reason: 'x', target_garden_id: 'stigmem://local/garden/loft' }, ann)).body,
    ).toMatchObject({
      garden_id: 'stigmem://local/garden/loft',
    })
    expect((await decide('reject', { fact_id: 'q1', reason: 'x' }, bob)).status).toBe(404)
    expect((await decide('promote', { fact_id: 'q2', reason: 'x' }, bob)).status).toBe(409)
    const facts = await house.opened.backend.store.facts(['q1', 'q2', 'q3'])
    expect(facts.map(({ garden, quarantine, status, confidence }) => [garden, quarantine, status, confidence])).toMatchObject([
      [null, 'promoted', 'active', 1],
      ['gate', 'rejected', 'retracted', 0],
      ['loft', 'promoted', 'active', 1],
    ])
    expect((await house.ask('POST', '/v1/gardens/loft/promote', { key: ann, body: { fact_id: 'q3' } })).status).toBe(422)
    const [, entry] = await house.opened.backend.store.journal({ owner: 'ann', target: 'q2', limit: 10 })
    expect([entry?.reason, entry?.actor]).toEqual(['no source', expect.stringMatching(/^key:[a-z0-9]{20} http$/u)])
  })

  it('are exported with policies and peers, but not keys', async () => {
    await make()
    await house.ask('PUT', members('/user:bob'), { key: ann, body: { role: 'writer' } })
    const by = { principal: { ...LOCAL_PRINCIPAL, owner: 'ann' }, actor: 'test' }
    await createPolicy(house.engine.context(), by, { relation: 'a:*', half_life_s: 60 })
    const peer = {
      owner: 'ann',
      url: 'http://127.0.0.1:1',
      publicKey: 'A'.repeat(43),
      scopes: ['public'],
      trust: 0.5,
      pull: true,
      push: false,
    }
    await addPeer(house.engine.context(), 'test', { ...peer, scopes: ['public'] })
    const lines: string[] = []
    for await (const line of exportLines(house.engine.context(), { owner: undefined, history: false })) lines.push(line)
    expect(lines.join()).not.toContain('"kind":"key"')
    const other = await openHouse()
    const read = async () =>
      importLines(other.engine.context(), listed(lines), { actor: 'test', signal: AbortSignal.timeout(60_000), progress: () => undefined })
    expect((await read()).arrangements).toBe(3)
    expect((await read()).arrangements).toBeUndefined()
    const { store } = other.opened.backend
    expect((await store.arrangements({ kind: 'garden', owner: 'ann' })).map(gardenOf)).toMatchObject([
      { slug: 'den', members: { 'user:bob': { role: 'writer' } } },
    ])
    expect(await store.arrangements({ kind: 'policy', owner: 'ann' })).toMatchObject([{ data: { relation: 'a:*' } }])
    expect(await listPeers(other.engine.context())).toMatchObject([{ url: 'http://127.0.0.1:1', cursor: null }])
    expect(await other.engine.keyRing.any()).toBe(false)
    await other.close()
  })

  it('reject malformed input', async () => {
    for (const body of [
      { slug: 'Den' },
      { slug: '' },
      { slug: '-x' },
      { slug: 'x'.repeat(64) },
      { slug: 'x', scope: 'world' },
      { slug: 'x', name: '' },
      { slug: 'x', more: 1 },
    ]) {
      const { status, body: answer } = await make(body)
      expect([JSON.stringify(body), status, code(answer)]).toEqual([JSON.stringify(body), 422, 'invalid_input'])
    }
    await make()
    expect((await house.ask('POST', members(), { key: ann, body: { entity_uri: '', role: 'reader' } })).status).toBe(400)
    expect((await house.ask('POST', members(), { key: ann, body: { entity_uri: 'a\u0000b' } })).status).toBe(400)
    expect((await house.ask('POST', members(), { key: ann, body: { entity_uri: 'user:x', role: 'king' } })).status).toBe(422)
    expect((await house.ask('POST', '/v1/gardens', { key: ann, body: '{' })).status).toBe(400)
    expect((await house.ask('GET', '/v1/gardens?x=1', { key: ann })).status).toBe(422)
    expect((await house.ask('GET', '/v1/gardens/%zz', { key: ann })).status).toBe(400)
    const wrong = await house.ask('PUT', '/v1/gardens', { key: ann, body: {} })
    expect([wrong.status, wrong.headers.get('allow'), code(wrong.body)]).toEqual([405, 'POST, GET', 'method_not_allowed'])
    const typed = await house.ask('POST', '/v1/gardens', {
      key: ann,
      body: 'slug=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([typed.status, code(typed.body), typed.body.detail]).toEqual([
      415,
      'unsupported_type',
      'The body must be sent as application/json.',
    ])
  })
})

async function* listed(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
