import fc from 'fast-check'
import { describe, test, vi } from 'vitest'
import { type Fact, SCOPES } from '../../src/core/fact.js'
import { fromWire, toWire } from '../../src/core/federation/wire-fact.js'
import { LOCAL, reaches } from '../../src/core/visibility.js'
import { handClock } from '../contract/samples.js'
import { type House, openHouse } from '../doors/house.js'
import { EVENTUALLY } from '../eventually.js'

// What a key may not see changes nothing of what it is answered: not a byte, not a count, not a score.

const ENTITIES = ['user:ann', 'stigmem://acme/person/bob', 'project:heron', 'user:cy']
const RELATIONS = ['memory:likes', 'memory:role', 'work:knows']
const WORDS = ['otters near the mill', 'herons on the hill', 'the old mill', 'a lead of the heron team', 'tea']
const GARDENS = { den: 'team', loft: 'public' } as const
const START = 1_790_000_000_000_000

interface Step {
  readonly kind: 'fact' | 'memory' | 'retract'
  readonly owner: 'ann' | 'bob'
  readonly entity: string
  readonly relation: string
  readonly words: string
  readonly ref: string | null
  readonly scope: (typeof SCOPES)[number]
  readonly garden: keyof typeof GARDENS | null
  readonly federated: boolean
  readonly confidence: number
  readonly target: number
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('fact', 'fact', 'fact', 'fact', 'memory', 'retract'),
  owner: fc.constantFrom('ann', 'ann', 'ann', 'bob'),
  entity: fc.constantFrom(...ENTITIES),
  relation: fc.constantFrom(...RELATIONS),
  words: fc.constantFrom(...WORDS),
  ref: fc.option(fc.constantFrom(...ENTITIES), { freq: 3, nil: null }),
  scope: fc.constantFrom(...SCOPES),
  garden: fc.option(fc.constantFrom('den', 'loft'), { freq: 3, nil: null }),
  federated: fc.boolean(),
  confidence: fc.constantFrom(1, 0.9, 0.6),
  target: fc.nat({ max: 20 }),
})

const reader = fc.record({
  scopes: fc.oneof(fc.constant<'all'>('all'), fc.subarray([...SCOPES], { minLength: 1 })),
  gardens: fc.subarray(['den', 'loft'] as const),
  federated: fc.boolean(),
})

interface World {
  readonly kind: 'sqlite' | 'ram'
  readonly house: House
  readonly clock: ReturnType<typeof handClock>
  /** The facts of each step, by its number. */
  readonly ids: Map<number, string>
}

async function openWorld(kind: 'sqlite' | 'ram'): Promise<World> {
  const clock = handClock(START)
  const house = await openHouse({ kind, clock })
  for (const owner of ['ann', 'bob'])
    for (const [slug, scope] of Object.entries(GARDENS))
      await house.engine.gardens.create(
        { principal: { ...LOCAL, owner }, actor: 'test' },
        { slug, name: slug, scope, description: null, quarantine: false },
      )
  return { kind, house, clock, ids: new Map() }
}

/** The class a step's fact belongs to: garden facts have the scope of their garden, peers send what is shared. */
function classOf({ kind, owner, scope, garden, federated }: Step) {
  if (kind === 'memory') return { owner, scope: 'local', garden: null, receivedFrom: null } as const
  if (garden !== null) return { owner, scope: GARDENS[garden], garden, receivedFrom: null } as const
  const isSent = federated && (scope === 'public' || scope === 'company')
  return { owner, scope, garden: null, receivedFrom: isSent ? 'mneme-peer' : null } as const
}

async function take({ house, clock, ids }: World, number: number, steps: readonly Step[]): Promise<void> {
  const one = steps[number]
  if (one === undefined) return
  clock.set(START + (number + 1) * 1e6)
  const { owner } = one
  const principal = { ...LOCAL, owner }
  const engine = house.engine.as(principal)
  if (one.kind === 'memory') {
    const [stored] = await engine.facts.remember({ actor: 'test', connection: 'c' }, [{ text: `${one.words} ${number}`, owner }])
    if (stored !== undefined) ids.set(number, stored.id)
    return
  }
  if (one.kind === 'retract') {
    const id = ids.get(one.target)
    if (id !== undefined)
      await engine.statements.retract({ principal: { ...LOCAL, owner: steps[one.target]?.owner ?? owner }, actor: 'test' }, { id })
    return
  }
  const { scope, garden, receivedFrom } = classOf(one)
  const value = one.ref === null ? { type: 'text' as const, v: one.words } : { type: 'ref' as const, v: one.ref }
  const said = { entity: one.entity, relation: one.relation, value, scope, source: `agent:${number % 3}`, confidence: one.confidence }
  if (receivedFrom === null) {
    const { fact } = await engine.statements.assert({ principal, actor: 'test' }, { ...said, ...(garden === null ? {} : { garden }) })
    ids.set(number, fact.id)
    return
  }
  const sent = await asSent(house, one, said)
  await house.opened.backend.store.commit({ actor: 'peer:mneme-peer', owners: [owner] }, (at) => [{ op: 'fact.put', fact: sent(at) }])
  ids.set(number, sent(0).id)
}

/** As a peer would have sent it: made by another owner's hand and taken back out. */
async function asSent(
  house: House,
  { owner }: Step,
  said: {
    readonly entity: string
    readonly relation: string
    readonly value: { readonly type: 'text' | 'ref'; readonly v: string }
    readonly scope: Fact['scope']
    readonly source: string
    readonly confidence: number
  },
): Promise<(at: number) => Fact> {
  const elsewhere = { ...LOCAL, owner: 'elsewhere' }
  const { fact } = await house.engine.as(elsewhere).statements.assert({ principal: elsewhere, actor: 'test' }, said)
  const id = crypto.randomUUID()
  return (at) =>
    fromWire(
      { ...toWire(fact), id },
      { owner, peer: 'mneme-peer', origin: 'mneme-peer', trust: 0.5, at, eventAt: fact.eventAt, validUntil: null, scope: fact.scope },
    )
}

/** Everything a reader may ask, on every door. */
function questions(kind: 'sqlite' | 'ram', ids: readonly string[], plain: boolean): readonly (readonly [string, string, unknown?])[] {
  const uri = encodeURIComponent
  const rpc = (name: string, args: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  return [
    ['GET', '/v1/facts'],
    ['GET', '/v1/facts?include_contradicted=true&include_expired=true&limit=3'],
    ...SCOPES.map((scope) => ['GET', `/v1/facts?scope=${scope}&include_contradicted=true`] as const),
    ...ENTITIES.flatMap((entity) => [
      ['GET', `/v1/facts?entity=${uri(entity)}`] as const,
      ['GET', `/v1/cards/${uri(entity)}?scope=public`] as const,
      ['GET', `/v1/graph/neighbors?entity=${uri(entity)}&scope=public&depth=2`] as const,
      ['GET', `/v1/graph/neighbors?entity=${uri(entity)}&scope=team`] as const,
      ['POST', '/v1/recall', { query: 'otters and herons', token_budget: 2000, entity }] as const,
    ]),
    ...['what of the mill and the herons', 'who is lead'].flatMap((query) => [
      ['POST', '/v1/recall', { query, token_budget: 4000, depth: 2, limit: 20 }] as const,
      ['POST', '/v1/recall', { query, token_budget: 300, scope: 'public', include_low_trust: true }] as const,
    ]),
    ...ids.flatMap((id) => [['GET', `/v1/facts/${id}`] as const, ['GET', `/v1/facts/${id}/provenance`] as const]),
    ['GET', '/v1/conflicts'],
    ['POST', '/v1/lint', { scope: 'public' }],
    ['POST', '/v1/lint', { scope: 'team' }],
    ['GET', '/v1/gardens'],
    ['POST', '/mcp/stigmem', rpc('query_facts', { limit: 50 })],
    ['POST', '/mcp/stigmem', rpc('recall', { query: 'the old mill', token_budget: 2000 })],
    ...(plain
      ? [
          ['POST', '/v1/memory/list_memories', {}] as const,
          ['POST', '/v1/memory/recall', { query: 'otters near the mill', explain: true }] as const,
          ['POST', '/v1/memory/search_text', { query: 'mill' }] as const,
          ['POST', '/v1/memory/search', { query: 'herons' }] as const,
          ['POST', '/v1/memory/get_status', {}] as const,
          ['POST', '/v1/graph/search', { query: 'heron' }] as const,
          // The oracle keeps one edge for two facts that say the same of two entities, and counts it by one of them.
          ...(kind === 'ram' ? [] : [['POST', '/v1/graph/get_stats', {}] as const]),
          ['POST', '/mcp/memory', rpc('recall', { query: 'tea' })] as const,
        ]
      : []),
  ]
}

/** Ids are drawn anew in each world; what stands for one place in a list of steps is the same. */
function masked(text: string, ids: ReadonlyMap<number, string>): string {
  let out = text
  for (const [number, id] of ids) out = out.replaceAll(id, `<fact ${number}>`)
  return (
    out
      .replace(/"id":"[a-z0-9]{20}"/gu, '"id":"<id>"')
      // The two sides of a conflict stand in the order of their ids, and an order of all that was said counts everything.
      .replace(/"fact_a":"([^"]+)","fact_b":"([^"]+)"/gu, (_, a: string, b: string) => `"sides":"${[a, b].sort().join(' ')}"`)
      .replace(/\d{13}\.\d{3}/gu, '<hlc>')
      // Records that take something back have ids that no step knows.
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, '<uuid>')
      .replace(/"(next_cursor|cursor)":"[^"]+"/gu, '"$1":"<cursor>"')
      // The id of a memory is its entity, which its content is named by.
      .replace(/sha256:[0-9a-f]{64}/gu, '<cid>')
      .replace(/"recall_id":"[^"]+"/gu, '"recall_id":"<id>"')
      .replace(/\\"recall_id\\":\\"[^"]+\\"/gu, '<id>')
  )
}

async function settle({ opened }: House): Promise<void> {
  await opened.environment.vectoriser.settle()
  await vi.waitFor(async () => {
    if ((await opened.backend.backlog.pending('facts')) > 0) {
      opened.environment.vectoriser.drain()
      throw new Error('a vector is still to be made')
    }
    if ((await opened.backend.statements.staleCards({}, 1)).length > 0) throw new Error('a card is still to be made')
  }, EVENTUALLY)
}

async function answers(world: World, key: string, asked: readonly string[], plain: boolean): Promise<readonly string[]> {
  const { house, ids } = world
  const out: string[] = []
  for (const [method, path, body] of questions(world.kind, asked, plain)) {
    const named = path.replace(/<fact (\d+)>/u, (_, number) => ids.get(Number(number)) ?? 'none')
    const given = { key, ...(body === undefined ? {} : { body }), headers: { accept: 'application/json, text/event-stream' } }
    const { status, text } = await house.ask(method, named, given)
    out.push(`${method} ${path} ${JSON.stringify(body)} ${status} ${masked(text, ids)}`)
  }
  return out
}

/** Where two answers part, with what stands around. */
function difference(a: string, b: string): string {
  const at = [...a].findIndex((character, index) => character !== b[index])
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 200)
  return `${a.slice(0, 120)}\n  with:    ${around(a)}\n  without: ${around(b)}`
}

const SEED = process.env.MNEME_LEAK_SEED
const RUNS = Number(process.env.MNEME_LEAK_RUNS ?? 3)

describe.each(['sqlite', 'ram'] as const)('with and without what is hidden, on %s', (kind) => {
  test('every answer of a key is the same, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 18 }), reader, async (steps, { scopes, gardens, federated }) => {
        const [whole, open] = [await openWorld(kind), await openWorld(kind)]
        try {
          const terms = {
            entity: 'user:reader',
            scopes,
            gardens: Object.fromEntries(gardens.map((slug) => [slug, 'reader' as const])),
            rights: federated ? (['read', 'federated'] as const) : (['read'] as const),
          }
          const keys = [(await whole.house.key(terms)).key, (await open.house.key(terms)).key]
          const reach = (await whole.house.engine.access.verify(keys[0] ?? ''))?.reach ?? 'everything'
          const isOpen = (one: Step): boolean => {
            const about = one.kind === 'retract' ? steps[one.target] : one
            return about !== undefined && about.kind !== 'retract' && reaches(reach, classOf(about))
          }
          for (const [number, one] of steps.entries()) {
            await take(whole, number, steps)
            if (isOpen(one)) await take(open, number, steps)
          }
          const now = START + 100e6
          for (const { house, clock } of [whole, open]) {
            clock.set(now)
            await settle(house)
          }
          const asked = steps.flatMap((one, number) => (isOpen(one) && one.kind === 'fact' ? [`<fact ${number}>`] : [])).slice(0, 4)
          const plain = scopes === 'all'
          const [a, b] = [await answers(whole, keys[0] ?? '', asked, plain), await answers(open, keys[1] ?? '', asked, plain)]
          for (const [index, answer] of a.entries()) if (answer !== b[index]) throw new Error(difference(answer, b[index] ?? ''))
        } finally {
          await whole.house.close()
          await open.house.close()
        }
      }),
      { numRuns: RUNS, endOnFailure: true, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    )
  })
})
