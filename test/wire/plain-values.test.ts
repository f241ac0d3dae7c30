import { Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Contract } from '../../src/contracts/contract.js'
import { readPlain } from '../../src/contracts/wire-schema.js'
import { loadContracts } from '../../src/open.js'
import { openWorld } from '../graph/world.js'

describe('schemas list plain types, and text is converted to them', () => {
  let contracts: readonly Contract[]
  beforeAll(async () => {
    contracts = await loadContracts(['memory', 'graph', 'admin'])
  })

  it('pass a strict validator like that of the Inspector', () => {
    const warnings: string[] = []
    const note = (...words: readonly unknown[]): void => void warnings.push(words.join(' '))
    const ajv = new Ajv({ strict: 'log', allErrors: true, logger: { log: note, warn: note, error: note } })
    for (const contract of contracts)
      for (const { schemas } of contract.operations) for (const schema of [schemas.input, schemas.output]) ajv.compile({ ...schema })
    expect(warnings).toEqual([])
  })

  it('give every argument one type, so that a form or a shell can send it', () => {
    const property = z.looseObject({ type: z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array']) })
    for (const contract of contracts)
      for (const { name, schemas } of contract.operations)
        for (const [argument, schema] of Object.entries(z.record(z.string(), z.unknown()).parse(schemas.input.properties)))
          expect([name, argument, property.safeParse(schema).success]).toEqual([name, argument, true])
  })

  it('describe user_id in the same words everywhere', () => {
    const described = (contracts[0]?.operations ?? []).flatMap(({ schemas }) => {
      const { user_id } = z.object({ user_id: z.unknown().optional() }).parse(schemas.input.properties)
      return user_id === undefined ? [] : [JSON.stringify(user_id)]
    })
    expect(described.length).toBeGreaterThanOrEqual(18)
    expect(new Set(described).size).toBe(1)
  })

  it.each<[string, unknown, unknown]>([
    ['integer', '5', 5],
    ['integer', ' 5 ', 5],
    ['number', '-1.5e2', -150],
    ['number', '.5', 0.5],
    ['number', 'five', 'five'],
    ['number', '', ''],
    ['number', '0x10', '0x10'],
    ['number', '5 apples', '5 apples'],
    ['boolean', 'true', true],
    ['boolean', 'False', false],
    ['boolean', 'yes', 'yes'],
    ['string', '5', '5'],
    ['string', 'true', 'true'],
  ])('as %s %j is %j', (type, input, read) => {
    expect(readPlain({ type }, input)).toEqual(read)
    expect(readPlain({ properties: { a: { type: 'array', items: { type } } } }, { a: [input] })).toEqual({ a: [read] })
  })

  describe('values of calls', () => {
    let world: Awaited<ReturnType<typeof openWorld>>
    beforeAll(async () => {
      world = await openWorld()
    })
    afterAll(() => world.close())

    it('accepts numbers and booleans as text, and null as absent', async () => {
      await world.call('memory/store_memory', { content: 'The kettle is blue', importance_score: '2.5', user_id: null, metadata: null })
      const request = { query: 'kettle', limit: '1', include_code: 'false', explain: 'true', vector_weight: null, user_id: null }
      expect(await world.call('memory/recall', request)).toMatchObject({ results: [{ explain: {} }] })
      expect(await world.call('memory/list_memories', { limit: '1' })).toMatchObject({ limit: 1, memories: [{ importance_score: 2.5 }] })
      expect(await world.call('search', { query: 'kettle', limit: '3', include_outdated: 'true' })).toMatchObject({ success: true })
    })

    it('rejects text that is no number', async () => {
      await expect(world.call('memory/recall', { query: 'x', limit: 'many' })).rejects.toThrow(
        'Invalid limit: must be a whole number from 1 to 50',
      )
      await expect(world.call('memory/recall', { query: 'x', explain: 'maybe' })).rejects.toThrow('Invalid explain: must be true or false')
    })

    it('keeps text for text arguments', async () => {
      await world.call('memory/store_memory', { content: '42' })
      expect(await world.call('memory/search_text', { query: '42' })).toMatchObject({ results: [{ content: '42' }] })
    })
  })
})
