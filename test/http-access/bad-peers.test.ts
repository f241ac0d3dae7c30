import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { signedText } from '../../src/core/federation/wire-fact.js'
import { statementHash } from '../../src/core/statements/statement.js'
import { createGarden } from '../../src/engine/access/gardens.js'
import { startPeerSync } from '../../src/engine/federation/peer-sync.js'
import { addPeer, listPeers, removePeer, warningOf } from '../../src/engine/federation/peers.js'
import { askPeer } from '../../src/open/peer-wire.js'
import { EVENTUALLY } from '../eventually.js'
import { ask, createStranger, facts, header, introduce, type Node, openNode, SPEAKER, type Stranger, sync, texts } from './nodes.js'

const nodes: Node[] = []
afterEach(async () => void (await Promise.all(nodes.splice(0).map((node) => node.close()))))

async function pair(): Promise<readonly [Node, Node]> {
  const made = [await openNode(), await openNode()] as const
  nodes.push(...made)
  return made
}

describe('facts pushed by a peer', () => {
  it('change nothing of others by id, retraction or a foreign name', async () => {
    const [a, b] = await pair()
    await introduce(a, b, { pull: false, push: true })
    await createGarden(b.engine.context(), SPEAKER, { slug: 'den', name: 'Den', scope: 'public', description: null, quarantine: false })
    const own = {
      shared: await b.assert({ relation: 'memory:a', value: { type: 'text', v: 'shared' } }),
      hidden: await b.assert({ relation: 'memory:b', value: { type: 'text', v: 'hidden' }, scope: 'local' }),
      closed: await b.assert({ relation: 'memory:c', value: { type: 'text', v: 'closed' }, garden: 'den' }),
    }
    const { sign, id: sender } = await a.engine.context().node()
    const said = { entity: 'user:ann', value: { type: 'text', v: 'forged' }, source: 'agent:test', confidence: 1, scope: 'public' } as const
    const send = async (change: object, origin = sender) => {
      const at = Date.now()
      const timestamp = new Date(at).toISOString()
      const whole = { id: crypto.randomUUID(), relation: 'memory:x', ...said, timestamp, hlc: `${at}.000`, ...change }
      const { entity, relation, value, scope, source, confidence } = whole
      const hash = statementHash({ entity, relation, value, scope, source, confidence, timestamp: whole.timestamp })
      const fact = { valid_until: null, derived_from: null, attestation_chain: null, ...whole, hash }
      const item = { fact, origin, signature: sign(signedText(fact, origin)) }
      return (await ask(b, await header(a, b), '/v1/federation/facts/push', { facts: [item] })).body
    }
    const before = await facts(b)
    for (const [what, id] of Object.entries(own)) {
      const { accepted, errors } = await send({ id })
      // The peer learns nothing about the local fact with that id; its own fact gets another id.
      expect([what, accepted, errors]).toEqual([what, 1, []])
    }
    // Taking back what somebody else said, by its id and by what it says.
    for (const [relation, retracts] of [
      ['memory:a', own.shared],
      ['memory:b', own.hidden],
      ['memory:c', own.closed],
    ]) {
      expect((await send({ relation, confidence: 0, retracts })).accepted).toBe(1)
      expect((await send({ relation, confidence: 0, timestamp: '2020-01-01T00:00:00.000Z' })).accepted).toBe(1)
    }
    const left = await facts(b)
    expect(left.filter(({ id }) => before.some((fact) => fact.id === id))).toEqual(before)
    // What another is said to have said first is refused without the signature of that other.
    for (const origin of [b.id, 'mneme-somebody'])
      expect((await send({ relation: 'memory:z' }, origin)).errors).toEqual([expect.objectContaining({ code: 'bad_signature' })])
    expect(await b.assert({ relation: 'memory:d' })).toBeDefined()
  })

  it('are rejected if they are too many, and leave nothing if the request is cut', async () => {
    const [a, b] = await pair()
    await introduce(a, b, { pull: false, push: true })
    await a.assert({})
    const path = '/v1/federation/facts/push'
    expect((await ask(b, await header(a, b), path, { facts: Array(501).fill(null) })).status).toBe(422)
    expect((await ask(b, await header(a, b), path, { facts: ['x'.repeat(17_000_000)] })).status).toBe(413)
    const { facts: page } = (await ask(a, await header(b, a))).body
    const body = JSON.stringify({ facts: page })
    const { port, hostname } = new URL(b.server.url)
    const socket = connect(Number(port), hostname)
    const authorization = await header(a, b)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nAuthorization: ${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -20)}`,
    )
    await new Promise<void>((resolve) => socket.end(resolve))
    socket.destroy()
    expect(await texts(b)).toEqual([])
    // It was never received, so that it can be sent again.
    expect((await ask(b, authorization, path, { facts: page })).body.accepted).toBe(1)
  })
})

describe('misbehaving peer', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })
  async function serve(answer: (response: ServerResponse) => void, proving?: Stranger): Promise<string> {
    const server = createServer((request, response) => {
      const proof = proving?.proof(request)
      if (proof === undefined) answer(response)
      else response.end(proof)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  }
  const STRANGERS = [createStranger(), createStranger(), createStranger(), createStranger()] as const

  it('on this machine or network causes a warning, and is refused by setting', async () => {
    let asked = 0
    const inside = await serve((response) => {
      asked++
      response.end('{}')
    })
    const publicKey = STRANGERS[0].key
    const terms = { owner: 'default', publicKey, scopes: ['public'], trust: 0.5, pull: true, push: false } as const
    const [open] = await pair()
    const peer = await addPeer(open.engine.context(), 'test', { ...terms, url: inside })
    expect(await warningOf(open.engine.context(), peer)).toContain('is an address of this machine or its network')
    expect(await warningOf(open.engine.context(), { ...peer, url: 'https://other.example' })).toBeUndefined()
    const closed = await openNode({ federationAllowPrivate: false })
    nodes.push(closed)
    for (const url of [inside, 'http://localhost:1', 'http://[::ffff:10.0.0.1]', 'http://0x7f.1', 'http://printer.local'])
      await expect(addPeer(closed.engine.context(), 'test', { ...terms, url })).rejects.toMatchObject({ reason: 'private_address' })
    // A name is looked at when it is connected to.
    const { port } = new URL(inside)
    const request = { method: 'GET', authorization: '', signal: new AbortController().signal } as const
    for (const url of [inside, `http://localhost:${port}`])
      await expect(askPeer({ ...request, url }, false)).rejects.toMatchObject({
        code: 'forbidden',
        hint: expect.stringContaining('--federation'),
      })
    expect(asked).toBe(0)
    expect(await askPeer({ ...request, url: inside }, true)).toEqual({ status: 200, body: {}, bytes: 2 })
  })

  it('is reported with its problem, its redirects are not followed, and other peers are still synchronised', async () => {
    const [a, b] = await pair()
    await introduce(b, a)
    await a.assert({ value: { type: 'text', v: 'open' } })
    let elsewhere = 0
    const trap = await serve((response) => {
      elsewhere++
      response.end()
    })
    const bad = [
      await serve((response) => response.writeHead(302, { location: trap }).end(), STRANGERS[0]),
      await serve((response) => response.end('<html>'), STRANGERS[1]),
      await serve((response) => response.end(JSON.stringify({ facts: [], cursor: 'x'.repeat(5000), has_more: true })), STRANGERS[2]),
      'http://127.0.0.1:1',
    ]
    const terms = { owner: 'default', scopes: ['public'], trust: 0.5, pull: true, push: false } as const
    for (const [i, url] of bad.entries()) await addPeer(b.engine.context(), 'test', { ...terms, url, publicKey: STRANGERS[i]?.key ?? '' })
    const told = await sync(b)
    expect(told.map((outcome) => ('error' in outcome ? outcome.error : outcome.pulled))).toEqual(
      expect.arrayContaining([
        1,
        `${bad[0]} cannot be reached: unexpected redirect.`,
        `${bad[1]} answered 200.`,
        `${bad[2]} answered 200.`,
        expect.stringContaining(`${bad[3]} cannot be reached: `),
      ]),
    )
    expect(elsewhere).toBe(0)
    for (const { nodeId } of (await listPeers(b.engine.context())).filter(({ url }) => url === a.server.url))
      await removePeer(b.engine.context(), 'test', nodeId)
    await expect(sync(b)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('with an endless feed takes one turn among the others', async () => {
    const [a, b] = await pair()
    let pages = 0
    const endless = await serve(
      (response) => response.end(JSON.stringify({ facts: [], cursor: `page ${++pages}`, has_more: true })),
      STRANGERS[0],
    )
    const terms = { owner: 'default', scopes: ['public'], trust: 0.5, pull: true, push: false } as const
    await addPeer(b.engine.context(), 'test', { ...terms, url: endless, publicKey: STRANGERS[0].key })
    await introduce(b, a)
    await a.assert({ value: { type: 'text', v: 'open' } })
    const follower = startPeerSync(b.opened.environment, 3600)
    try {
      await expect.poll(() => texts(b), EVENTUALLY).toEqual(['open'])
      expect(pages).toBeGreaterThan(1)
    } finally {
      await follower.close()
    }
  })
})
