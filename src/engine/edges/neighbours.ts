import { digestOf, openCursor, sealCursor } from '../../core/cursor.js'
import type { Instant, Scope } from '../../core/fact.js'
import { refusal } from '../../core/refusal.js'
import { passes, type RelationFilter, relationFilter } from '../../core/relation-glob.js'
import { normalUri } from '../../core/uri.js'
import type { StatedEdge } from '../../ports/statements.js'
import type { Environment } from '../environment.js'

export const MOST_DEPTH = 3
/** A walk goes no further than so many entities: beyond it a page would take too long. */
export const MOST_REACHED = 50_000

export interface NeighbourQuery {
  readonly owner: string
  /** Stands for whoever asks. */
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

export interface NeighbourEntity {
  readonly entity: string
  readonly relation: string
  readonly hops: number
  readonly confidence: number
  readonly trust: number | null
  /** The entities before it, from where the walk began. */
  readonly path: readonly string[]
}

export interface Neighbourhood {
  readonly entity: string
  readonly neighbours: readonly NeighbourEntity[]
  readonly cursor: string | undefined
  readonly total: number
}

/** When a walk began: what holds then, and what was committed by then. */
interface Beginning {
  readonly at: Instant
  readonly asOf: Instant
}

/** Entities around one, nearest first. Behind a cursor the walk is over the edges as they stood for the first page. */
export async function neighboursOf(env: Environment, query: NeighbourQuery): Promise<Neighbourhood> {
  if (query.depth > MOST_DEPTH)
    throw refusal(
      'graph_depth_exceeded',
      `Invalid depth: ${query.depth}, at most ${MOST_DEPTH} is allowed`,
      'Ask for less, and go on from what is found.',
    )
  const { statements } = env.backend
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
  const reached = await walk(env, entity, { ...query, relations }, began)
  const sorted = [...reached.values()].sort(inOrder)
  const rest = opened === undefined ? sorted : sorted.filter((one) => inOrder(one, { hops: opened.hops, entity: opened.entity }) > 0)
  const page = rest.slice(0, limit)
  const last = page[page.length - 1]
  const next =
    last === undefined || rest.length <= limit
      ? undefined
      : sealCursor({ d: digest, at: began.at, asOf: began.asOf, hops: last.hops, entity: last.entity, t: env.clock.now() }, key)
  return { entity, neighbours: page, cursor: next, total: sorted.length }
}

/** Now, unless the store is a little ahead of this clock: what is committed from here on is later than either. */
async function beginning(env: Environment, owner: string): Promise<Beginning> {
  const at = env.clock.now()
  return { at, asOf: Math.max(at - 1, await env.backend.statements.lastCommit(owner)) }
}

type Position = Pick<NeighbourEntity, 'hops' | 'entity'>
const inOrder = (a: Position, b: Position): number => a.hops - b.hops || (a.entity < b.entity ? -1 : a.entity > b.entity ? 1 : 0)

function openedCursor(cursor: string, key: string, digest: string, oldest: Instant): Beginning & Position {
  const { at, asOf, hops, entity, t } = openCursor(cursor, key, digest)
  if (typeof at !== 'number' || typeof asOf !== 'number' || typeof hops !== 'number' || typeof entity !== 'string' || typeof t !== 'number')
    throw refusal('invalid_cursor', 'Invalid cursor')
  if (t < oldest) throw refusal('cursor_expired', 'This cursor has expired', 'Begin again without a cursor.')
  return { at, asOf, hops, entity }
}

type WalkQuery = Omit<NeighbourQuery, 'relations'> & { readonly relations: RelationFilter | undefined }

/** Breadth first: whatever is reached is reached on a shortest way. What is too weak is left out before the walk, not after. */
async function walk(env: Environment, start: string, query: WalkQuery, began: Beginning): Promise<ReadonlyMap<string, NeighbourEntity>> {
  const { owner, scope, relations, leastConfidence, leastTrust } = query
  const isStrong = (edge: StatedEdge): boolean =>
    edge.confidence >= leastConfidence &&
    (edge.trust === null || edge.trust >= leastTrust) &&
    edge.confidence > 0 &&
    (relations === undefined || passes(relations, edge.relation))
  const reached = new Map<string, NeighbourEntity>()
  const paths = new Map<string, readonly string[]>([[start, []]])
  let frontier: readonly string[] = [start]
  for (let hops = 1; hops <= query.depth && frontier.length > 0 && reached.size < MOST_REACHED; hops++) {
    const edges = await env.backend.statements.statedEdges({ owner, nodes: frontier, scope, ...began })
    const wave = new Map<string, NeighbourEntity>()
    for (const edge of await readable(env, edges.filter(isStrong))) {
      for (const [near, far] of [
        [edge.from, edge.to],
        [edge.to, edge.from],
      ] as const) {
        const path = paths.get(near)
        if (path === undefined || path.length !== hops - 1 || far === start || reached.has(far)) continue
        const found = { entity: far, relation: edge.relation, hops, confidence: edge.confidence, trust: edge.trust, path: [...path, near] }
        const known = wave.get(far)
        if (known === undefined || isBetter(found, known)) wave.set(far, found)
      }
    }
    for (const [entity, one] of wave) {
      reached.set(entity, one)
      paths.set(entity, one.path)
    }
    frontier = [...wave.keys()]
  }
  return reached
}

/** Of several shortest ways the one of the strongest edge; the rest of the order only makes it the same each time. */
function isBetter(a: NeighbourEntity, b: NeighbourEntity): boolean {
  if (a.confidence !== b.confidence) return a.confidence > b.confidence
  const [first, second] = [a, b].map(({ relation, path }) => [relation, ...path].join('\n'))
  return (first ?? '') < (second ?? '')
}

/** Without edges one of whose facts may not be read now. */
export async function readable(env: Environment, edges: readonly StatedEdge[]): Promise<readonly StatedEdge[]> {
  const ids = [...new Set(edges.filter(({ id, facts }) => facts.some((fact) => fact !== id)).flatMap(({ facts }) => facts))]
  if (ids.length === 0) return edges
  const open = new Set((await env.backend.store.facts(ids)).map(({ id }) => id))
  return edges.filter(({ id, facts }) => facts.every((fact) => fact === id || open.has(fact)))
}
