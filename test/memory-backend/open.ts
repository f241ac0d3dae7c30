import { canReadFact } from '../../src/core/access/access-filter.js'
import { embedPieces, embedText } from '../../src/core/embedding/fact-text.js'
import { contradictionOf } from '../../src/core/facts/validity.js'
import { MemoryError } from '../../src/errors.js'
import type { Backend, Maintenance } from '../../src/ports/backend.js'
import type { Embeddable, EmbeddingBacklog, PendingText } from '../../src/ports/backlog.js'
import type { Clock } from '../../src/ports/clock.js'
import type { Rows, StatementHeader } from '../../src/ports/view.js'
import { createRamArrangements } from './arrangements.js'
import { recordAnswer, recordedCall } from './calls.js'
import { createRamCode } from './code.js'
import { commitTo } from './commit.js'
import { createRamDeliveries } from './deliveries.js'
import { createRamGraph } from './graph.js'
import { createRamJobs } from './jobs.js'
import { createRamLinks } from './links.js'
import { createRamReads } from './queries.js'
import { createRamLexical, createRamVectors } from './search.js'
import { emptyState, NO_PIECES, type State, type StoredFact, snapshot } from './state.js'
import { createRamStatements } from './statements.js'

/** A store in memory: plain maps, every result computed from scratch. It is the oracle for the other backends, so it stays simple. */
export async function openRam({ clock }: { readonly clock: Clock }): Promise<Backend> {
  let state = emptyState()
  let mark = 0
  const current = (): State => state
  const replace = (draft: State): void => {
    state = draft
    mark++
  }
  return {
    location: 'memory',
    store: {
      ...createRamReads(current),
      async commit(context, decide) {
        const draft = snapshot(state)
        const receipt = commitTo(draft, context, clock.now(), decide)
        if (receipt.earlier === undefined) replace(draft)
        return receipt
      },
      recordedCall: async (call) => recordedCall(state, call, clock.now()),
      async recordAnswer(call, answer) {
        const draft = snapshot(state)
        recordAnswer(draft, call, answer)
        replace(draft)
      },
      ...createRamArrangements(current, replace, clock),
    },
    graph: createRamGraph(current, replace),
    code: createRamCode(current),
    backlog: createRamBacklog(current, replace),
    jobs: createRamJobs(),
    statements: createRamStatements(current, replace),
    deliveries: createRamDeliveries(current, replace),
    maintenance: createRamUpkeep(current),
    view: async (owner, reach = 'everything') => {
      // Facts outside of the filter do not exist: neither found nor counted.
      const seen = (): State =>
        reach === 'everything' ? state : { ...state, facts: new Map([...state.facts].filter(([, { fact }]) => canReadFact(reach, fact))) }
      return {
        mark,
        words: createRamLexical(seen, owner),
        vectors: createRamVectors(seen, owner),
        links: createRamLinks(seen),
        rows: createRamRows(seen, owner),
        statementHeaders: async (rids) =>
          new Map([...seen().facts.values()].flatMap((row) => (rids.includes(row.rid) ? [[row.rid, saidOf(row, seen())]] : []))),
        close: () => {},
      }
    },
    readOnly: false,
    needsReopen: () => false,
    problem: async () => undefined,
    warm: async () => {},
    memoryBytes: () => 0,
    close: async () => {},
  }
}

const saidOf = ({ rid, fact }: StoredFact, { accesses }: State): StatementHeader => {
  const isStated = fact.assertedConfidence !== null
  return {
    ...{ rid, id: fact.id, entity: isStated ? fact.subject : null, relation: isStated ? fact.predicate : null, scope: fact.scope },
    ...{ confidence: fact.confidence, trust: fact.trust, eventAt: fact.eventAt, quarantine: fact.quarantine, hlc: fact.hlc },
    ...{ derivedFrom: isStated ? fact.derivedFrom : [], accesses: accesses.get(fact.id)?.count ?? 0 },
  }
}

function createRamRows(current: () => State, owner: string | undefined): Rows {
  const rows = (): readonly StoredFact[] => [...current().facts.values()].filter(({ fact }) => owner === undefined || fact.owner === owner)
  return {
    ridsOf: async (ids) => new Map(rows().flatMap(({ rid, fact }) => (ids.includes(fact.id) ? [[fact.id, rid]] : []))),
    idsOf: async (rids) => new Map(rows().flatMap(({ rid, fact }) => (rids.includes(rid) ? [[rid, fact.id]] : []))),
  }
}

/** Pieces of facts with a vector of their own. */
const waitingPieces = (state: State): readonly PendingText[] =>
  [...state.facts.values()]
    .filter((row) => row.vector !== undefined)
    .sort((a, b) => a.rid - b.rid)
    .flatMap(({ rid, fact, pieces }) =>
      embedPieces(fact)
        .filter(({ index }) => !pieces.has(index))
        .map(({ text, ...piece }) => ({ owner: fact.owner, rid, id: fact.id, version: fact.version, text, piece })),
    )

/** Facts and passages that wait for a vector, in one form. */
function waiting(state: State, kind: Embeddable): readonly PendingText[] {
  if (kind === 'pieces') return waitingPieces(state)
  const rows =
    kind === 'facts'
      ? [...state.facts.values()]
          .filter((row) => row.vector === undefined && row.unwanted !== true)
          .map(({ rid, fact }) => ({
            owner: fact.owner,
            rid,
            id: fact.id,
            version: fact.version,
            text: embedText(fact),
            ...(embedPieces(fact).length > 0 ? { long: true } : {}),
          }))
      : [...state.passages.values()]
          .filter((row) => row.vector === undefined)
          .map(({ rid, passage }) => ({ owner: passage.owner, rid, id: passage.id, version: 1, text: passage.embedText }))
  return rows.sort((a, b) => a.rid - b.rid)
}

function createRamBacklog(current: () => State, replace: (draft: State) => void): EmbeddingBacklog {
  let adopted: { readonly id: string; readonly dimensions: number } | undefined
  const startOver = ({ id, dimensions }: { readonly id: string; readonly dimensions: number }): void => {
    const draft = snapshot(current())
    for (const [key, row] of draft.facts) draft.facts.set(key, { ...row, vector: undefined, pieces: NO_PIECES })
    for (const [key, row] of draft.passages) draft.passages.set(key, { ...row, vector: undefined })
    adopted = { id, dimensions }
    replace(draft)
  }
  return {
    pending: async (kind) => new Set(waiting(current(), kind).map(({ rid }) => rid)).size,
    next: async (kind, limit, only) =>
      waiting(current(), kind)
        .filter(({ id }) => only === undefined || only.includes(id))
        .slice(0, limit),
    async fill(kind, vectors, model) {
      if (adopted !== undefined && model !== undefined && adopted.id !== model.id)
        throw new MemoryError('conflict', `The store has moved to ${adopted.id}.`)
      const draft = snapshot(current())
      let taken = 0
      for (const { rid, id, version, vector, piece } of vectors) {
        if (!waiting(draft, kind).some((text) => (kind === 'facts' ? text.id === id : text.rid === rid) && text.version === version))
          continue
        taken++
        const fact = draft.facts.get(id)
        const passage = draft.passages.get(id)
        if (kind === 'facts' && fact !== undefined) draft.facts.set(id, { ...fact, vector: vector.slice() })
        if (kind === 'pieces' && fact !== undefined && piece !== undefined)
          draft.facts.set(id, { ...fact, pieces: new Map([...fact.pieces, [piece.index, { ...piece, vector: vector.slice() }]]) })
        if (kind === 'passages' && passage !== undefined) draft.passages.set(id, { ...passage, vector: vector.slice() })
      }
      replace(draft)
      return taken
    },
    model: async () => adopted,
    async adopt(model) {
      if (adopted?.id !== model.id || adopted.dimensions !== model.dimensions) startOver(model)
    },
    discard: async (model) => startOver(model),
    resumeModelSwitch: async () => undefined,
  }
}

/** Nothing is stored twice, so nothing can disagree. */
const createRamUpkeep = (current: () => State): Maintenance => ({
  diagnose: async () => [],
  ahead: async (than, limit) => {
    const { facts, entities, edges } = current()
    const ids = <T extends { readonly id: string }>(all: Iterable<T>, late: (entry: T) => boolean): readonly string[] =>
      [...all].flatMap((entry) => (late(entry) ? [entry.id] : [])).slice(0, limit)
    return {
      facts: ids(
        [...facts.values()].map(({ fact }) => fact),
        (fact) => fact.recordedAt > than || fact.updatedAt > than || contradictionOf(fact, than) !== undefined,
      ),
      entities: ids(entities.values(), ({ createdAt, updatedAt }) => createdAt > than || updatedAt > than),
      edges: ids(
        [...edges.values()].flatMap(({ edge, derived }) => (derived ? [] : [edge])),
        ({ createdAt }) => createdAt > than,
      ),
    }
  },
  redateJournal: async () => 0,
  acceptLoss: async () => false,
  relink: async () => current().facts.size,
  reterm: async () => current().facts.size,
  compact: async () => ({ bytesBefore: 0, bytesAfter: 0, entries: 0, vectors: 0 }),
  backup: async (target) => {
    throw new MemoryError('invalid_input', `Memory without a file cannot be copied to ${target}.`, {
      hint: 'Export it, or open it with a data directory.',
    })
  },
  keepCopy: async () => null,
})
