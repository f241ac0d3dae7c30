import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { addressProofText, peerAddress } from '../../src/core/federation/peer-address.js'
import { type SignedFact, signedText, type WireFact } from '../../src/core/federation/wire-fact.js'
import { statementHash } from '../../src/core/statements/statement.js'
import { addPeer, listPeers, removePeer } from '../../src/engine/federation/peers.js'
import { askPeer } from '../../src/open/peer-wire.js'
import { ask, createStranger, facts, header, introduce, type Node, openNode, type Stranger, sync, texts } from './nodes.js'

const nodes: Node[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})
async function open(): Promise<Node> {
  const node = await openNode()
  nodes.push(node)
  return node
}
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
const TERMS = { scopes: ['public', 'company'], trust: 0.5, pull: true, push: false } as const

const factOf = (stranger: Pick<Stranger, 'sign' | 'id'>, change: Partial<WireFact> = {}, origin = stranger.id): SignedFact => {
  const at = Date.now()
  const said = {
    id: crypto.randomUUID(),
    entity: 'user:ann',
    relation: 'memory:note',
    value: { type: 'text' as const, v: 'said' },
    source: 'agent:test',
    timestamp: new Date(at).toISOString(),
    hlc: `${at}.000`,
    confidence: 1,
    scope: 'public',
    ...change,
  }
  const { entity, relation, value, scope, source, confidence, timestamp } = said
  const hash = statementHash({ entity, relation, value, scope, source, confidence, timestamp })
  const fact: WireFact = { valid_until: null, derived_from: null, attestation_chain: null, ...said, hash }
  return { fact, origin, signature: stranger.sign(signedText(fact, origin)) }
}

it('repair 20: no token is sent to an address that has not proven the key of the peer, and no token is valid elsewhere', async () => {
  const [node, partner] = [await open(), await open()]
  await introduce(node, partner, { pull: false })
  await partner.assert({ relation: 'memory:plan', value: { type: 'text', v: 'for the firm' }, scope: 'company' })
  const tokens: string[] = []
  // Between the two: it passes challenges on to the partner, and keeps the token that follows.
  const between = await serve(async (request, response) => {
    if (request.headers.authorization !== undefined) tokens.push(request.headers.authorization)
    const passed = await fetch(partner.server.url + request.url, { headers: { Authorization: request.headers.authorization ?? '' } })
    response.writeHead(passed.status, { 'Content-Type': 'application/json' }).end(await passed.text())
  })
  for (const { nodeId } of await listPeers(node.engine.context())) await removePeer(node.engine.context(), 'test', nodeId)
  await addPeer(node.engine.context(), 'test', { ...TERMS, owner: 'default', url: between, publicKey: partner.publicKey })
  await expect(sync(node)).rejects.toMatchObject({ code: 'unavailable' })
  expect(tokens).toEqual([])
  expect(await texts(node)).toEqual([])
  // A token for one address is none for another.
  const [elsewhere, here] = [peerAddress(between), peerAddress(partner.server.url)]
  expect((await ask(partner, await header(node, partner, { aud: elsewhere }))).status).toBe(401)
  expect((await ask(partner, await header(node, partner, { aud: here }))).status).toBe(200)
  // Nor does a node prove an address that is not its own.
  const proof = (address: string) =>
    fetch(`${partner.server.url}/.well-known/stigmem/proof?${new URLSearchParams({ challenge: 'c'.repeat(16), address })}`)
  expect([(await proof(elsewhere ?? '')).status, (await proof(here ?? '')).status]).toEqual([422, 200])
  expect(addressProofText({ node: 'n', address: 'a', challenge: 'c' })).toContain('"purpose":"mneme peer address"')
})

it('repair 21: a node is the peer of one owner, and adding it for another is refused', async () => {
  const [node, partner] = [await open(), await open()]
  const add = (owner: string) =>
    addPeer(node.engine.context(), 'test', { ...TERMS, owner, url: partner.server.url, publicKey: partner.publicKey })
  await add('alice')
  await expect(add('bob')).rejects.toMatchObject({ code: 'conflict', reason: 'peer_exists' })
  expect((await listPeers(node.engine.context())).map(({ owner }) => owner)).toEqual(['alice'])
  // The store refuses it too, where one of two owners does not see the peer of the other.
  const [known] = await node.opened.backend.store.arrangements({ kind: 'peer' })
  if (known === undefined) throw new Error('no peer')
  const second = { ...known, id: 'second', owner: 'bob', version: 1 }
  const put = node.opened.backend.store.commit({ actor: 'test', owners: ['bob'] }, () => [{ op: 'arrangement.put', arrangement: second }])
  await expect(put).rejects.toMatchObject({ reason: 'peer_exists' })
})

it('repair 26: an oversized answer is abandoned, and the peer is reported', async () => {
  const stranger = createStranger()
  const node = await open()
  const sizes: number[] = []
  const url = await serve((request, response) => {
    const proof = stranger.proof(request)
    if (proof !== undefined) return response.end(proof)
    sizes.push(Number(new URL(request.url ?? '', 'http://x').searchParams.get('limit')))
    return response.end(JSON.stringify({ facts: ['x'.repeat(5 * 2 ** 20)], cursor: null, has_more: false }))
  })
  await addPeer(node.engine.context(), 'test', { ...TERMS, owner: 'default', url, publicKey: stranger.key })
  await expect(sync(node)).rejects.toThrow('answered with more than 4 MB')
  // A peer with large facts is asked for fewer at a time before it is given up.
  expect(sizes).toEqual([500, 50, 5, 1])
  const many = await serve((_, response) => response.end(`[${'1,'.repeat(60_000)}1]`))
  await expect(askPeer({ method: 'GET', url: many, signal: new AbortController().signal }, true)).rejects.toThrow('more than 50,000 values')
})

it('repair 29: only the signature of its origin creates or retracts a fact, and ids are distinct per origin', async () => {
  const [node, p, q] = [await open(), createStranger(), createStranger()]
  for (const { key } of [p, q])
    await addPeer(node.engine.context(), 'test', { ...TERMS, owner: 'default', url: 'https://peer.example', publicKey: key })
  const push = async (from: Stranger, items: readonly unknown[]) => {
    const own = await header({ ...node, id: from.id }, node, {}, from.sign)
    return (await ask(node, own, '/v1/federation/facts/push', { facts: items })).body
  }
  const ofQ = factOf(q, { value: { type: 'text', v: 'by Q' } })
  // P speaks for Q, with its own signature and with its own key.
  const forged = { ...factOf(p, { id: ofQ.fact.id }, q.id) }
  for (const item of [forged, { ...forged, origin_key: p.key }, { ...forged, origin_key: q.key }])
    expect((await push(p, [item])).errors.map(({ code }) => code)).toEqual(['bad_signature'])
  // P takes the id of Q's fact, and takes it back by its name and by what it says.
  const taken = factOf(p, { id: ofQ.fact.id, relation: 'memory:other', value: { type: 'text', v: 'by P' } })
  expect(await push(p, [taken])).toMatchObject({ accepted: 1, rejected: 0 })
  expect(await push(q, [ofQ])).toMatchObject({ accepted: 1, rejected: 0, errors: [] })
  expect(await push(q, [ofQ])).toMatchObject({ accepted: 1, rejected: 0 })
  for (const change of [{ retracts: ofQ.fact.id }, {}])
    expect(await push(p, [factOf(p, { confidence: 0, ...change })])).toMatchObject({ accepted: 1 })
  const live = async () =>
    (await facts(node)).filter(({ status, confidence }) => status === 'active' && confidence > 0).map(({ value }) => value)
  expect((await live()).sort()).toEqual(['by P', 'by Q'])
  // Q itself takes it back, by the id that it gave it.
  expect(await push(q, [factOf(q, { confidence: 0, retracts: ofQ.fact.id })])).toMatchObject({ accepted: 1 })
  expect(await live()).toEqual(['by P'])
  // What Q signed is taken from P as well, with the key of Q.
  const passed = factOf(q, { relation: 'memory:passed', value: { type: 'text', v: 'passed on' } })
  expect(await push(p, [{ ...passed, origin_key: q.key }])).toMatchObject({ accepted: 1 })
  expect((await live()).sort()).toEqual(['by P', 'passed on'])
})

it('repair 30: an endless feed is read up to a limit per round, and reported', async () => {
  const stranger = createStranger()
  const node = await open()
  let pages = 0
  const large = 'x'.repeat(20_000)
  const url = await serve((request, response) => {
    const proof = stranger.proof(request)
    if (proof !== undefined) return response.end(proof)
    const page = Array.from({ length: 100 }, () =>
      factOf(stranger, { relation: `memory:n${Math.random()}`, value: { type: 'text', v: large } }),
    )
    return response.end(JSON.stringify({ facts: page, cursor: `page ${++pages}`, has_more: true }))
  })
  await addPeer(node.engine.context(), 'test', { ...TERMS, owner: 'default', url, publicKey: stranger.key })
  await sync(node)
  // 2 MB each: the ninth goes beyond 16 MB, and ends the round.
  expect(pages).toBe(9)
  await sync(node)
  expect(pages).toBe(18)
})
