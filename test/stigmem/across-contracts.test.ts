import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { loadContracts } from '../../src/open.js'
import { BACKENDS, fact, listIn, openNode, ref, type TestNode } from './node.js'

describe.each(BACKENDS)('one memory through several contracts, on %s', (kind) => {
  let node: TestNode
  beforeEach(async () => {
    node = await openNode(kind)
  })
  afterEach(() => node.close())

  const tool = async (contract: string, name: string, input: Record<string, unknown>) => {
    const [found] = await loadContracts([contract])
    const operation = found?.operations.find((operation) => operation.name === name)
    if (operation === undefined) throw new Error(`There is no ${contract}/${name}`)
    const statement = {
      principal: LOCAL_PRINCIPAL,
      actor: 'test',
      connection: 'c',
      signal: new AbortController().signal,
      progress: () => undefined,
    }
    return JSON.stringify(await operation.call({ ...statement, context: node.engine.context() }, input))
  }

  test('a statement is found by the memory contract, and a memory is recalled as a statement', async () => {
    const payload = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour office'))
    expect(await tool('memory', 'search_text', { query: 'harbour' })).toContain(String(payload.id))
    expect(await tool('memory', 'get_memory', { id: payload.id })).toContain('leads the harbour office')
    const stored = JSON.parse(await tool('memory', 'store_memory', { content: 'The harbour freezes in January.' }))
    const found = await node.call('recall', { query: 'harbour freezes', token_budget: 500 })
    expect(listIn(found, 'results').map(({ entity }) => entity)).toContain(`mneme:fact/${stored.id}`)
    await tool('memory', 'invalidate', { id: payload.id })
    expect((await node.call('query_facts', { entity: 'user:ines' })).total).toBe(0)
  })

  test('a statement is not changed by another contract: its hash would no longer match', async () => {
    const payload = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour office'))
    await expect(tool('memory', 'update_memory', { id: payload.id, content: 'sweeps the pier' })).rejects.toMatchObject({
      reason: 'fact_immutable',
      hint: expect.stringContaining('assert_fact'),
    })
    await expect(tool('graph', 'update_node', { node_id: payload.id, text: 'sweeps the pier' })).rejects.toThrow('immutable')
    await tool('memory', 'update_memory', { id: payload.id, metadata: { seen: true } })
    expect(await node.call('get_fact', { id: payload.id })).toMatchObject({ value: payload.value, hash: payload.hash })
    expect(await tool('memory', 'get_memory', { id: payload.id })).toContain('leads the harbour office')
  })

  test('entities of statements are entities of the other contracts, without a row', async () => {
    await node.call('assert_fact', ref('user:ines', 'memory:knows', 'stigmem://acme/person/bob'))
    const related = await tool('memory', 'get_related', { entity_id: 'user:ines' })
    expect(related).toContain('stigmem://acme/person/bob')
    expect((await node.backend.store.listEntities({ owner: 'default', limit: 10, offset: 0 })).length).toBe(0)
    expect(await tool('graph', 'get_node', { node_id: 'stigmem://acme/person/bob' })).toContain('"Entity"')
  })

  test('system facts are in no list, count or result of other contracts', async () => {
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'CEO'))
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'CTO', { source: 'agent:b' }))
    await node.call('memory_card', { entity: 'user:ines' })
    const listed = await tool('memory', 'list_memories', {})
    expect(listed).not.toMatch(/stigmem:conflict|card-generator/)
    expect(JSON.parse(await tool('memory', 'get_status', {})).memories_count).toBe(2)
    expect(await tool('memory', 'search_text', { query: 'unresolved' })).not.toContain('conflict')
    await expect(tool('memory', 'get_memory', { id: 'card:user:ines:company' })).rejects.toThrow('not found')
  })
})
