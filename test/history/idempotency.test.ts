import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from '../../src/contracts/contract.js'
import type { Answer } from '../../src/contracts/operation.js'
import { createEngine, type Engine } from '../../src/engine/engine.js'
import { loadContracts } from '../../src/open.js'
import { openWorld, type World } from '../graph/world.js'

type Input = Readonly<Record<string, unknown>>
const withId = z.object({ id: z.string() })

let world: World
let contracts: readonly Contract[]
beforeEach(async () => {
  world = await openWorld()
  contracts = await loadContracts(['memory', 'graph', 'admin'])
})
afterEach(() => world.close())

/** A client's call, with an engine that may have lost recorded results. */
function call(tool: string, input: Input, options: { readonly engine?: Engine; readonly actor?: string } = {}): Promise<Answer> {
  const [contract, name] = tool.split('/')
  const operation = contracts.find((entry) => entry.name === contract)?.operations.find((operation) => operation.name === name)
  if (operation === undefined) throw new Error(`There is no ${tool}.`)
  const { engine = world.engine, actor = 'test' } = options
  return operation.call({ context: engine.context(), actor, connection: 'c1', progress: () => undefined }, input)
}

const store = async (content: string, more: Input = {}): Promise<string> =>
  withId.parse(await call('memory/store_memory', { content, ...more })).id
const entity = async (name: string): Promise<string> => withId.parse(await call('memory/create_entity', { name })).id
const changes = async (): Promise<number> => (await world.backend.store.journal({ newestFirst: true, limit: 1 }))[0]?.seq ?? 0

/** As if the process had ended between the commit and the result. */
const forgetful = (): Engine => {
  const { environment, backend } = world
  const recordAnswer = () => Promise.reject(new Error('gone'))
  return createEngine({ ...environment, store: { ...environment.store, recordAnswer } }, backend, world.code)
}

/** Every writing tool, with a call that changes something. */
const WRITES: readonly (readonly [string, () => Promise<Input>])[] = [
  ['memory/store_memory', async () => ({ content: 'New' })],
  ['memory/store_memory', async () => ({ content: 'New', supersedes: await store('Old') })],
  ['memory/update_memory', async () => ({ id: await store('Old'), content: 'New', if_version: 1 })],
  ['memory/delete_memory', async () => ({ id: await store('Old') })],
  ['memory/invalidate', async () => ({ id: await store('Old'), reason: 'over' })],
  ['memory/create_entity', async () => ({ name: 'Ann' })],
  ['memory/create_relation', async () => ({ from_entity: await entity('Ann'), to_entity: await entity('Acme'), relation_type: 'at' })],
  ['memory/reset_all_memory', async () => ({ confirm: (await store('Old')) !== '' })],
  ['graph/create_node', async () => ({ text: 'New fact' })],
  ['graph/create_node', async () => ({ text: 'Ann', node_type: 'Entity' })],
  ['graph/update_node', async () => ({ node_id: await store('Old'), text: 'New' })],
  ['graph/mark_outdated', async () => ({ fact_id: await store('Old'), reason: 'over' })],
  ['graph/delete_node', async () => ({ node_id: await store('Old') })],
  ['graph/create_triplet', async () => ({ subject: 'Ann', predicate: 'works at', object_value: 'Acme', fact_id: await store('Said') })],
  ['graph/create_relation', async () => ({ from_id: await store('One'), to_id: await store('Two'), relation_type: 'FOLLOWS' })],
  ['graph/create_summary_fact', async () => ({ fact_ids: [await store('One'), await store('Two')], summary_text: 'Both' })],
  [
    'graph/delete_relation',
    async () => {
      const ends = { from_id: await store('One'), to_id: await store('Two') }
      await call('graph/create_relation', { ...ends, relation_type: 'FOLLOWS' })
      return ends
    },
  ],
]

describe('idempotency keys of writing tools', () => {
  test('are accepted by all of them, and no other', () => {
    const keyed = (contract: Contract, effects: readonly string[]) =>
      contract.operations
        .filter(({ effect }) => effects.includes(effect))
        .map(({ name, schemas }) => [name, JSON.stringify(schemas.input).includes('"idempotency_key"')])
    for (const contract of contracts.filter(({ name }) => name !== 'admin')) {
      for (const [name, has] of keyed(contract, ['write', 'destroy'])) expect([name, has]).toEqual([name, true])
      for (const [name, has] of keyed(contract, ['read'])) expect([name, has]).toEqual([name, false])
    }
  })

  test.each(WRITES)('%s: returns the same answer again and runs once', async (tool, prepare) => {
    const input = { ...(await prepare()), idempotency_key: 'k' }
    const before = await changes()
    const first = await call(tool, input)
    const after = await changes()
    expect(after).toBeGreaterThan(before)
    expect(await call(tool, input)).toEqual(first)
    expect(await changes()).toBe(after)
  })

  test.each(WRITES)('%s: also when the process ended before its answer', async (tool, prepare) => {
    const input = { ...(await prepare()), idempotency_key: 'k' }
    const first = await call(tool, input, { engine: forgetful() })
    const after = await changes()
    const again = await call(tool, input)
    // The number of objects deleted by a reset is not journalled.
    expect(again).toEqual(tool === 'memory/reset_all_memory' ? { reset: true } : first)
    expect(await changes()).toBe(after)
  })

  test('concurrent calls store once and get one answer', async () => {
    const other = await openWorld({}, { directory: world.directory, clock: world.clock })
    try {
      const old = await store('Old')
      const input = { content: 'New', supersedes: old, idempotency_key: 'k' }
      const calls = Array.from({ length: 12 }, (_, n) => call('memory/store_memory', input, { engine: (n % 2 ? world : other).engine }))
      expect(new Set((await Promise.all(calls)).map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await call('memory/list_memories', {})).toMatchObject({ total: 2 })
    } finally {
      await other.close()
    }
  })

  test('an answer that is no longer known is reported with what was done', async () => {
    const id = await store('Old')
    const input = { id, content: 'New', idempotency_key: 'k' }
    await call('memory/update_memory', input)
    await call('memory/delete_memory', { id })
    await expect(call('memory/update_memory', input)).rejects.toThrow(`Memory not found: ${id}`)
  })

  test('a key for two different calls is rejected, and the second does not run', async () => {
    await store('One', { idempotency_key: 'k' })
    for (const [tool, input] of [
      ['memory/store_memory', { content: 'Two' }],
      ['memory/create_entity', { name: 'One' }],
    ] as const)
      await expect(call(tool, { ...input, idempotency_key: 'k' })).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'Invalid idempotency_key: "k" was used for another call within the last 24 hours',
        hint: expect.stringContaining('new key'),
      })
    expect(await call('memory/list_memories', {})).toMatchObject({ total: 1 })
  })

  test('equivalent arguments are the same call', async () => {
    const id = await store('One', { importance_score: 2, user_id: null, idempotency_key: 'k' })
    expect(await store('One', { idempotency_key: 'k', importance_score: '2' })).toBe(id)
  })

  test('keys are separate per client and owner', async () => {
    const id = await store('One', { idempotency_key: '1' })
    const other = withId.parse(await call('memory/store_memory', { content: 'Two', idempotency_key: '1' }, { actor: 'mcp:other' })).id
    const owned = await store('Three', { idempotency_key: '1', user_id: 'bea' })
    expect(new Set([id, other, owned]).size).toBe(3)
  })

  test('a call that changed nothing or failed runs again', async () => {
    expect(await call('memory/invalidate', { id: 'nowhere', idempotency_key: 'k' })).toEqual({ invalidated: false })
    await expect(call('memory/update_memory', { id: 'nowhere', content: 'x', idempotency_key: 'k' })).rejects.toThrow('Memory not found')
    const id = await store('There', { idempotency_key: 'k' })
    expect(await call('memory/get_memory', { id })).toMatchObject({ content: 'There' })
  })

  test.each([['', ' ', 7, 'x'.repeat(256)]].flat())('%j is no key', async (idempotency_key) => {
    await expect(call('memory/store_memory', { content: 'x', idempotency_key })).rejects.toThrow(
      'Invalid idempotency_key: must be text of 1 to 255 characters',
    )
  })

  test('masked kinds are reported again, and the stored answer contains no secret', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const input = { text: `The token is ${secret}`, idempotency_key: 'k' }
    const first = await call('graph/create_node', input)
    expect(first).toMatchObject({ masked: [expect.any(String)] })
    expect(await call('graph/create_node', input)).toMatchObject({ masked: first.masked })
    const { store: kept } = world.backend
    expect(await kept.countFacts({})).toBe(1)
    expect(JSON.stringify(await call('graph/create_node', input))).not.toContain(secret)
  })

  test('a read accepts none', async () => {
    await expect(call('memory/recall', { query: 'x', idempotency_key: 'k' })).rejects.toThrow('Unknown argument: idempotency_key')
  })
})
