import type { Fact } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { SIMILAR_TO } from '../../core/graph/relation-type.js'
import type { JournalEntry } from '../../core/journal/change.js'
import type { Delivery } from '../../ports/deliveries.js'
import type { Context } from '../context.js'
import { unknownFact } from './corrections.js'

const MAX_EDGES = 60
const MAX_ENTRIES = 200
const MAX_SESSION = 400
const ENTRIES_AROUND = 3

interface LinkedFact {
  readonly fact: Fact
  readonly edge: Edge
  readonly direction: 'in' | 'out'
}

export interface FactPage {
  readonly fact: Fact
  /** Newest first; the oldest is the creation. */
  readonly entries: readonly JournalEntry[]
  readonly links: readonly LinkedFact[]
  readonly similar: readonly LinkedFact[]
  readonly entities: readonly { readonly entity: Entity; readonly type: string }[]
  /** Facts of the same session around this one, in order. */
  readonly session: readonly Fact[]
  readonly replaces: readonly Fact[]
  readonly replacedBy: Fact | undefined
  readonly derivedFrom: readonly Fact[]
  readonly lastTold: Delivery | undefined
}

/** All data shown on the page of a fact. */
export async function readFactPage(context: Context, id: string): Promise<FactPage> {
  const { store, deliveries } = context
  const [fact] = await store.facts([id])
  if (fact === undefined) throw unknownFact(id)
  context.services.linker.wake()
  const { owner } = fact
  const [entries, edges, session, [lastTold]] = await Promise.all([
    store.journal({ owner, target: id, newestFirst: true, limit: MAX_ENTRIES }),
    store.edges({ owner, nodes: [id], limit: MAX_EDGES }),
    neighboursInSession(context, fact),
    deliveries.list({ fact: id, limit: 1 }),
  ])
  const others = edges.map((edge) => (edge.from === id ? edge.to : edge.from))
  const wanted = [...new Set([...others, ...fact.derivedFrom, ...(fact.supersededBy === null ? [] : [fact.supersededBy])])]
  const [facts, entities] = await Promise.all([store.facts(wanted), store.entities(others)])
  const byId = new Map(facts.map((row) => [row.id, row]))
  const linked = edges.flatMap((edge): LinkedFact[] => {
    const other = byId.get(edge.from === id ? edge.to : edge.from)
    return other === undefined ? [] : [{ fact: other, edge, direction: edge.from === id ? 'out' : 'in' }]
  })
  const named = new Map(entities.map((entity) => [entity.id, entity]))
  return {
    fact,
    entries,
    links: linked.filter(({ edge }) => edge.type !== SIMILAR_TO),
    similar: linked.filter(({ edge }) => edge.type === SIMILAR_TO).sort((a, b) => b.edge.weight - a.edge.weight),
    entities: edges.flatMap((edge) => {
      const entity = named.get(edge.from === id ? edge.to : edge.from)
      return entity === undefined ? [] : [{ entity, type: edge.type }]
    }),
    session,
    replaces: await replacedFacts(context, fact, entries),
    replacedBy: fact.supersededBy === null ? undefined : byId.get(fact.supersededBy),
    derivedFrom: fact.derivedFrom.flatMap((sourceId) => byId.get(sourceId) ?? []),
    lastTold,
  }
}

/** A fact ends in favour of another either in the commit that stored the other one or in a later commit that names it. */
async function replacedFacts({ store }: Context, fact: Fact, entries: readonly JournalEntry[]): Promise<readonly Fact[]> {
  const first = entries[entries.length - 1]
  if (first === undefined) return []
  const around = await store.journal({ owner: fact.owner, after: first.seq - 20, before: first.seq + 20, limit: 40 })
  const ids = around.flatMap(({ commit, targetKind, target }) => (commit === first.commit && targetKind === 'fact' ? [target] : []))
  return (await store.facts([...new Set(ids)])).filter((row) => row.supersededBy === fact.id)
}

async function neighboursInSession({ store }: Context, { id, owner, session }: Fact): Promise<readonly Fact[]> {
  if (session === null) return []
  const all = await store.listFacts({ owner, session, limit: MAX_SESSION, offset: 0, oldestFirst: true })
  const at = all.findIndex((fact) => fact.id === id)
  return at < 0 ? [] : all.slice(Math.max(0, at - ENTRIES_AROUND), at + ENTRIES_AROUND + 1)
}
