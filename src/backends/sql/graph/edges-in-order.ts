import { setImmediate } from 'node:timers/promises'
import { byBytes } from '../../../core/encoding/byte-order.js'
import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import { entityIdIn, entityUri, factIdIn, factUri } from '../../../core/statements/uri.js'
import type { OrderedEdges, OrderedEdgesQuery, StatedEdge, StatedEdgeQuery } from '../../../ports/statements.js'
import { type Connection, inList, number, type Plan, run, text } from '../plan/plan.js'
import { ENDS, FACT_VALIDITY_COLUMNS, readable, standing, toStated } from './edge-rows.js'

/** Edges read per statement, readable or not. Bounds the time for which the event loop is blocked. */
const SLICE_SIZE = 1000

export const SIDES = ['subject', 'object'] as const
type Side = (typeof SIDES)[number]

const OPPOSITE_SIDE = { subject: 'object', object: 'subject' } as const

/** Explicit edges and those of statements; other edges are not walked. */
const WALKED_ORIGINS = [EDGE_ORIGINS.no, EDGE_ORIGINS.fromStatement] as const

/** The keys of a node: its id, if it has one, and its URI, by which statements refer to it. */
export const keysOf = (uri: string): readonly string[] => {
  const own = factIdIn(uri) ?? entityIdIn(uri)
  return own === undefined ? [uri] : [own, uri]
}

/** An edge with the keys of its endpoints; the edge is absent if it is not valid or not readable. */
interface EdgeRow {
  readonly near: string
  readonly far: string
  readonly farKind: string
  readonly id: string
  readonly edge: StatedEdge | undefined
}

interface Slice {
  readonly side: Side
  readonly keys: readonly string[]
  readonly derived: number
  /** After this endpoint, or after this edge to it. */
  readonly after?: { readonly far: string; readonly id?: string } | undefined
}

type EdgesQuery = Omit<StatedEdgeQuery, 'nodes' | 'atMost'>

/** Reads in index order, by the given nodes and then the opposite endpoints. */
function* sliceOf(query: EdgesQuery, { side, keys, derived, after }: Slice): Plan<readonly EdgeRow[]> {
  const may = readable(query)
  const list = inList(keys)
  const far = OPPOSITE_SIDE[side]
  const behind = after === undefined ? '' : after.id === undefined ? `AND e.${far} > ?` : `AND (e.${far}, e.id) > (?, ?)`
  const rows = yield* run(
    `SELECT ${ENDS}, ${FACT_VALIDITY_COLUMNS}, CASE WHEN ${may.text} THEN 1 ELSE 0 END AS is_open FROM entity_edges e LEFT JOIN facts f ON f.id = e.fact_id
     WHERE e.owner = ? AND e.${side} IN (${list.marks}) AND e.scope = ? AND e.derived = ? ${behind} ORDER BY e.${side}, e.${far}, e.id LIMIT ?`,
    ...may.values,
    query.owner,
    ...list.values,
    query.scope,
    derived,
    ...(after === undefined ? [] : after.id === undefined ? [after.far] : [after.far, after.id]),
    SLICE_SIZE,
  )
  const found: EdgeRow[] = []
  for (const row of rows) {
    const confidence = number(row, 'is_open') === 1 ? yield* standing(row, query) : undefined
    const edge = confidence === undefined ? undefined : toStated(row, confidence)
    found.push({ near: text(row, side), far: text(row, far), farKind: text(row, `${far}_kind`), id: text(row, 'id'), edge })
  }
  return found
}

/** All edges on one side of some nodes, in slices; for one node not many more than requested. Hidden edges are not counted. */
export async function* slicesOf(
  connection: Connection,
  query: EdgesQuery,
  { side, keys }: Pick<Slice, 'side' | 'keys'>,
  mostOfOne = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly EdgeRow[]> {
  for (const derived of WALKED_ORIGINS) {
    let rest = [...keys].sort(byBytes)
    while (rest.length > 0) {
      let rows = await connection.read(() => sliceOf(query, { side, keys: rest, derived }))
      yield rows
      const node = rows.length < SLICE_SIZE ? undefined : rows[rows.length - 1]?.near
      if (node === undefined) break
      // A node with very many edges is read to its end first.
      let read = rows.filter(({ near, edge }) => near === node && edge !== undefined).length
      for (
        let last = rows[rows.length - 1];
        rows.length === SLICE_SIZE && last !== undefined && read < mostOfOne;
        last = rows[rows.length - 1]
      ) {
        await setImmediate()
        const after = last
        rows = await connection.read(() => sliceOf(query, { side, keys: [node], derived, after }))
        read += rows.filter(({ edge }) => edge !== undefined).length
        yield rows
      }
      rest = rest.filter((key) => byBytes(key, node) > 0)
    }
  }
}

interface Stream extends Pick<Slice, 'side' | 'derived'> {
  readonly key: string
  /** The URI of an opposite endpoint in this stream. */
  readonly uriOf: (key: string) => string
  readonly isOf: (row: EdgeRow) => boolean
}

/** Each stream is ordered by the URIs of its opposite endpoints. */
const streamsOf = (node: string): readonly Stream[] =>
  keysOf(node).flatMap((key) =>
    SIDES.flatMap((side): readonly Stream[] => [
      { key, side, derived: EDGE_ORIGINS.fromStatement, uriOf: (far) => far, isOf: () => true },
      { key, side, derived: EDGE_ORIGINS.no, uriOf: factUri, isOf: ({ farKind }) => farKind === 'fact' },
      { key, side, derived: EDGE_ORIGINS.no, uriOf: entityUri, isOf: ({ farKind }) => farKind !== 'fact' },
    ]),
  )

/** The key after which a stream is past a URI; undefined if it ends before. */
function keyBehind({ uriOf }: Stream, after: string): string | undefined {
  const prefix = uriOf('')
  if (after.startsWith(prefix)) return after.slice(prefix.length)
  return byBytes(prefix, after) > 0 ? '' : undefined
}

/** Reads up to the last opposite endpoint whose edges are complete. */
async function readStream(connection: Connection, query: OrderedEdgesQuery, stream: Stream): Promise<OrderedEdges> {
  const { side, derived, key, uriOf, isOf } = stream
  const from = query.after === undefined ? '' : keyBehind(stream, query.after)
  if (from === undefined) return { edges: [], through: null }
  const edges = (rows: readonly EdgeRow[]): readonly StatedEdge[] => rows.filter(isOf).flatMap(({ edge }) => edge ?? [])
  const rows: EdgeRow[] = []
  for (let after: NonNullable<Slice['after']> = { far: from }; ; ) {
    const place = after
    const slice = await connection.read(() => sliceOf(query, { side, keys: [key], derived, after: place }))
    rows.push(...slice)
    const last = slice[slice.length - 1]
    if (last === undefined || slice.length < SLICE_SIZE) return { edges: edges(rows), through: null }
    const whole = rows.filter(({ far }) => far !== last.far)
    const through = whole[whole.length - 1]?.far
    if (through !== undefined) return { edges: edges(whole), through: uriOf(through) }
    after = last
    await setImmediate()
  }
}

/** Merges the streams up to the first one that has more to read. */
export async function edgesInOrder(connection: Connection, query: OrderedEdgesQuery): Promise<OrderedEdges> {
  const read: OrderedEdges[] = []
  for (const stream of streamsOf(query.node)) read.push(await readStream(connection, query, stream))
  const [through = null] = read.flatMap((edges) => edges.through ?? []).sort(byBytes)
  const names = new Set(keysOf(query.node))
  const farOf = ({ from, to }: StatedEdge): string => (names.has(from) ? to : from)
  const edges = read.flatMap((edges) => edges.edges).filter((edge) => through === null || byBytes(farOf(edge), through) <= 0)
  return { edges: [...new Map(edges.map((edge) => [edge.id, edge])).values()], through }
}
