import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { LOCAL } from '../../src/contracts/operation.js'
import type { Engine } from '../../src/engine/engine.js'
import { CONTRACT_NAMES, loadContracts } from '../../src/open.js'
import type { Host } from '../../src/surfaces/host.js'
import { createDoor } from '../../src/surfaces/http/door.js'
import { type HttpServer, openHttpServer } from '../../src/surfaces/http/server.js'
import type { Log } from '../../src/surfaces/log.js'
import { type Opened, openBoth } from '../opened.js'

const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
export const SPEAKER = { principal: LOCAL, actor: 'test' }

export interface Node {
  readonly engine: Engine
  readonly opened: Opened
  readonly server: HttpServer
  readonly id: string
  readonly publicKey: string
  assert(said: Partial<Parameters<Engine['statements']['assert']>[1]>): Promise<string>
  close(): Promise<void>
}

/** A node on loopback, in this process. */
export async function openNode(): Promise<Node> {
  const directory = mkdtempSync(join(tmpdir(), 'mneme-node-'))
  const opened = await openBoth(loadConfig({ flags: { dataDir: directory, embedder: 'none' }, env: {} }).config)
  const { engine } = opened
  const contracts = await loadContracts(CONTRACT_NAMES)
  const host: Host = { version: '1', contracts: [], engine: async () => engine, close: async () => undefined }
  const access = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }
  const door = createDoor({ host, auth: undefined, rateLimit: 0 })
  const server = await openHttpServer({ host, log: QUIET, contracts, access, door, port: 0, announce: () => undefined })
  const { id, publicKey } = await engine.federation.node()
  return {
    engine,
    opened,
    server,
    id,
    publicKey,
    async assert(said) {
      const whole = { entity: 'user:ann', relation: 'memory:note', value: { type: 'text', v: 'x' }, scope: 'public', ...said } as const
      return (await engine.statements.assert(SPEAKER, whole)).fact.id
    },
    async close() {
      await server.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

type PeerOptions = Partial<Parameters<Engine['federation']['add']>[1]>

/** Each has the other as a peer; `options` are what the first does. */
export async function introduce(a: Node, b: Node, options: PeerOptions = {}, back: PeerOptions = {}): Promise<void> {
  const terms = { owner: 'default', scopes: ['public', 'company'], trust: 0.5, pull: true, push: false } as const
  await a.engine.federation.add('test', { ...terms, url: b.server.url, publicKey: b.publicKey, ...options })
  await b.engine.federation.add('test', { ...terms, url: a.server.url, publicKey: a.publicKey, pull: false, ...back })
}

export const sync = (node: Node) => node.engine.federation.sync(new AbortController().signal)
