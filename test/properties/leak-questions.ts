import { SCOPES } from '../../src/core/facts/fact.js'
import { ENTITIES, masked, RELATIONS, type World } from './leak-world.js'

type Question = readonly [method: string, path: string, body?: unknown]

const uri = encodeURIComponent
const rpc = (name: string, args: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

/** Queries about statements that every key may make. */
const aboutStatements = (ids: readonly string[]): readonly Question[] => [
  ['GET', '/v1/facts'],
  ['GET', '/v1/facts?include_contradicted=true&include_expired=true&limit=2'],
  ['GET', '/v1/facts?source=agent:1&include_contradicted=true&include_expired=true'],
  ['GET', '/v1/facts?relation=stigmem:conflict:between'],
  ['GET', '/v1/facts?relation=stigmem:memory:card'],
  ['GET', '/v1/conflicts?limit=1'],
  ...SCOPES.map((scope): Question => ['GET', `/v1/facts?scope=${scope}&include_contradicted=true`]),
  ...ENTITIES.flatMap((entity): readonly Question[] => [
    ['GET', `/v1/facts?entity=${uri(entity)}`],
    ['GET', `/v1/cards/${uri(entity)}?scope=public`],
    ['GET', `/v1/cards/${uri(entity)}`],
    ['GET', `/v1/graph/neighbors?entity=${uri(entity)}&scope=public&depth=2&page_size=1`],
    ['GET', `/v1/graph/neighbors?entity=${uri(entity)}&scope=team&min_trust=0.5`],
    ['POST', '/v1/recall', { query: 'otters and herons', token_budget: 2000, entity }],
  ]),
  ...['what of the mill and the herons', 'who is lead'].flatMap((query): readonly Question[] => [
    ['POST', '/v1/recall', { query, token_budget: 4000, depth: 2, limit: 20, debug: true }],
    ['POST', '/v1/recall', { query, token_budget: 300, scope: 'public', include_low_trust: true }],
  ]),
  ...ids.flatMap((id): readonly Question[] => [
    ['GET', `/v1/facts/${id}`],
    ['GET', `/v1/facts/${id}/provenance`],
    ['POST', `/v1/facts/${id}/retract`, {}],
    ['PATCH', `/v1/facts/${id}`, { confidence: 1 }],
  ]),
  ['GET', '/v1/conflicts'],
  ['POST', '/v1/lint', { scope: 'public' }],
  ['POST', '/v1/lint', { scope: 'team' }],
  ['GET', '/v1/gardens'],
  ['GET', '/v1/decay/policies'],
  ['POST', '/v1/decay/sweep', { scope: 'public', mode: 'dry_run' }],
  ['POST', '/mcp/stigmem', rpc('query_facts', { limit: 50 })],
  ['POST', '/mcp/stigmem', rpc('recall', { query: 'the old mill', token_budget: 2000 })],
]

/** Queries through the other contracts, for a key with all scopes. */
const aboutAll = (kind: 'sqlite' | 'ram', ids: readonly string[]): readonly Question[] => [
  ['POST', '/v1/memory/list_memories', {}],
  ['POST', '/v1/memory/list_memories', { limit: 2, offset: 1 }],
  ['POST', '/v1/memory/recall', { query: 'otters near the mill', explain: true }],
  ['POST', '/v1/memory/search_text', { query: 'mill' }],
  ['POST', '/v1/memory/search', { query: 'herons' }],
  ['POST', '/v1/memory/get_valid', {}],
  ['POST', '/v1/memory/get_status', {}],
  ['POST', '/v1/graph/search', { query: 'heron' }],
  ['POST', '/v1/graph/search_triplets', { subject: ENTITIES[0] }],
  ['POST', '/v1/graph/health_check', {}],
  ...ids.flatMap((id): readonly Question[] => [
    ['POST', '/v1/memory/get_memory', { id }],
    ['POST', '/v1/graph/get_node', { node_id: id }],
    ['POST', '/v1/graph/get_node_change_history', { node_id: id }],
    ['POST', '/v1/graph/find_similar', { node_id: id }],
    ['POST', '/v1/graph/get_context', { node_id: id }],
    ['POST', '/v1/substrate/memory_query', { mode: 'expand', input_data: { id } }],
  ]),
  // The oracle has no projects, and keeps and counts one edge for two facts that state the same about two entities.
  ...(kind === 'ram' ? [] : [['POST', '/v1/graph/get_stats', {}] as const, ['POST', '/v1/memory/list_projects', {}] as const]),
  ['POST', '/v1/substrate/memory_query', { mode: 'context', input_data: { task: 'herons at the mill' } }],
  ['POST', '/v1/substrate/memory_query', { mode: 'search', input_data: { query: 'the old mill' } }],
  ['POST', '/v1/substrate/memory_query', { mode: 'recent', input_data: {} }],
  ['POST', '/mcp/memory', rpc('recall', { query: 'tea' })],
]

/** What a key with write access learns from writing, and what is visible afterwards. */
const byWriting = (scopes: readonly string[]): readonly Question[] => [
  ...scopes.flatMap((scope) =>
    RELATIONS.map((relation): Question => {
      const value = { type: 'text', v: 'the last word' }
      return ['POST', '/v1/facts', { entity: ENTITIES[0], relation, value, scope, source: 'agent:1', confidence: 0.8 }]
    }),
  ),
  ['GET', '/v1/conflicts'],
  ['GET', '/v1/facts?include_contradicted=true&include_expired=true'],
]

export interface Asking {
  readonly key: string
  /** Scopes of the key. */
  readonly scopes: readonly string[] | 'all'
  readonly writes: boolean
  /** Ids of the facts it requests, as `<fact 3>`. */
  readonly ids: readonly string[]
}

const MOST_PAGES = 30

/** The results of a key over every surface, page by page. */
export async function answers({ kind, house, ids }: World, { key, scopes, writes, ids: requested }: Asking): Promise<readonly string[]> {
  const out: string[] = []
  const named = (text: string): string => text.replace(/<fact (\d+)>/gu, (_, number) => ids.get(Number(number)) ?? 'none')
  const ask = async (method: string, path: string, body: unknown): Promise<string> => {
    const sent = body === undefined ? {} : { body: JSON.parse(named(JSON.stringify(body))) }
    const { status, text } = await house.ask(method, named(path), {
      key,
      ...sent,
      headers: { accept: 'application/json, text/event-stream' },
    })
    out.push(`${method} ${path.replace(/cursor=.*/u, 'cursor')} ${JSON.stringify(body)} ${status} ${masked(text, ids)}`)
    return text
  }
  const questions = [
    ...aboutStatements(requested),
    ...(scopes === 'all' ? aboutAll(kind, requested) : []),
    ...(writes ? byWriting(scopes === 'all' ? SCOPES : scopes) : []),
  ]
  for (const [method, path, body] of questions) {
    let text = await ask(method, path, body)
    for (let page = 0; page < MOST_PAGES && method === 'GET'; page++) {
      const cursor = /"(?:next_)?cursor":"([^"]+)"/u.exec(text)?.[1]
      if (cursor === undefined) break
      text = await ask(method, `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`, body)
    }
  }
  return out
}
