import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { LOCAL_PRINCIPAL } from '../../src/contracts/operation.js'
import { addressProofText } from '../../src/core/federation/peer-address.js'
import { tokenHeader, tokenText } from '../../src/core/federation/peer-token.js'
import { nodeIdOf } from '../../src/core/federation/signature.js'
import type { SignedFact } from '../../src/core/federation/wire-fact.js'
import type { Engine } from '../../src/engine/engine.js'
import type { NewPeer } from '../../src/engine/federation/peers.js'
import { addPeer } from '../../src/engine/federation/peers.js'
import { PROOF_PATH } from '../../src/engine/federation/prove-address.js'
import { syncAllPeers } from '../../src/engine/federation/sync-with-peer.js'
import { assertStatement } from '../../src/engine/stigmem/assert.js'
import type { Assertion } from '../../src/engine/stigmem/new-statement.js'
import { CONTRACT_NAMES, loadContracts } from '../../src/open.js'
import type { Host } from '../../src/surfaces/host.js'
import { createDoor } from '../../src/surfaces/http/authenticator.js'
import { type HttpServer, openHttpServer } from '../../src/surfaces/http/server.js'
import type { Log } from '../../src/surfaces/log.js'
import { type Opened, openBoth } from '../opened.js'

const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
export const SPEAKER = { principal: LOCAL_PRINCIPAL, actor: 'test' }

export interface Node {
  readonly engine: Engine
  readonly opened: Opened
  readonly server: HttpServer
  readonly id: string
  readonly publicKey: string
  assert(said: Partial<Assertion>): Promise<string>
  close(): Promise<void>
}

/** A node on loopback, in this process. */
export async function openNode(flags: object = {}): Promise<Node> {
  const directory = mkdtempSync(join(tmpdir(), 'mneme-node-'))
  const opened = await openBoth(loadConfig({ flags: { dataDir: directory, embedder: 'none', ...flags }, env: {} }).config)
  const { engine } = opened
  const contracts = await loadContracts(CONTRACT_NAMES)
  const host: Host = { version: '1', contracts: [], engine: async () => engine, close: async () => undefined }
  const access = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }
  const door = createDoor({ host, auth: undefined, rateLimit: 0 })
  const server = await openHttpServer({ host, log: QUIET, contracts, access, door, port: 0, announce: () => undefined })
  const { id, publicKey } = await engine.context().node()
  return {
    engine,
    opened,
    server,
    id,
    publicKey,
    async assert(said) {
      const whole = { entity: 'user:ann', relation: 'memory:note', value: { type: 'text', v: 'x' }, scope: 'public', ...said } as const
      return (await assertStatement(engine.context(), SPEAKER, whole)).fact.id
    },
    async close() {
      await server.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

type PeerOptions = Partial<NewPeer>

/** Each has the other as a peer; `options` are what the first does. */
export async function introduce(a: Node, b: Node, options: PeerOptions = {}, back: PeerOptions = {}): Promise<void> {
  const terms = { owner: 'default', scopes: ['public', 'company'], trust: 0.5, pull: true, push: false } as const
  await addPeer(a.engine.context(), 'test', { ...terms, url: b.server.url, publicKey: b.publicKey, ...options })
  await addPeer(b.engine.context(), 'test', { ...terms, url: a.server.url, publicKey: a.publicKey, pull: false, ...back })
}

export const sync = (node: Node) => syncAllPeers(node.engine.context())

export const facts = (node: Node) => node.opened.backend.store.listFacts({ limit: 10_000, offset: 0, oldestFirst: true })
export const texts = async (node: Node): Promise<readonly unknown[]> =>
  (await facts(node)).filter(({ form }) => form === null).map(({ value }) => value)

const signedSchema = z.custom<SignedFact>((value) => typeof value === 'object' && value !== null && 'signature' in value)

/** A request as a peer would sign it. */
export async function header(from: Node, to: Node, change: object = {}, signText?: (text: string) => string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const aud = new URL(to.server.url).host
  const token = {
    iss: from.id,
    sub: to.id,
    aud,
    iat,
    exp: iat + 60,
    nonce: `nonce-${Math.random()}`,
    scopes: ['public', 'company'],
    ...change,
  }
  const text = tokenText(token)
  return tokenHeader(text, (signText ?? (await from.engine.context().node()).sign)(text))
}

/** Someone else's node: its key, and what it answers to a challenge at an address. */
export function createStranger() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = String(publicKey.export({ format: 'jwk' }).x)
  const id = nodeIdOf(key)
  const signText = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64url')
  return {
    id,
    key,
    sign: signText,
    /** The answer to a request for a proof; undefined for another request. */
    proof(request: { readonly url?: string | undefined }): string | undefined {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
      if (pathname !== PROOF_PATH) return undefined
      const [address, challenge] = [searchParams.get('address') ?? '', searchParams.get('challenge') ?? '']
      return JSON.stringify({ signature: signText(addressProofText({ node: id, address, challenge })) })
    },
  }
}
export type Stranger = ReturnType<typeof createStranger>

const answerSchema = z.looseObject({
  facts: z.array(signedSchema).default([]),
  accepted: z.number().optional(),
  rejected: z.number().optional(),
  errors: z.array(z.looseObject({ code: z.string() })).default([]),
})

export const ask = async (to: Node, authorization: string, path = '/v1/federation/facts', body?: unknown) => {
  const response = await fetch(to.server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: answerSchema.parse(await response.json()) }
}
