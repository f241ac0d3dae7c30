import { completeFact, type Fact, type Instant } from '../../src/core/facts/fact.js'
import type { Source } from '../../src/core/facts/source.js'
import type { Edge } from '../../src/core/graph/edge.js'
import type { Entity } from '../../src/core/graph/entity.js'
import { type Change, type CommitOwners, type FileChange, ownerOf } from '../../src/core/journal/change.js'
import type { Backend } from '../../src/ports/backend.js'
import type { Clock } from '../../src/ports/clock.js'

export const NOON: Instant = 1_780_000_000_000_000

/** A wall clock set by tests. */
export function handClock(start: Instant = NOON): Clock & { set(instant: Instant): void } {
  let instant = start
  return {
    now: () => instant,
    set: (next) => {
      instant = next
    },
  }
}

export const aFact = (input: Partial<Fact> & Pick<Fact, 'id'>): Fact => ({
  ...completeFact({
    id: input.id,
    owner: 'ann',
    text: `text of ${input.id}`,
    kind: 'fact',
    title: null,
    subject: null,
    predicate: null,
    value: null,
    author: null,
    session: null,
    date: null,
    scope: 'local',
    garden: null,
    status: 'active',
    confidence: 1,
    importance: 0.5,
    source: 'test',
    reason: null,
    eventAt: NOON,
    validFrom: NOON,
    validUntil: null,
    recordedAt: NOON,
    updatedAt: NOON,
    expiresAt: null,
    ttlDays: null,
    supersededBy: null,
    derivedFrom: [],
    metadata: {},
    autoLink: true,
    dedupAt: null,
    version: 1,
  }),
  ...input,
})

export const anEntity = (input: Partial<Entity> & Pick<Entity, 'id' | 'name'>): Entity => ({
  owner: 'ann',
  type: 'thing',
  description: null,
  aliases: [],
  uri: null,
  status: 'active',
  source: 'test',
  metadata: {},
  createdAt: NOON,
  updatedAt: NOON,
  expiresAt: null,
  ttlDays: null,
  version: 1,
  ...input,
})

export const anEdge = (input: Partial<Edge> & Pick<Edge, 'id' | 'from' | 'to'>): Edge => ({
  owner: 'ann',
  fromKind: 'entity',
  toKind: 'entity',
  type: 'KNOWS',
  weight: 1,
  confidence: 1,
  trust: null,
  scope: 'local',
  properties: {},
  factId: null,
  createdAt: NOON,
  validUntil: null,
  version: 1,
  ...input,
})

export const aSource = (input: Partial<Source> & Pick<Source, 'id'>): Source => ({
  owner: 'ann',
  kind: 'repo',
  title: 'A project',
  origin: '/projects/one',
  fingerprint: 'x',
  status: 'active',
  metadata: {},
  createdAt: NOON,
  updatedAt: NOON,
  version: 1,
  ...input,
})

/** A file with one passage per text. */
export const aFile = (source: Source, path: string, texts: readonly string[], stamp = ''): FileChange => ({
  path,
  size: texts.join('').length,
  modifiedAt: NOON,
  hash: `${path}${stamp}`,
  gone: false,
  passages: texts.map((text, ordinal) => ({
    id: `${source.id}:${path}:${ordinal}${stamp}`,
    owner: source.owner,
    sourceId: source.id,
    path,
    ordinal,
    text,
    kind: 'function',
    language: 'typescript',
    name: `part${ordinal}`,
    scopePath: null,
    startLine: ordinal * 10 + 1,
    endLine: ordinal * 10 + 9,
    hash: text,
    embedText: `to embed: ${text}`,
  })),
  references: texts.length > 1 ? [{ ordinal: 0, kind: 'calls', name: 'part1', module: null }] : [],
})

export const goneFile = (path: string): FileChange => ({
  path,
  size: 0,
  modifiedAt: NOON,
  hash: '',
  gone: true,
  passages: [],
  references: [],
})

export const putFact = (input: Parameters<typeof aFact>[0]): Change => ({ op: 'fact.put', fact: aFact(input) })
export const putEntity = (input: Parameters<typeof anEntity>[0]): Change => ({ op: 'entity.put', entity: anEntity(input) })
export const putEdge = (input: Parameters<typeof anEdge>[0]): Change => ({ op: 'edge.put', edge: anEdge(input) })

/** Owners of these changes. */
export function ownersIn(changes: readonly Change[]): CommitOwners {
  const owners = changes.map(ownerOf)
  return owners.includes(null) ? 'everyone' : [...new Set(owners.flatMap((owner) => owner ?? []))]
}

export const commit = (backend: Backend, ...changes: readonly Change[]) =>
  backend.store.commit({ actor: 'tester', owners: changes.length === 0 ? ['ann'] : ownersIn(changes) }, () => changes)

/** Journal entries omit empty fields. */
export const recorded = (noun: object): object => Object.fromEntries(Object.entries(noun).filter(([, member]) => member !== null))

export async function ridOf(backend: Backend, id: string): Promise<number> {
  const rid = (await (await backend.view('ann')).rows.ridsOf([id])).get(id)
  if (rid === undefined) throw new Error(`no row for ${id}`)
  return rid
}

/** Ids of facts with the terms, best first. */
export async function idsFound(backend: Backend, owner: string | undefined, ...terms: readonly string[]): Promise<readonly string[]> {
  const view = await backend.view(owner)
  const { hits } = await view.words.search(terms, { at: NOON + 1e9 }, 100, { title: 3, text: 1, near: 0, far: 0 })
  const ids = await view.rows.idsOf(hits.map((hit) => hit.rid))
  return hits.map((hit) => ids.get(hit.rid) ?? `row ${hit.rid} is gone`)
}

export const unit = (...components: readonly number[]): Float32Array => {
  const length = Math.hypot(...components)
  return Float32Array.from(components, (component) => component / length)
}

/** Stores a vector for every waiting fact. */
export async function embedAll(backend: Backend, vectorOf: (id: string) => Float32Array): Promise<number> {
  const waiting = await backend.backlog.next('facts', 1000)
  return await backend.backlog.fill(
    'facts',
    waiting.map(({ owner, rid, id, version }) => ({ owner, rid, id, version, vector: vectorOf(id) })),
  )
}

export async function idsNear(backend: Backend, owner: string | undefined, query: Float32Array, limit = 10): Promise<readonly string[]> {
  const view = await backend.view(owner)
  const hits = await view.vectors.search(query, { at: NOON + 1e9 }, limit)
  const ids = await view.rows.idsOf(hits.map((hit) => hit.rid))
  return hits.map((hit) => ids.get(hit.rid) ?? `row ${hit.rid} is gone`)
}

/** Everything a reader can see, to check that nothing changed. */
export async function everything(backend: Backend): Promise<unknown> {
  const facts = await backend.store.listFacts({ limit: 1000, offset: 0 })
  const view = await backend.view(undefined)
  const rids = await view.rows.ridsOf(facts.map((fact) => fact.id))
  const mentions = await view.links.mentions([...rids.values()])
  return {
    facts,
    rids: [...rids],
    mentions: [...mentions].map(([rid, names]) => [rid, [...names].sort()]),
    entities: await backend.store.listEntities({ limit: 1000, offset: 0 }),
    edges: await backend.store.edges({ limit: 1000 }),
    journal: await backend.store.journal({ limit: 1000 }),
    counts: await backend.store.counts(undefined),
    backlog: [await backend.backlog.next('facts', 1000), await backend.backlog.next('passages', 1000)],
  }
}
