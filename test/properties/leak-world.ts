import fc from 'fast-check'
import { vi } from 'vitest'
import { LOCAL_PRINCIPAL, type Principal } from '../../src/core/access/access-filter.js'
import { type Fact, SCOPES } from '../../src/core/facts/fact.js'
import { fromWire, toWire } from '../../src/core/federation/wire-fact.js'
import { createGarden } from '../../src/engine/access/gardens.js'
import { remember } from '../../src/engine/facts/remember.js'
import { searchNodes } from '../../src/engine/graph/search-nodes.js'
import { assertStatement, retractStatement } from '../../src/engine/stigmem/assert.js'
import { createPolicy } from '../../src/engine/stigmem/decay.js'
import type { Assertion } from '../../src/engine/stigmem/new-statement.js'
import { handClock } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { type House, openHouse } from '../http-access/house.js'

export const ENTITIES = ['user:ann', 'stigmem://acme/person/bob', 'project:heron'] as const
export const RELATIONS = ['memory:likes', 'work:knows'] as const
const WORDS = ['otters near the mill', 'herons on the hill', 'the old mill', 'a lead of the heron team', 'tea']
const GARDENS = { den: 'team', loft: 'public' } as const
const START = 1_790_000_000_000_000
/** Steps are far enough apart that cached trust of a source expires. */
const APART = 61e6
export const END = START + 100 * APART

export interface Step {
  readonly kind: 'fact' | 'memory' | 'retract'
  readonly owner: 'ann' | 'bob'
  readonly entity: (typeof ENTITIES)[number]
  readonly relation: (typeof RELATIONS)[number]
  readonly words: string
  readonly ref: string | null
  readonly scope: (typeof SCOPES)[number]
  readonly garden: keyof typeof GARDENS | null
  readonly federated: boolean
  readonly confidence: number
  readonly target: number
  readonly parent: number | null
}

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('fact', 'fact', 'fact', 'fact', 'memory', 'retract'),
  owner: fc.constantFrom('ann', 'ann', 'ann', 'ann', 'bob'),
  entity: fc.constantFrom(...ENTITIES),
  relation: fc.constantFrom(...RELATIONS),
  words: fc.constantFrom(...WORDS),
  ref: fc.option(fc.constantFrom(...ENTITIES), { freq: 3, nil: null }),
  scope: fc.constantFrom('public', 'public', ...SCOPES),
  garden: fc.option(fc.constantFrom('den', 'loft'), { freq: 3, nil: null }),
  federated: fc.boolean(),
  confidence: fc.constantFrom(1, 0.9, 0.6),
  target: fc.nat({ max: 20 }),
  parent: fc.option(fc.nat({ max: 20 }), { freq: 3, nil: null }),
})

export interface World {
  readonly kind: 'sqlite' | 'ram'
  readonly house: House
  readonly clock: ReturnType<typeof handClock>
  /** Writers of each owner, with a key, so that trust is computed. */
  readonly writers: Readonly<Record<string, Principal>>
  /** Facts of each step, by number. */
  readonly ids: Map<number, string>
  /** The hash of each, shared between worlds: a fact may name a parent that does not exist. */
  readonly hashes: Map<number, string>
}

export async function openWorld(kind: 'sqlite' | 'ram', hashes: World['hashes']): Promise<World> {
  const clock = handClock(START)
  const house = await openHouse({ kind, clock, flags: { sourceAttestationMode: 'warn' } })
  const writers: Record<string, Principal> = {}
  for (const owner of ['ann', 'bob']) {
    const caller = { principal: { ...LOCAL_PRINCIPAL, owner }, actor: 'test' }
    for (const [slug, scope] of Object.entries(GARDENS))
      await createGarden(house.engine.context(), caller, { slug, name: slug, scope, description: null, quarantine: false })
    await createPolicy(house.engine.context(), caller, {
      relation: 'memory:*',
      mode: 'confidence',
      half_life_s: 86_400,
      min_confidence: 0.01,
    })
    const { key } = await house.key({ owner, entity: 'agent:0', rights: ['read', 'write', 'admin', 'federated'] })
    writers[owner] = (await house.engine.keyRing.verify(key)) ?? LOCAL_PRINCIPAL
  }
  return { kind, house, clock, writers, ids: new Map(), hashes }
}

/** The access class of a step's fact: garden facts have the scope of their garden, peers send shared facts. */
export function classOf({ kind, owner, scope, garden, federated }: Step) {
  if (kind === 'memory') return { owner, scope: 'local', garden: null, receivedFrom: null } as const
  if (garden !== null) return { owner, scope: GARDENS[garden], garden, receivedFrom: null } as const
  const isSent = federated && (scope === 'public' || scope === 'company')
  return { owner, scope, garden: null, receivedFrom: isSent ? 'mneme-peer' : null } as const
}

/** True if a step is about something with this property; a retraction is as visible as its target. */
export function isAbout(steps: readonly Step[], entry: Step, test: (subject: ReturnType<typeof classOf>, step: Step) => boolean): boolean {
  const about = entry.kind === 'retract' ? steps[entry.target] : entry
  return about !== undefined && about.kind !== 'retract' && test(classOf(about), about)
}

export async function take({ house, clock, ids, hashes, writers }: World, number: number, steps: readonly Step[]): Promise<void> {
  const step = steps[number]
  if (step === undefined) return
  clock.set(START + (number + 1) * APART)
  const { owner } = step
  const writer = writers[step.kind === 'retract' ? (steps[step.target]?.owner ?? owner) : owner] ?? LOCAL_PRINCIPAL
  const context = house.engine.context({ principal: writer })
  if (step.kind === 'memory') {
    const [stored] = await remember(house.engine.context(), { actor: 'test', connection: 'c' }, [
      { text: `${step.words} ${number}`, owner },
    ])
    if (stored !== undefined) ids.set(number, stored.id)
    return
  }
  if (step.kind === 'retract') {
    const id = ids.get(step.target)
    if (id !== undefined) await retractStatement(context, { principal: writer, actor: 'test' }, { id })
    return
  }
  const { scope, garden, receivedFrom } = classOf(step)
  const value = step.ref === null ? { type: 'text' as const, v: step.words } : { type: 'ref' as const, v: step.ref }
  const statement = {
    entity: step.entity,
    relation: step.relation,
    value,
    scope,
    source: `agent:${number % 2}`,
    confidence: step.confidence,
  }
  if (receivedFrom === null) {
    const derivedFrom = step.parent === null ? [] : [(step.parent < number ? hashes.get(step.parent) : undefined) ?? '0'.repeat(64)]
    const more = { ...(garden === null ? {} : { garden }), derivedFrom }
    const { fact } = await assertStatement(context, { principal: writer, actor: 'test' }, { ...statement, ...more })
    ids.set(number, fact.id)
    if (fact.hash !== null) hashes.set(number, fact.hash)
    return
  }
  const sent = await asSent(house, step, statement)
  await house.opened.backend.store.commit({ actor: 'peer:mneme-peer', owners: [owner] }, (now) => [{ op: 'fact.put', fact: sent(now) }])
  ids.set(number, sent(0).id)
}

/** As a peer would have sent it: made by another owner's hand and taken back out. */
async function asSent(house: House, { owner }: Step, assertion: Assertion): Promise<(now: number) => Fact> {
  const elsewhere = { ...LOCAL_PRINCIPAL, owner: 'elsewhere' }
  const { fact } = await assertStatement(house.engine.context({ principal: elsewhere }), { principal: elsewhere, actor: 'test' }, assertion)
  const id = crypto.randomUUID()
  return (now) =>
    fromWire(
      { ...toWire(fact), id },
      { owner, peer: 'mneme-peer', origin: 'mneme-peer', trust: 0.5, at: now, eventAt: fact.eventAt, validUntil: null, scope: fact.scope },
    )
}

export async function settle({ opened, engine }: House): Promise<void> {
  await opened.environment.embedding.embedPending()
  await vi.waitFor(async () => {
    if ((await opened.backend.backlog.pending('facts')) > 0) {
      opened.environment.embedding.drain()
      throw new Error('a vector is still to be made')
    }
    if ((await opened.backend.statements.staleCards({}, 1)).length > 0) throw new Error('a card is still to be made')
    if ((await opened.backend.graph.unlinked(1)).length > 0) {
      await searchNodes(engine.context(), {
        owner: 'ann',
        text: 'x',
        limit: 1,
        kinds: [],
        lives: [],
        threshold: 1,
        signal: AbortSignal.timeout(60_000),
      })
      throw new Error('a fact is still to be compared with others')
    }
  }, EVENTUALLY)
}

/** Replaces ids, which differ between worlds, by their position in the list of steps. */
export function masked(text: string, ids: ReadonlyMap<number, string>): string {
  let out = text
  for (const [number, id] of ids) out = out.replaceAll(id, `<fact ${number}>`)
  return (
    out
      .replace(/"id":"[a-z0-9]{20}"/gu, '"id":"<id>"')
      // Commits at one instant of this clock are a microsecond apart.
      .replace(/(T\d\d:\d\d:\d\d\.\d{3})\d+Z/gu, '$1Z')
      // Links created at one instant, and their targets, are ordered by id.
      .replace(
        /"edges":\[(\{[^\]]*\})\]/gu,
        (_, edges: string) =>
          `"edges":[${edges
            .split(/(?<=\}),(?=\{)/u)
            .sort()
            .join(',')}]`,
      )
      .replace(
        /"nodes":\[(.*)\],"edges"/gu,
        (_, nodes: string) =>
          `"nodes":[${nodes
            .split(/(?<=\}),(?=\{"id")/u)
            .sort()
            .join(',')}],"edges"`,
      )
      // The HLC counts all commits.
      .replace(/\d{13}\.\d{3}/gu, '<hlc>')
      // Retraction records have ids of their own.
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, '<uuid>')
      // The value that names the sides of a conflict lists them in the order of their ids.
      .replace(/\[\\"([^"\\]+)\\",\\"([^"\\]+)\\"\]/gu, (_, a: string, b: string) => `[${[a, b].sort().join(' ')}]`)
      .replace(/"(next_cursor|cursor)":"([^"]+)"/gu, (_, name: string, cursor: string) => `"${name}":"<cursor of ${cursor.length}>"`)
      // The content id includes the id of a memory.
      .replace(/sha256:[0-9a-f]{64}/gu, '<cid>')
      .replace(/"signature":"[^"]+"/gu, '"signature":"<signature>"')
      .replace(/\\?"recall_id\\?":\\?"[^"]+"/gu, '<id>')
      .replace(/(aud|patch|mref):[0-9a-f]{32}/gu, '<event>')
  )
}
