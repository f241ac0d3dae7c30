import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONTRACT_NAMES, loadContracts } from '../../src/open.js'
import { openHttpServer } from '../../src/surfaces/http/server.js'
import { listTools } from '../../src/surfaces/mcp/tools.js'
import { type House, openHouse } from '../http-access/house.js'
import { memoryLog } from '../surfaces/fake-host.js'
import { fact, ref } from './node.js'

const run = promisify(execFile)

const codeIn = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): unknown => {
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

describe('stigmem over HTTP', () => {
  let house: House
  beforeEach(async () => {
    house = await openHouse()
  })
  afterEach(() => house.close())

  const post = (path: string, body: unknown) => house.ask('POST', path, { body })

  test('routes have the statuses of the contract, and errors name their code', async () => {
    const made = await post('/v1/facts', fact('user:a', 'memory:role', 'CEO'))
    expect([made.status, (await post('/v1/facts', fact('user:a', 'memory:role', 'CEO'))).status]).toEqual([201, 200])
    expect((await house.ask('PUT', '/v1/facts', { body: fact('user:b', 'memory:role', 'CTO') })).status).toBe(201)
    const id = String(made.body.id)
    const statusAndCode = async (method: string, path: string, body?: unknown) => {
      const answer = await house.ask(method, path, body === undefined ? {} : { body })
      return [answer.status, codeIn(answer) ?? 'ok']
    }
    const table: readonly (readonly [string, string, unknown, number, string])[] = [
      ['GET', `/v1/facts/${id}`, undefined, 200, 'ok'],
      ['GET', '/v1/facts/none', undefined, 404, 'fact_not_found'],
      ['GET', '/v1/facts?entity=user:a&limit=2', undefined, 200, 'ok'],
      ['GET', '/v1/facts?colour=red', undefined, 422, 'invalid_input'],
      ['GET', '/v1/facts?entity=', undefined, 400, 'invalid_entity_uri'],
      ['GET', '/v1/facts?limit=0', undefined, 422, 'invalid_input'],
      ['PATCH', `/v1/facts/${id}`, { derived_from: [] }, 422, 'derived_from_immutable'],
      ['PATCH', `/v1/facts/${id}`, { confidence: 0.1 }, 422, 'fact_immutable'],
      ['PATCH', '/v1/facts/none', { derived_from: [] }, 404, 'fact_not_found'],
      ['DELETE', `/v1/facts/${id}`, undefined, 405, 'method_not_allowed'],
      ['GET', `/v1/facts/${id}/provenance?depth=5`, undefined, 200, 'ok'],
      ['GET', `/v1/facts/${id}/provenance?depth=6`, undefined, 400, 'graph_depth_exceeded'],
      ['GET', '/v1/graph/neighbors?entity=user:a&scope=company', undefined, 200, 'ok'],
      ['GET', '/v1/graph/neighbors?entity=user:a&scope=company&depth=4', undefined, 400, 'graph_depth_exceeded'],
      ['GET', '/v1/graph/neighbors?entity=user:a', undefined, 422, 'invalid_input'],
      ['GET', '/v1/graph/neighbors?entity=user:a&scope=company&relation_filter=a.*b', undefined, 400, 'invalid_relation_filter'],
      ['GET', '/v1/graph/neighbors?entity=user:a&scope=company&cursor=x', undefined, 400, 'invalid_cursor'],
      ['GET', `/v1/recall?query=role&token_budget=500&weights=${encodeURIComponent('{"lex":1,"vec":0,"graph":0}')}`, undefined, 200, 'ok'],
      [
        'GET',
        `/v1/recall?query=role&token_budget=500&weights=${encodeURIComponent('{"lex":1,"vec":1}')}`,
        undefined,
        400,
        'invalid_weights',
      ],
      ['GET', '/v1/recall?query=role&token_budget=0', undefined, 400, 'invalid_token_budget'],
      ['POST', '/v1/recall', { query: 'role', token_budget: 500, depth: 3 }, 400, 'recall_depth_exceeded'],
      ['POST', '/v1/recall', { token_budget: 500 }, 422, 'invalid_input'],
      ['POST', '/v1/recall', '{"query":', 400, 'invalid_input'],
      ['POST', '/v1/facts', [1], 422, 'invalid_input'],
      ['POST', '/v1/facts', fact('user:a', 'stigmem:x', 'y'), 403, 'reserved_namespace'],
      ['GET', '/v1/cards/user:a', undefined, 200, 'ok'],
      ['GET', '/v1/cards/user%3Aa', undefined, 200, 'ok'],
      ['GET', '/v1/cards/user:absent', undefined, 404, 'card_not_found'],
      ['GET', '/v1/conflicts?status=unresolved', undefined, 200, 'ok'],
      ['POST', '/v1/conflicts/none/resolve', { winning_fact_id: id }, 404, 'conflict_not_found'],
      ['POST', '/v1/lint', { scope: 'company' }, 200, 'ok'],
      ['POST', '/v1/decay/sweep', { scope: 'company' }, 200, 'ok'],
      ['POST', '/v1/decay/policies', { relation: 'x:*', half_life_s: 60 }, 201, 'ok'],
      ['DELETE', '/v1/decay/policies/none', undefined, 404, 'policy_not_found'],
      ['POST', `/v1/facts/${id}/retract`, { reason: 'wrong' }, 200, 'ok'],
      ['GET', '/.well-known/stigmem', undefined, 200, 'ok'],
    ]
    for (const [method, path, body, status, code] of table)
      expect([path, ...(await statusAndCode(method, path, body))]).toEqual([path, status, code])
    const refused = await house.ask('GET', '/v1/facts/none')
    expect(refused.body).toMatchObject({ error: { code: 'fact_not_found' }, detail: expect.any(String) })
  })

  test('bodies of another type or without one are rejected, and so are invalid addresses', async () => {
    const plain = await house.ask('POST', '/v1/facts', { body: '{}', headers: { 'content-type': 'text/plain' } })
    expect(plain.status).toBe(415)
    expect((await house.ask('GET', '/v1/cards/%ff%fe')).status).toBe(400)
    expect((await house.ask('GET', '/v1/facts/%')).status).toBe(400)
    expect((await post('/v1/facts', fact('user:a', 'memory:x', 'y'.repeat(200_000)))).status).toBe(413)
  })

  test('a card is found by its URI, raw or escaped', async () => {
    await post('/v1/facts', ref('stigmem://acme/person/ines', 'memory:knows', 'stigmem://acme/person/bob'))
    for (const path of ['stigmem://acme/person/ines', encodeURIComponent('stigmem://acme/person/ines')])
      expect((await house.ask('GET', `/v1/cards/${path}`)).body).toMatchObject({ entity_uri: 'stigmem://acme/person/ines' })
  })

  test('with keys, requests without one are rejected, and each key sees its own data', async () => {
    const ann = await house.key({ owner: 'ann', entity: 'user:ann', scopes: 'all' })
    const bob = await house.key({ owner: 'bob', entity: 'user:bob' })
    expect((await house.ask('GET', '/v1/facts')).status).toBe(401)
    const answered = await house.ask('POST', '/v1/facts', {
      key: ann.key,
      body: { ...fact('user:ann', 'memory:x', 'y'), source: 'user:ann' },
    })
    expect([answered.status, answered.body.attested, answered.body.source_trust]).toEqual([201, true, 0.64])
    expect((await house.ask('GET', `/v1/facts/${String(answered.body.id)}`, { key: bob.key })).status).toBe(404)
    expect((await house.ask('GET', '/v1/facts', { key: bob.key })).body).toMatchObject({ total: 0 })
    expect((await house.ask('POST', '/v1/decay/sweep', { key: ann.key, body: {} })).status).toBe(403)
  })
})

describe('stigmem tools', () => {
  test('are eleven, listed within 16 KB', async () => {
    const tools = [...listTools(await loadContracts(['stigmem'])).values()].filter(({ operation }) => operation.listed)
    expect(tools.map(({ listing }) => listing().name).sort()).toEqual(
      [
        ...['assert_fact', 'query_facts', 'get_fact', 'retract_fact', 'recall', 'neighbors', 'provenance', 'memory_card'],
        ...['resolve_contradiction', 'lint_scope', 'decay_scope'],
      ].sort(),
    )
    expect(JSON.stringify({ tools: tools.map(({ listing }) => listing()) }).length).toBeLessThan(16_384)
  })
})

describe('docs/stigmem.md', () => {
  let house: House
  let server: Awaited<ReturnType<typeof openHttpServer>>
  beforeAll(async () => {
    house = await openHouse()
    const contracts = await loadContracts(CONTRACT_NAMES)
    const host = { version: '1', contracts: [], engine: async () => house.engine, close: async () => undefined }
    const access = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }
    server = await openHttpServer({ host, log: memoryLog(), contracts, port: 0, access, announce: () => undefined })
  })
  afterAll(async () => {
    await server.close()
    await house.close()
  })

  const examples = [...readFileSync('docs/stigmem.md', 'utf8').matchAll(/```sh\n(curl [\s\S]*?)```/gu)].map(([, command = '']) => command)

  test('every example runs unchanged', async () => {
    expect(examples.length).toBeGreaterThan(7)
    for (const command of examples) {
      const { stdout } = await run('bash', ['-c', command.replaceAll('http://127.0.0.1:7077', server.url)], {
        encoding: 'utf8',
        timeout: 60_000,
      })
      expect(JSON.parse(stdout), command).not.toHaveProperty('error')
    }
  })
})
