import { setImmediate } from 'node:timers/promises'
import { byBytes } from '../../core/encoding/byte-order.js'
import type { Instant, Scope } from '../../core/facts/fact.js'
import { digestOf, openCursor, sealCursor } from '../../core/input/cursor.js'
import { refusal } from '../../core/input/refusal.js'
import { passes, type RelationFilter, relationFilter } from '../../core/statements/relation-glob.js'
import { normalUri } from '../../core/statements/uri.js'
import type { StatedEdge } from '../../ports/statements.js'
import type { Environment } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'
import { callerOf } from './list.js'
import { ownerOf, type StatementCaller } from './speaker.js'

export const MAX_DEPTH = 3
/** Limit of visited entities, which bounds the time of a page. */
const MAX_REACHED = 50_000
/** Counting stops here; the result then reports a lower bound. */
export const MAX_NEIGHBOURS_COUNTED = 10_000

interface NeighbourQuery {
  readonly owner: string
  /** Identifies the caller. */
  readonly caller: string
  readonly entity: string
  readonly depth: number
  readonly relations?: string | undefined
  readonly scope: Scope
  readonly leastConfidence: number
  readonly leastTrust: number
  readonly cursor?: string | undefined
  readonly limit: number
}

interface NeighbourEntity {
  readonly entity: string
  readonly relation: string
  readonly hops: number
  readonly confidence: number
  readonly trust: number | null
  /** The entities on the path from the start. */
  readonly path: readonly string[]
}

export interface Neighbourhood {
  readonly entity: string
  readonly neighbours: readonly NeighbourEntity[]
  readonly cursor: string | undefined
  readonly total: number
}

/** The start of a walk: its validity instant and the last commit it sees. */
interface FirstPage {
  readonly at: Instant
  readonly asOf: Instant
}

/** Entities around one, nearest first. A cursor continues on the edges as of the first page. */
export async function neighboursOf(
  env: Environment,
  speaker: StatementCaller,
  input: Omit<NeighbourQuery, 'owner' | 'caller'>,
): Promise<Neighbourhood> {
  const query: NeighbourQuery = { ...input, owner: ownerOf(env, speaker), caller: callerOf(speaker) }
  if (query.depth > MAX_DEPTH)
    throw refusal(
      'graph_depth_exceeded',
      `Invalid depth: ${query.depth}, at most ${MAX_DEPTH} is allowed`,
      'Ask for less, and go on from what is found.',
    )
  const { statements } = env
  const entity = normalUri(query.entity)
  const relations = query.relations === undefined ? undefined : relationFilter(query.relations)
  const key = await statements.cursorKey()
  const { cursor, owner, caller, depth, scope, leastConfidence, leastTrust, limit } = query
  const digest = digestOf({
    of: 'neighbors',
    caller,
    owner,
    entity,
    depth,
    scope,
    leastConfidence,
    leastTrust,
    limit,
    relations: query.relations ?? null,
  })
  const opened =
    cursor === undefined ? undefined : openedCursor(cursor, key, digest, env.clock.now() - env.settings.statements.cursorSeconds * 1e6)
  const began = opened ?? (await beginning(env, query.owner))
  const normalised = { ...query, relations }
  const { page, isMore, total } =
    depth === 1 ? await oneHop(env, entity, normalised, began, opened) : await manyHops(env, entity, normalised, began, opened)
  const last = isMore ? page[page.length - 1] : undefined
  const next =
    last === undefined
      ? undefined
      : sealCursor({ d: digest, at: began.at, asOf: began.asOf, hops: last.hops, entity: last.entity, n: total, t: env.clock.now() }, key)
  return { entity, neighbours: page, cursor: next, total }
}

interface NeighbourPage {
  readonly page: readonly NeighbourEntity[]
  readonly isMore: boolean
  readonly total: number
}

/** One hop in index order, so that a page takes constant time. */
async function oneHop(
  env: Environment,
  start: string,
  query: WalkQuery,
  began: FirstPage,
  opened: Position | undefined,
): Promise<NeighbourPage> {
  const { owner, scope, limit } = query
  const page: NeighbourEntity[] = []
  // The total was counted for the first page.
  const toCount = opened === undefined ? MAX_NEIGHBOURS_COUNTED : 0
  let total = 0
  for (let after = opened?.entity; ; ) {
    const read = await env.statements.edgesInOrder({ owner, node: start, scope, ...began, after })
    const found = new Map<string, NeighbourEntity>()
    for (const edge of await readable(env, read.edges.filter(isStrong(query)))) offer(found, edge, start, [], 1)
    found.delete(start)
    total += found.size
    page.push(...[...found.values()].sort(inOrder).slice(0, limit + 1 - page.length))
    if (read.through === null || (page.length > limit && total >= toCount)) break
    after = read.through
    await setImmediate()
  }
  return { page: page.slice(0, limit), isMore: page.length > limit, total: opened?.total ?? Math.min(total, MAX_NEIGHBOURS_COUNTED) }
}

/** Hop by hop, until the page is full and the total is known. */
async function manyHops(
  env: Environment,
  start: string,
  query: WalkQuery,
  began: FirstPage,
  opened: Position | undefined,
): Promise<NeighbourPage> {
  const isBehind = (entity: NeighbourEntity): boolean => opened === undefined || inOrder(entity, opened) > 0
  const toCount = opened === undefined ? MAX_NEIGHBOURS_COUNTED : 0
  const reached = await walk(env, start, query, began, (found, wave) => {
    if (found.size + wave.size < toCount) return false
    let behind = 0
    for (const some of [found, wave]) for (const entity of some.values()) if (isBehind(entity) && ++behind > query.limit) return true
    return false
  })
  const rest = [...reached.values()].filter(isBehind).sort(inOrder)
  return {
    page: rest.slice(0, query.limit),
    isMore: rest.length > query.limit,
    total: opened?.total ?? Math.min(reached.size, MAX_NEIGHBOURS_COUNTED),
  }
}

/** Now, or the time of the store if it is slightly ahead; later commits are later than both. */
async function beginning(env: Environment, owner: string): Promise<FirstPage> {
  const at = env.clock.now()
  return { at, asOf: Math.max(at - 1, await env.statements.lastCommit(owner)) }
}

interface Position extends Pick<NeighbourEntity, 'hops' | 'entity'> {
  /** The total counted for the first page. */
  readonly total: number
}
const inOrder = (a: Omit<Position, 'total'>, b: Omit<Position, 'total'>): number => a.hops - b.hops || byBytes(a.entity, b.entity)

function openedCursor(cursor: string, key: string, digest: string, oldest: Instant): FirstPage & Position {
  const { at, asOf, hops, entity, n: total, t } = openCursor(cursor, key, digest)
  if (typeof at !== 'number' || typeof asOf !== 'number' || typeof t !== 'number') throw refusal('invalid_cursor', 'Invalid cursor')
  if (typeof hops !== 'number' || typeof entity !== 'string' || typeof total !== 'number') throw refusal('invalid_cursor', 'Invalid cursor')
  if (t < oldest) throw refusal('cursor_expired', 'This cursor has expired', 'Begin again without a cursor.')
  return { at, asOf, hops, entity, total }
}

type WalkQuery = Omit<NeighbourQuery, 'relations'> & { readonly relations: RelationFilter | undefined }

/** Weak edges are excluded before the walk, not after it. */
const isStrong =
  ({ relations, leastConfidence, leastTrust }: WalkQuery) =>
  (edge: StatedEdge): boolean =>
    edge.confidence >= leastConfidence &&
    (edge.trust === null || edge.trust >= leastTrust) &&
    edge.confidence > 0 &&
    (relations === undefined || passes(relations, edge.relation))

/** Adds the other end of an edge, unless a better path to it is known. */
function offer(wave: Map<string, NeighbourEntity>, edge: StatedEdge, near: string, path: readonly string[], hops: number): void {
  for (const [from, far] of [
    [edge.from, edge.to],
    [edge.to, edge.from],
  ] as const) {
    if (from !== near) continue
    const found = { entity: far, relation: edge.relation, hops, confidence: edge.confidence, trust: edge.trust, path: [...path, near] }
    const known = wave.get(far)
    if (known === undefined || isBetter(found, known)) wave.set(far, found)
  }
}

type Wave = ReadonlyMap<string, NeighbourEntity>
/** True if the entities of earlier hops and of this one suffice. */
type Enough = (reached: Wave, wave: Wave) => boolean

/** Up to this many entities are read side by side, in order. */
const SMALL_FRONTIER = 16
/** In a small wave, entities with more edges are read in order and only as far as needed. */
const MANY_EDGES = 2000

/** Breadth-first, so every entity is reached on a shortest path. */
async function walk(env: Environment, start: string, query: WalkQuery, began: FirstPage, isEnough: Enough): Promise<Wave> {
  const reached = new Map<string, NeighbourEntity>()
  let frontier: ReadonlyMap<string, readonly string[]> = new Map([[start, []]])
  for (let hops = 1; hops <= query.depth && frontier.size > 0 && reached.size < MAX_REACHED; hops++) {
    const wave = await waveFrom(
      env,
      frontier,
      { query, began, hops, isKnown: (entity) => entity === start || reached.has(entity) },
      (some) => isEnough(reached, some),
    )
    for (const [entity, reach] of wave) reached.set(entity, reach)
    if (isEnough(reached, NO_EDGES)) break
    frontier = new Map([...wave].map(([entity, { path }]) => [entity, path]))
  }
  return reached
}

const NO_EDGES: Wave = new Map()

interface Hop {
  readonly query: WalkQuery
  readonly began: FirstPage
  readonly hops: number
  isKnown(entity: string): boolean
}

/** Entities one hop further, by the best path to each. */
async function waveFrom(
  env: Environment,
  frontier: ReadonlyMap<string, readonly string[]>,
  hop: Hop,
  isEnough: (wave: Wave) => boolean,
): Promise<Wave> {
  const { query, began, hops } = hop
  const { owner, scope } = query
  const { statements } = env
  const turn = createYieldPoint()
  const wave = new Map<string, NeighbourEntity>()
  const offerAll = async (edges: readonly StatedEdge[]): Promise<void> => {
    for (const edge of await readable(env, edges.filter(isStrong(query)))) {
      await turn()
      for (const end of new Set([edge.from, edge.to])) {
        const path = frontier.get(end)
        if (path !== undefined) offer(wave, edge, end, path, hops)
      }
    }
    for (const entity of wave.keys()) if (hop.isKnown(entity)) wave.delete(entity)
  }
  const nodes = [...frontier.keys()]
  const few = nodes.length <= SMALL_FRONTIER
  const edges = await statements.statedEdges({ owner, nodes, scope, ...began, ...(few ? { atMost: MANY_EDGES } : {}) })
  if (!few || edges.length < MANY_EDGES) {
    await offerAll(edges)
    return wave
  }
  for await (const some of inOrderFrom(env, nodes, hop)) {
    await offerAll(some)
    if (isEnough(wave)) break
  }
  return wave
}

/** Edges of some entities ordered by target. Every yielded list is complete up to its last target. */
async function* inOrderFrom(env: Environment, nodes: readonly string[], { query, began }: Hop): AsyncGenerator<readonly StatedEdge[]> {
  const { owner, scope } = query
  let rest = nodes.map((node): { readonly node: string; readonly after?: string } => ({ node }))
  let held: readonly StatedEdge[] = []
  while (rest.length > 0) {
    const lists = []
    for (const { node, after } of rest)
      lists.push({ node, ...(await env.statements.edgesInOrder({ owner, node, scope, ...began, after })) })
    // The entity read furthest waits for the others.
    const [through] = lists.flatMap((list) => list.through ?? []).sort(byBytes)
    const read = [...held, ...lists.flatMap((list) => list.edges)]
    if (through === undefined) return yield read
    const near = new Set(nodes)
    const leadsNoFurther = ({ from, to }: StatedEdge): boolean =>
      (near.has(from) && byBytes(to, through) <= 0) || (near.has(to) && byBytes(from, through) <= 0)
    yield read.filter(leadsNoFurther)
    held = read.filter((edge) => !leadsNoFurther(edge))
    rest = lists.flatMap(({ node, through: mine }) => (mine === null ? [] : [{ node, after: mine }]))
    await setImmediate()
  }
}

/** Prefers the path with the strongest edge; the remaining order only makes the result deterministic. */
function isBetter(a: NeighbourEntity, b: NeighbourEntity): boolean {
  if (a.confidence !== b.confidence) return a.confidence > b.confidence
  const [first, second] = [a, b].map(({ relation, path }) => [relation, ...path].join('\n'))
  return (first ?? '') < (second ?? '')
}

/** Excludes edges with a fact that the caller may not read. */
export async function readable(env: Environment, edges: readonly StatedEdge[]): Promise<readonly StatedEdge[]> {
  const ids = [...new Set(edges.filter(({ id, facts }) => facts.some((fact) => fact !== id)).flatMap(({ facts }) => facts))]
  if (ids.length === 0) return edges
  const open = new Set((await env.store.facts(ids)).map(({ id }) => id))
  return edges.filter(({ id, facts }) => facts.every((fact) => fact === id || open.has(fact)))
}
