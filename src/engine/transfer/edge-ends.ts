import type { Fact } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import type { Item } from './items.js'

export type EdgeItem = Extract<Item, { readonly kind: 'edge' }>

interface Node {
  readonly id: string
  readonly owner: string
}

const keyOf = ({ id, owner }: Node): string => `${owner}\0${id}`

/** The endpoints that the commit of an edge requires; an endpoint belongs to the edge's owner. */
const endsOf = ({ owner, from, fromKind, to, toKind }: Edge) =>
  (
    [
      { owner, id: from, kind: fromKind, side: 'from' },
      { owner, id: to, kind: toKind, side: 'to' },
    ] as const
  ).filter(({ kind }) => kind === 'fact' || kind === 'entity')
type End = ReturnType<typeof endsOf>[number]

interface Ends {
  readonly facts: readonly Fact[]
  readonly entities: readonly Entity[]
}

/** The stored endpoints of these edges, except those known to exist. */
async function storedEnds(store: Store, edges: readonly Edge[], known: ReadonlySet<string>): Promise<Ends> {
  const ids = [...new Set(edges.flatMap((edge) => endsOf(edge).flatMap((end) => (known.has(keyOf(end)) ? [] : [end.id]))))]
  return ids.length === 0 ? { facts: [], entities: [] } : { facts: await store.facts(ids), entities: await store.entities(ids) }
}

/** The edges whose endpoints are stored or are among the imported nodes. */
export async function edgesWithEnds(store: Store, edges: readonly Edge[], coming: readonly Node[]): Promise<ReadonlySet<string>> {
  const there = new Set(coming.map(keyOf))
  const { facts, entities } = await storedEnds(store, edges, there)
  for (const node of [...facts, ...entities]) there.add(keyOf(node))
  return new Set(edges.flatMap((edge) => (endsOf(edge).every((end) => there.has(keyOf(end))) ? [edge.id] : [])))
}

/**
 * Tracks exported nodes. A node created during the export would be missing although its edge is written, so endpoints are added on demand;
 * an edge that has lost an endpoint is omitted.
 */
export class WrittenNodes {
  readonly #keys = new Set<string>()

  add(node: Node): void {
    this.#keys.add(keyOf(node))
  }

  /** The edges whose endpoints are all written. */
  edgesWithEnds(edges: readonly Edge[]): readonly Edge[] {
    return edges.filter((edge) => endsOf(edge).every((end) => this.#keys.has(keyOf(end))))
  }

  async addStoredEnds(store: Store, edges: readonly Edge[]): Promise<Ends & { readonly edges: readonly Edge[] }> {
    const added = await storedEnds(store, edges, this.#keys)
    for (const node of [...added.facts, ...added.entities]) this.add(node)
    return { ...added, edges: this.edgesWithEnds(edges) }
  }
}

/** Reports which endpoints of unresolved relations are missing. */
export async function refuseEdges(store: Store, items: readonly EdgeItem[]): Promise<void> {
  const [first] = items
  if (first === undefined) return
  const missing: End[] = []
  for (const end of endsOf(first.edge)) {
    const found = [...(await store.facts([end.id])), ...(await store.entities([end.id]))]
    if (!found.some(({ owner }) => owner === end.owner)) missing.push(end)
  }
  const lines = items.slice(1, 11).map(({ line }) => line)
  const more = items.length > 11 ? ' and more' : ''
  const also = lines.length === 0 ? '' : ` So it is with ${items.length - 1} more (line ${lines.join(', ')}${more}).`
  const ends = missing.map(({ side, kind, id, owner }) => `${side === 'from' ? 'begins at' : 'leads to'} the ${kind} ${id} of ${owner}`)
  throw new MemoryError(
    'invalid_input',
    `Line ${first.line}: the relation ${first.id} ${ends.join(' and ')}, which neither the file nor the store has.${also}`,
    {
      hint: 'Everything else was stored. Add the line of what is missing, or correct or remove the relation, and import again: what is there is skipped.',
    },
  )
}
