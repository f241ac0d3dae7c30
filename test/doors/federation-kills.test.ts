import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import type { Change } from '../../src/core/change.js'
import { completeFact, type Fact } from '../../src/core/fact.js'
import { composedText } from '../../src/core/statement.js'
import { EVENTUALLY } from '../eventually.js'
import { openBoth } from '../opened.js'
import { type Program, removeTemporaryFolders, startProgram, temporaryFolder } from '../wire/program.js'

// Two nodes as processes, killed in turn, with a wire between them that breaks. MNEME_FEDERATION_FACTS sets how many facts.
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
    ...{ id: crypto.randomUUID(), owner: 'default', text: composedText(statement), kind: 'semantic', title: null },
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

test('every shared fact arrives once, and nothing else, through kills of either side and cut connections', async () => {
  const [a, b] = [temporaryFolder(), temporaryFolder()]
  const [portA, portB] = [await freePort(), await freePort()]
  const wire = await breakingWire(portA, 3)
  const seeded = await open(a)
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
  const pulling = await open(b)
  const [nodeA, nodeB] = [await seeded.engine.federation.node(), await pulling.engine.federation.node()]
  const terms = { owner: 'default', scopes: ['public', 'company'], trust: 0.5, push: false } as const
  await seeded.engine.federation.add('test', { ...terms, url: `http://127.0.0.1:${portB}`, publicKey: nodeB.publicKey, pull: false })
  await pulling.engine.federation.add('test', { ...terms, url: `http://127.0.0.1:${wire}`, publicKey: nodeA.publicKey, pull: true })
  await seeded.engine.close()
  await pulling.engine.close()

  const totalSchema = z.object({ total: z.number() })
  const arrived = async (): Promise<number> => {
    try {
      return totalSchema.parse(await (await fetch(`http://127.0.0.1:${portB}/v1/facts?limit=1`)).json()).total
    } catch {
      return -1
    }
  }
  const nodes = { a: serve(a, portA), b: serve(b, portB) }
  const restart = async (which: 'a' | 'b'): Promise<void> => {
    nodes[which].child.kill('SIGKILL')
    await nodes[which].ended()
    nodes[which] = serve(which === 'a' ? a : b, which === 'a' ? portA : portB)
    await nodes[which].sawError('listening on ')
  }
  // One is killed as soon as something has come, the other as soon as more has.
  await expect.poll(arrived, EVENTUALLY).toBeGreaterThan(0)
  await restart('b')
  await expect.poll(arrived, EVENTUALLY).toBeGreaterThan(0)
  await restart('a')
  await expect.poll(arrived, EVENTUALLY).toBe(shared.size)
  await restart('b')
  await restart('a')
  for (const { child } of running.splice(0)) child.kill('SIGTERM')
  await Promise.all([nodes.a.ended(), nodes.b.ended()])

  const received = await open(b)
  try {
    const facts = await received.backend.store.listFacts({ limit: FACTS * 2, offset: 0 })
    expect(facts.length).toBe(shared.size)
    expect(new Set(facts.map(({ id }) => id))).toEqual(shared)
    expect(
      facts.every(
        ({ receivedFrom, garden, scope }) => receivedFrom === nodeA.id && garden === null && ['public', 'company'].includes(scope),
      ),
    ).toBe(true)
    // None was written twice either.
    const entries = await received.backend.store.journal({ owner: 'default', limit: FACTS * 3 })
    expect(entries.filter(({ op }) => op === 'fact.put').length).toBe(shared.size)
  } finally {
    await received.engine.close()
  }
})
