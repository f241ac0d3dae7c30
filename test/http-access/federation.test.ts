import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type SignedFact, signedText } from '../../src/core/federation/wire-fact.js'
import { createGarden } from '../../src/engine/access/gardens.js'
import { remember } from '../../src/engine/facts/remember.js'
import { listPeers } from '../../src/engine/federation/peers.js'
import { syncWithPeer } from '../../src/engine/federation/sync-with-peer.js'
import { retractStatement } from '../../src/engine/stigmem/assert.js'
import { ask, facts, header, introduce, type Node, openNode, SPEAKER, sync, texts } from './nodes.js'

const nodes: Node[] = []
async function open(count: number): Promise<readonly Node[]> {
  const made = []
  for (let i = 0; i < count; i++) made.push(await openNode())
  nodes.push(...made)
  return made
}
afterEach(async () => void (await Promise.all(nodes.splice(0).map((node) => node.close()))))

const pair = async (): Promise<readonly [Node, Node]> => {
  const [a, b] = await open(2)
  if (a === undefined || b === undefined) throw new Error('no nodes')
  return [a, b]
}
describe('two nodes', () => {
  it('exchange shared facts signed and once, and nothing else', async () => {
    const [a, b] = await pair()
    await introduce(b, a)
    await createGarden(a.engine.context(), SPEAKER, { slug: 'den', name: 'Den', scope: 'public', description: null, quarantine: false })
    await a.assert({ value: { type: 'text', v: 'open' } })
    await a.assert({ relation: 'memory:plan', value: { type: 'text', v: 'firm' }, scope: 'company', derivedFrom: ['0'.repeat(64)] })
    await a.assert({ relation: 'memory:knows', value: { type: 'ref', v: 'user:bob' } })
    await a.assert({ relation: 'memory:l', value: { type: 'text', v: 'local' }, scope: 'local' })
    await a.assert({ relation: 'memory:t', value: { type: 'text', v: 'team' }, scope: 'team' })
    await a.assert({ relation: 'memory:g', value: { type: 'text', v: 'garden' }, garden: 'den' })
    await remember(a.engine.context(), { actor: 'test', connection: 'c' }, [{ text: 'a memory', scope: 'public' }])
    expect(await sync(b)).toMatchObject([{ pulled: 3, rejected: 0 }])
    expect(await texts(b)).toEqual(['open', 'firm', 'user:bob'])
    const [sent, firm] = (await facts(a)).filter(({ form }) => form === null)
    const [got, came] = await facts(b)
    expect(got).toMatchObject({
      id: sent?.id,
      hash: sent?.hash,
      hlc: sent?.hlc,
      eventAt: sent?.eventAt,
      source: sent?.source,
      receivedFrom: a.id,
      trust: 0.5,
    })
    expect(got?.attestation).toEqual({ attested: null, origin: a.id, key: a.publicKey, signature: expect.any(String) })
    expect([came?.derivedFrom, came?.scope]).toEqual([firm?.derivedFrom, 'company'])
    const near = await b.opened.backend.store.edges({ owner: 'default', limit: 10 })
    expect(near.filter(({ id, factId }) => id === factId).map(({ from, to, trust }) => [from, to, trust])).toEqual([
      ['user:ann', 'user:bob', 0.5],
    ])
    expect(await sync(b)).toMatchObject([{ pulled: 0 }])
    const entries = (await b.opened.backend.store.journal({ limit: 100 })).length
    await sync(b)
    expect((await b.opened.backend.store.journal({ limit: 100 })).length).toBe(entries)
    // What b says itself goes its own way.
    await b.assert({ relation: 'memory:b', value: { type: 'text', v: 'of b' } })
    expect(await texts(a)).not.toContain('of b')
  })

  it('push works in the other direction, and can be repeated', async () => {
    const [a, b] = await pair()
    await introduce(a, b, { pull: false, push: true })
    for (let i = 0; i < 7; i++) await a.assert({ relation: `memory:n${i}`, value: { type: 'number', v: i } })
    expect(await sync(a)).toMatchObject([{ pushed: 7, rejected: 0 }])
    expect(await texts(b)).toEqual([0, 1, 2, 3, 4, 5, 6])
    const { facts: page } = (await ask(a, await header(b, a))).body
    expect((await ask(b, await header(a, b), '/v1/federation/facts/push', { facts: page })).body).toMatchObject({
      accepted: 7,
      rejected: 0,
      errors: [],
    })
    expect((await texts(b)).length).toBe(7)
    expect(await sync(a)).toMatchObject([{ pushed: 0 }])
  })

  it('a conflict has the same id on both, and a retraction of a peer affects its facts only', async () => {
    const [a, b] = await pair()
    await introduce(b, a, {}, { pull: true })
    const mine = await a.assert({ relation: 'memory:role', value: { type: 'string', v: 'lead' }, source: 'agent:a' })
    await b.assert({ relation: 'memory:role', value: { type: 'string', v: 'guest' }, source: 'agent:a' })
    await sync(b)
    await sync(a)
    const conflicts = async (node: Node) => {
      const query = { owner: 'default', at: Date.now() * 1000, system: true, relation: 'stigmem:conflict:between' }
      return (await node.opened.backend.statements.statements(query, { limit: 10 })).items.map(({ subject }) => subject)
    }
    expect((await conflicts(a)).length).toBe(1)
    expect(await conflicts(a)).toEqual(await conflicts(b))
    await retractStatement(a.engine.context(), SPEAKER, { id: mine, reason: 'left' })
    await sync(b)
    const status = Object.fromEntries(
      (await facts(b))
        .filter(({ predicate, confidence }) => predicate === 'memory:role' && confidence !== null)
        .map(({ value, status: now, receivedFrom, confidence }) => [
          `${value} ${receivedFrom === null ? 'here' : 'there'} ${confidence}`,
          now,
        ]),
    )
    expect(status).toEqual({ 'lead there 0': 'retracted', 'guest here 1': 'active' })
  })

  it('received facts are forwarded to a third node only if they are public, and never to their origin', async () => {
    const [a, b, c] = await open(3)
    if (a === undefined || b === undefined || c === undefined) throw new Error('no nodes')
    await introduce(b, a, {}, { pull: true })
    await introduce(c, b)
    await a.assert({ value: { type: 'text', v: 'for all' } })
    await a.assert({ relation: 'memory:plan', value: { type: 'text', v: 'for the firm' }, scope: 'company' })
    for (const node of [b, c, b, a]) await sync(node)
    expect([await texts(b), await texts(c), await texts(a)]).toEqual([
      ['for all', 'for the firm'],
      ['for all'],
      ['for all', 'for the firm'],
    ])
    const [passed] = await facts(c)
    expect(passed).toMatchObject({ receivedFrom: b.id, attestation: { attested: null, origin: a.id, key: a.publicKey } })
  })
})

describe('retraction received by two paths', () => {
  const from = async (to: Node, peer: Node) => {
    const [known] = (await listPeers(to.engine.context())).filter(({ nodeId }) => nodeId === peer.id)
    if (known !== undefined) await syncWithPeer(to.opened.environment, known, new AbortController().signal)
  }
  const three = async () => {
    const [a, b, c] = await open(3)
    if (a === undefined || b === undefined || c === undefined) throw new Error('no nodes')
    await introduce(b, a)
    await introduce(c, a)
    await introduce(c, b)
    return [a, b, c] as const
  }
  const statusOf = async (node: Node, id: string) => (await node.opened.backend.store.facts([id]))[0]?.status

  it.each([
    ['first by the one that passes it on', ['ca', 'retract', 'ba', 'cb', 'ca']],
    ['first by the one that said it, for a fact that was passed on', ['ba', 'cb', 'retract', 'ca', 'ba', 'cb']],
    ['in the order of things', ['ba', 'ca', 'cb', 'retract', 'ba', 'cb', 'ca']],
  ])('acts all the same: %s', async (_, order) => {
    const [a, b, c] = await three()
    const id = await a.assert({ relation: 'memory:role', value: { type: 'string', v: 'lead' } })
    for (const step of order) {
      if (step === 'retract') await retractStatement(a.engine.context(), SPEAKER, { id })
      else await from(step.startsWith('b') ? b : c, step.endsWith('a') ? a : b)
    }
    expect(await statusOf(c, id)).toBe('retracted')
  })

  it('retracts all statements of its source, however many', async () => {
    const [a, b, c] = await three()
    const said = { relation: 'memory:role', value: { type: 'string', v: 'lead' }, source: 'agent:a' } as const
    const id = await a.assert(said)
    await from(c, a)
    const { store } = c.opened.backend
    const [first] = await store.facts([id])
    if (first === undefined) throw new Error('nothing came')
    const many = Array.from({ length: 1100 }, (_, i) => ({ ...first, id: `copy-${i}` }))
    await store.commit({ actor: 'test', owners: ['default'] }, () =>
      many.map((fact) => ({ op: 'fact.put' as const, fact, imported: true })),
    )
    await a.assert({ ...said, confidence: 0 })
    for (const [to, by] of [
      [b, a],
      [c, b],
      [c, a],
    ] as const)
      await from(to, by)
    const left = await store.facts([id, ...many.map((fact) => fact.id)])
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set(['retracted']))
  })

  it('keeps later statements, and facts with a forged origin', async () => {
    const [a, b, c] = await three()
    const said = { relation: 'memory:role', value: { type: 'string', v: 'lead' }, source: 'agent:a' } as const
    await a.assert(said)
    await a.assert({ ...said, confidence: 0 })
    const later = await a.assert({ ...said, value: { type: 'string', v: 'guest' } })
    const own = await c.assert({ ...said, value: { type: 'string', v: 'mine' } })
    for (const [to, by] of [
      [b, a],
      [c, b],
      [c, a],
      [c, b],
    ] as const)
      await from(to, by)
    expect([await statusOf(c, later), await statusOf(c, own)]).toEqual(['active', 'active'])
  })
})

describe('request of a peer', () => {
  it('is rejected if forged, for another node, expired, too long, future-dated or replayed', async () => {
    const [a, b] = await pair()
    await introduce(b, a)
    await a.assert({})
    const once = await header(b, a)
    expect((await ask(a, once)).status).toBe(200)
    expect((await ask(a, once)).status).toBe(401)
    const now = Math.floor(Date.now() / 1000)
    const other = (await a.engine.context().node()).sign
    for (const [what, given] of Object.entries({
      forged: await header(b, a, {}, other),
      'for another': await header(b, a, { sub: 'mneme-other' }),
      'of nobody': await header(b, a, { iss: 'mneme-other' }),
      expired: await header(b, a, { iat: now - 120, exp: now - 60 }),
      'too long': await header(b, a, { exp: now + 7200 }),
      'dated ahead': await header(b, a, { iat: now + 900, exp: now + 960 }),
      'without nonce': await header(b, a, { nonce: '' }),
      cut: once.slice(0, -10),
      'no token': 'Stigmem-Peer x.y',
    }))
      expect([what, (await ask(a, given)).status]).toEqual([what, 401])
    // Only peers may call federation routes, and a peer no others.
    expect((await fetch(`${a.server.url}/v1/federation/facts`)).status).toBe(403)
    for (const path of ['/v1/facts', '/v1/auth/keys', '/v1/gardens', '/v1/federation/peers'])
      expect([path, (await ask(a, await header(b, a), path)).status]).toEqual([path, 403])
    expect((await ask(a, await header(b, a), '/v1/federation/facts?cursor=x')).status).toBe(400)
    expect((await ask(a, await header(b, a), '/v1/federation/facts?limit=501')).status).toBe(422)
    expect((await ask(a, await header(b, a), '/v1/federation/facts?scope=local')).status).toBe(422)
    expect((await ask(a, await header(b, a, { scopes: [] }))).body.facts).toEqual([])
  })

  it('pushes facts that are accepted or rejected individually', async () => {
    const [a, b] = await pair()
    await introduce(a, b, { pull: false, push: true })
    await a.assert({ relation: 'memory:good', value: { type: 'text', v: 'good' } })
    const [good] = (await ask(a, await header(b, a))).body.facts
    if (good === undefined) throw new Error('no fact')
    const { sign } = await a.engine.context().node()
    const changed = (change: object): SignedFact => {
      const fact = { ...good.fact, id: crypto.randomUUID(), ...change }
      return { fact, origin: a.id, signature: sign(signedText(fact, a.id)) }
    }
    const ahead = new Date(Date.now() + 600_000)
    const bad: readonly (readonly [string, unknown])[] = [
      ['bad_signature', { ...good, signature: changed({}).signature }],
      ['bad_signature', { ...good, origin: 'mneme-other' }],
      ['scope_not_allowed', changed({ scope: 'local' })],
      ['scope_not_allowed', changed({ scope: 'team' })],
      ['hash_mismatch', changed({ value: { type: 'text', v: 'other' } })],
      ['clock_skew', changed({ hlc: `${ahead.getTime()}.000` })],
      ['clock_skew', changed({ timestamp: ahead.toISOString() })],
      ['reserved_namespace', changed({ relation: 'stigmem:memory:card' })],
      ['reserved_namespace', changed({ source: 'system:stigmem' })],
      ['invalid_entity_uri', changed({ entity: 'User:Ann' })],
      ['invalid_input', changed({ garden_id: 'den' })],
      ['invalid_input', changed({ id: 'x' })],
      ['invalid_input', { fact: 7 }],
      ['invalid_input', null],
    ]
    const push = async (items: readonly unknown[]) => (await ask(b, await header(a, b), '/v1/federation/facts/push', { facts: items })).body
    const answer = await push([...bad.map(([, item]) => item), good])
    expect([answer.accepted, answer.rejected]).toEqual([1, bad.length])
    expect(answer.errors.map(({ code }) => code)).toEqual(bad.map(([code]) => code))
    expect(await texts(b)).toEqual(['good'])
    // The same id and origin with other words.
    const again = await push([changed({ id: good.fact.id, relation: 'memory:other' })])
    expect([again.accepted, again.rejected]).toEqual([0, 1])
    expect(await texts(b)).toEqual(['good'])
  })
})

describe('key of a node', () => {
  it('is created once, readable by its user only', async () => {
    const [a] = await open(1)
    if (a === undefined) throw new Error('no node')
    const file = join(a.opened.backend.location, '..', 'node-key.pem')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY')
    expect(a.id).toMatch(/^mneme-[0-9a-f]{32}$/u)
  })
})
