import type { ControlRecord } from '../../src/core/access/control-record.js'
import { subjectName } from '../../src/core/embedding/fact-text.js'
import type { Fact, Instant } from '../../src/core/facts/fact.js'
import type { Passage, Source } from '../../src/core/facts/source.js'
import type { Edge } from '../../src/core/graph/edge.js'
import type { Entity } from '../../src/core/graph/entity.js'
import { isLinkable, namesOfEntity } from '../../src/core/graph/names.js'
import type { FileChange, JournalEntry } from '../../src/core/journal/change.js'
import type { Span } from '../../src/core/text/pieces.js'
import type { Delivery } from '../../src/ports/deliveries.js'
import type { StaleCard } from '../../src/ports/statements.js'
import type { RecordedCall } from '../../src/ports/store.js'

export interface StoredFact {
  readonly rid: number
  readonly fact: Fact
  readonly vector: Float32Array | undefined
  /** No vector is required. */
  readonly unwanted?: boolean
  /** Embedded pieces of a long text, by number. */
  readonly pieces: ReadonlyMap<number, StoredPiece>
}

export interface StoredPiece extends Span {
  readonly vector: Float32Array
}

export const NO_PIECES: StoredFact['pieces'] = new Map()

export interface StoredPassage {
  readonly rid: number
  readonly passage: Passage
  readonly vector: Float32Array | undefined
}

export interface StoredSource {
  readonly source: Source
  readonly files: ReadonlyMap<string, FileChange>
}

export interface StoredCall {
  readonly owner: string
  readonly at: Instant
  /** In commit order. */
  readonly place: number
  readonly recorded: RecordedCall
}

/** The complete state. Values are immutable, so a copy of the maps is a snapshot. */
export interface State {
  facts: Map<string, StoredFact>
  entities: Map<string, Entity>
  /** `similar` edges come from vectors, the other derived ones from names. */
  edges: Map<string, { readonly edge: Edge; readonly derived: boolean; readonly similar?: true; readonly stated?: true }>
  sources: Map<string, StoredSource>
  passages: Map<string, StoredPassage>
  journal: JournalEntry[]
  calls: Map<string, StoredCall>
  /** By kind and id. */
  arrangements: Map<string, { readonly arrangement: ControlRecord; readonly digest: string | undefined }>
  arrangementsMark: number
  nonces: Map<string, Instant>
  /** Time and order of the last commit. */
  clock: { readonly time: Instant; readonly order: number }
  retractions: Map<string, Instant>
  accesses: Map<string, { readonly count: number; readonly at: Instant }>
  staleCards: Map<string, StaleCard>
  deliveries: readonly Delivery[]
  lastRid: number
  /** Number of commits, from which names are derived. */
  commits: number
}

export const emptyState = (): State => ({
  facts: new Map(),
  entities: new Map(),
  edges: new Map(),
  sources: new Map(),
  passages: new Map(),
  journal: [],
  calls: new Map(),
  arrangements: new Map(),
  arrangementsMark: 0,
  nonces: new Map(),
  clock: { time: 0, order: 0 },
  retractions: new Map(),
  accesses: new Map(),
  staleCards: new Map(),
  deliveries: [],
  lastRid: 0,
  commits: 0,
})

export const snapshot = (state: State): State => ({
  ...state,
  facts: new Map(state.facts),
  entities: new Map(state.entities),
  edges: new Map(state.edges),
  sources: new Map(state.sources),
  passages: new Map(state.passages),
  journal: [...state.journal],
  calls: new Map(state.calls),
  retractions: new Map(state.retractions),
  accesses: new Map(state.accesses),
  staleCards: new Map(state.staleCards),
  arrangements: new Map(state.arrangements),
  nonces: new Map(state.nonces),
})

/** Mentions of an entity. */
export const namesOf = (entity: Entity): readonly string[] => namesOfEntity(entity).flatMap(({ name }) => (name === '' ? [] : [name]))

/** Identity keys of its names. */
export const keysOf = (entity: Entity): readonly string[] => namesOfEntity(entity).map(({ key }) => key)

/** Every name that texts of an owner may mention: subjects and entities. */
export function knownTo(state: State, owner: string): ReadonlySet<string> {
  const known = new Set<string>()
  for (const { fact } of state.facts.values()) {
    const subject = fact.owner === owner ? subjectName(fact) : null
    if (subject !== null) known.add(subject)
  }
  for (const entity of state.entities.values()) {
    if (entity.owner === owner) for (const name of namesOf(entity)) if (isLinkable(name)) known.add(name)
  }
  return known
}
