import { beforeAll, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from '../../src/contracts/contract.js'
import { loadContracts } from '../../src/open.js'
import { listTools } from '../../src/surfaces/mcp/tools.js'
import { openWorld } from '../graph/world.js'

/** Some clients truncate longer ones. */
const MOST_INSTRUCTIONS = 2000
const MOST_LISTING: Readonly<Record<string, number>> = { memory: 16_384, graph: 16_384, substrate: 16_384 }

let contracts: ReadonlyMap<string, Contract>
beforeAll(async () => {
  contracts = new Map((await loadContracts(['memory', 'graph', 'substrate'])).map((contract) => [contract.name, contract]))
})

const instructionsOf = (contract: string): string => contracts.get(contract)?.instructions ?? ''

describe('a client that shows only names and instructions knows what to call', () => {
  it.each([
    [
      'memory',
      ['recall', 'store_memory', 'invalidate', 'update_memory', 'search', 'search_text', 'list_memories', 'get_valid', 'get_valid_at'],
    ],
    [
      'memory',
      ['search_code', 'index_project', 'create_entity', 'create_relation', 'get_related', 'supersedes', 'user_id', 'idempotency_key'],
    ],
    ['graph', ['search', 'create_node', 'mark_outdated', 'update_node', 'create_triplet', 'create_relation', 'find_similar']],
    ['graph', ['search_triplets', 'get_context', 'get_trace', 'get_node_change_history', 'owner_id', 'idempotency_key']],
  ] as const)('the instructions of %s name %j', (contract, names) => {
    for (const name of names) expect(instructionsOf(contract)).toMatch(new RegExp(`\\b${name}\\b`, 'u'))
  })

  it.each(['memory', 'graph'])('the instructions of %s name no tool that is not there, and are short', (name) => {
    const contract = contracts.get(name)
    const tools = new Set(contract?.operations.map((operation) => operation.name))
    const properties = new Set(
      contract?.operations.flatMap(({ schemas }) => Object.keys(z.record(z.string(), z.unknown()).parse(schemas.input.properties))),
    )
    for (const [word] of instructionsOf(name).matchAll(/\b[a-z]+(?:_[a-z]+)+\b/gu))
      expect([word, tools.has(word) || properties.has(word)]).toEqual([word, true])
    expect(instructionsOf(name).length).toBeLessThanOrEqual(MOST_INSTRUCTIONS)
  })

  it.each(['recall', 'store_memory'])('they say when to call %s', (tool) => {
    expect(instructionsOf('memory')).toMatch(new RegExp(`Call ${tool} (?:at|as soon)`, 'u'))
  })

  it.each(['memory', 'graph', 'substrate'])('the listing of %s keeps its budget, output schemas included', (name) => {
    const contract = contracts.get(name)
    const tools = contract === undefined ? [] : [...listTools([contract]).values()].map(({ listing }) => listing)
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(MOST_LISTING[name] ?? 0)
  })
})

describe('owners searched by a query without an owner', () => {
  const requested = [
    ['recall', { query: 'kettle' }],
    ['search', { query: 'kettle' }],
    ['search_text', { query: 'kettle' }],
    ['list_memories', {}],
    ['get_valid', {}],
    ['get_valid_at', { timestamp: '2100-01-01' }],
  ] as const

  test.each([
    ['everyone', ['A kettle of Ann', 'A kettle']],
    ['default', ['A kettle']],
  ] as const)('with --recall-owner %s: %j', async (recallOwner, contents) => {
    const world = await openWorld({ recallOwner })
    try {
      await world.call('memory/store_memory', { content: 'A kettle' })
      await world.call('memory/store_memory', { content: 'A kettle of Ann', user_id: 'ann' })
      for (const [tool, input] of requested) {
        const { results, memories = results } = await world.call(`memory/${tool}`, input)
        const found = z.array(z.object({ content: z.string() })).parse(memories)
        expect([tool, found.map(({ content }) => content).sort()]).toEqual([tool, [...contents].sort()])
        const { results: named, memories: listed = named } = await world.call(`memory/${tool}`, { ...input, user_id: 'ann' })
        expect([tool, listed]).toEqual([tool, [expect.objectContaining({ content: 'A kettle of Ann' })]])
      }
    } finally {
      await world.close()
    }
  })
})
