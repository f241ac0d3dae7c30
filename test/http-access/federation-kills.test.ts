import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { completeFact, type Fact } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { toStatementText } from '../../src/core/statements/statement.js'
import { addPeer } from '../../src/engine/federation/peers.js'
import { EVENTUALLY } from '../eventually.js'
import { openBoth } from '../opened.js'
import { type Program, removeTemporaryFolders, startProgram, temporaryFolder } from '../wire/program.js'

// Three nodes as processes, killed in turn, with connections that break. The third receives the same facts from both others. MNEME_FEDERATION_FACTS sets the number of facts.
const FACTS = Number(process.env.MNEME_FEDERATION_FACTS ?? 600)
const running: Program[] = []
const servers: Server[] = []
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})
afterAll(removeTemporaryFolders)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Passes bytes on, and cuts the first connections in the middle of an answer. */
async function breakingWire(port: number, cuts: number): Promise<number> {
  let left = cuts
  const server = createServer((client: Socket) => {
    const node = connect(port, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      node.destroy()
    }
    let passed = 0
    const breaks = left-- > 0
    node.on('data', (chunk: Buffer) => {
      passed += chunk.length
      client.write(chunk)
      if (breaks && passed > 20_000) end()
    })
    client.on('data', (chunk: Buffer) => node.write(chunk))
    for (const socket of [client, node]) socket.on('error', end).on('close', end)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const open = (folder: string) => openBoth(loadConfig({ flags: { dataDir: folder, embedder: 'none' }, env: {} }).config)

function aStatement(number: number, scope: Fact['scope'], garden: string | null, at: number): Fact {
  const statement = { entity: `user:n${number}`, relation: 'memory:note', value: { type: 'text', v: `note ${number}` } } as const
  const common = {
    ...{ id: crypto.randomUUID(), owner: 'default', text: toStatementText(statement), kind: 'semantic', title: null },
    ...{ subject: statement.entity, predicate: statement.relation, value: statement.value.v, author: null, session: null, date: null },
    ...{ scope, garden, status: 'active' as const, confidence: 1, importance: 1, source: 'agent:seed', reason: null },
    ...{ eventAt: Math.floor(at / 1000) * 1000, validFrom: at, validUntil: null, recordedAt: at, updatedAt: at, expiresAt: null },
    ...{ ttlDays: null, supersededBy: null, derivedFrom: [], metadata: {}, autoLink: false, dedupAt: null, version: 1 },
  }
  return completeFact(common, { valueType: 'text', assertedConfidence: 1 })
}

function serve(folder: string, port: number): Program {
  const settings = ['--embedder', 'none', '--log-level', 'error', '--federation-pull-interval-s', '1']
  const program = startProgram(['serve', '--port', String(port), '--data-dir', folder, ...settings])
  running.push(program)
  return program
}

test('every shared fact arrives once, and nothing else, through kills of every side and cut connections', async () => {
  const folders = { a: temporaryFolder(), b: temporaryFolder(), c: temporaryFolder() }
  const ports = { a: await freePort(), b: await freePort(), c: await freePort() }
  const wires = { ab: await breakingWire(ports.a, 3), ac: await breakingWire(ports.a, 2), bc: await breakingWire(ports.b, 2) }
  const seeded = await open(folders.a)
  const shared = new Set<string>()
  for (let from = 0; from < FACTS; from += 500) {
    await seeded.backend.store.commit({ actor: 'seed', owners: ['default'] }, (at) =>
      Array.from({ length: Math.min(500, FACTS - from) }, (_, index): Change => {
        const fact = aStatement(from + index, index % 2 === 0 ? 'public' : 'company', null, at)
        return { op: 'fact.put', fact }
      }),
    )
    await seeded.backend.store.commit({ actor: 'seed', owners: ['default'] }, (at) => [
      { op: 'fact.put', fact: aStatement(-from - 1, 'local', null, at) },
      { op: 'fact.put', fact: aStatement(-from - 2, 'team', null, at) },
      { op: 'fact.put', fact: aStatement(-from - 3, 'public', 'den', at) },
    ])
  }
  for (const { id, garden, scope } of await seeded.backend.store.listFacts({ limit: FACTS * 2, offset: 0 }))
    if (garden === null && (scope === 'public' || scope === 'company')) shared.add(id)
  const [second, third] = [await open(folders.b), await open(folders.c)]
  const nodeA = await seeded.engine.context().node()
  const keys = {
    a: nodeA.publicKey,
    b: (await second.engine.context().node()).publicKey,
    c: (await third.engine.context().node()).publicKey,
  }
  const terms = { owner: 'default', scopes: ['public', 'company'], trust: 0.5, push: false } as const
  const told = (by: 'b' | 'c') => ({ ...terms, url: `http://127.0.0.1:${ports[by]}`, publicKey: keys[by], pull: false })
  const asked = (port: number, publicKey: string) => ({ ...terms, url: `http://127.0.0.1:${port}`, publicKey, pull: true })
  await addPeer(seeded.engine.context(), 'test', told('b'))
  await addPeer(seeded.engine.context(), 'test', told('c'))
  await addPeer(second.engine.context(), 'test', asked(wires.ab, keys.a))
  await addPeer(second.engine.context(), 'test', told('c'))
  await addPeer(third.engine.context(), 'test', asked(wires.ac, keys.a))
  await addPeer(third.engine.context(), 'test', asked(wires.bc, keys.b))
  for (const { engine } of [seeded, second, third]) await engine.close()

  const totalSchema = z.object({ total: z.number() })
  const arrived = (which: Which) => async (): Promise<number> => {
    try {
      return totalSchema.parse(await (await fetch(`http://127.0.0.1:${ports[which]}/v1/facts?limit=1`)).json()).total
    } catch {
      return -1
    }
  }
  const nodes = { a: serve(folders.a, ports.a), b: serve(folders.b, ports.b), c: serve(folders.c, ports.c) }
  const restart = async (which: Which): Promise<void> => {
    nodes[which].child.kill('SIGKILL')
    await nodes[which].ended()
    nodes[which] = serve(folders[which], ports[which])
    await nodes[which].sawError('listening on ')
  }
  // One is killed as soon as something has come, the others as soon as more has.
  for (const [seen, killed] of [
    ['b', 'b'],
    ['c', 'c'],
    ['b', 'a'],
    ['c', 'b'],
  ] as const) {
    await expect.poll(arrived(seen), EVENTUALLY).toBeGreaterThan(0)
    await restart(killed)
  }
  for (const which of ['b', 'c'] as const) await expect.poll(arrived(which), EVENTUALLY).toBe(shared.size)
  for (const which of ['c', 'a'] as const) await restart(which)
  for (const { child } of running.splice(0)) child.kill('SIGTERM')
  await Promise.all([nodes.a.ended(), nodes.b.ended(), nodes.c.ended()])
  for (const which of ['b', 'c'] as const) await checkReceived(folders[which], shared, which === 'b' ? [nodeA.id] : undefined)
})

type Which = 'a' | 'b' | 'c'

/** Everything that is shared is there, was written once, and came from one of these. */
async function checkReceived(folder: string, shared: ReadonlySet<string>, from: readonly string[] | undefined): Promise<void> {
  const { backend, engine } = await open(folder)
  try {
    const facts = await backend.store.listFacts({ limit: FACTS * 2, offset: 0 })
    expect(facts.length).toBe(shared.size)
    expect(new Set(facts.map(({ id }) => id))).toEqual(shared)
    expect(facts.every(({ garden, scope }) => garden === null && ['public', 'company'].includes(scope))).toBe(true)
    expect(facts.every(({ receivedFrom }) => receivedFrom !== null && (from?.includes(receivedFrom) ?? true))).toBe(true)
    const entries = await backend.store.journal({ owner: 'default', limit: FACTS * 3 })
    expect(entries.filter(({ op }) => op === 'fact.put').length).toBe(shared.size)
  } finally {
    await engine.close()
  }
}
