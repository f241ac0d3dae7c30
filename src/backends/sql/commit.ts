import type { Change } from '../../core/change.js'
import type { Instant } from '../../core/fact.js'
import { nextInstant } from '../../core/instants.js'
import type { CallId, Receipt } from '../../ports/store.js'
import { recordCall, recordedCall } from './calls.js'
import { readClock } from './clock.js'
import { deleteEdge, deleteEdgesOf, putEdge } from './commit-edges.js'
import { deleteEntity, putEntity } from './commit-entities.js'
import { deleteFact, putFact } from './commit-facts.js'
import type { Pending } from './commit-names.js'
import type { Dialect } from './dialect.js'
import { checkClaimants, linkFields } from './fields.js'
import { type Journal, openJournal } from './journal.js'
import { linkMentions } from './links.js'
import type { NameNews } from './older-facts.js'
import { notePlaces } from './owners.js'
import type { Plan } from './plan.js'
import { reset } from './reset.js'
import { deleteSource, putSource } from './sources.js'

export interface CommitOptions {
  readonly dialect: Dialect
  readonly actor: string
  readonly now: Instant
  readonly decide: (at: Instant) => readonly Change[]
  readonly call?: CallId | undefined
}

interface Committed {
  readonly receipt: Receipt
  /** What facts that were there before may have to be linked for. */
  readonly news: NameNews
}

const NO_NEWS: NameNews = { learned: [], dropped: [] }

/** The one write path: rows, journal and index entries of a list of changes. Runs inside one transaction. */
export function* commit({ dialect, actor, now, decide, call }: CommitOptions): Plan<Committed> {
  const last = yield* readClock()
  const at = nextInstant(now, last.time + 1)
  const earlier = call === undefined ? undefined : yield* recordedCall(call, at)
  if (earlier !== undefined) return { receipt: { at, firstSeq: 0, lastSeq: 0, earlier }, news: NO_NEWS }
  const changes = decide(at)
  // The order of the journal never goes back, whatever becomes of the time.
  const order = Math.max(at, last.order + 1)
  const journal = openJournal(actor, at, order)
  const pending: Pending = { facts: new Map(), fields: new Map(), names: new Map(), dropped: new Map() }
  for (const change of changes) yield* apply(change, dialect, journal, pending)
  for (const [rid, fact] of pending.facts)
    if (fact.autoLink) yield* linkMentions({ rid, id: fact.id, owner: fact.owner, text: fact.text }, at, dialect)
  for (const { fact, before } of pending.fields.values()) yield* linkFields(fact, before, at)
  const taken = Math.max(1, changes.length, journal.entries) - 1
  yield* notePlaces({ time: at + taken, order: order + taken }, journal.lastSeq, journal.owners)
  const receipt = { at, firstSeq: journal.firstSeq, lastSeq: journal.lastSeq }
  if (call !== undefined && receipt.lastSeq > 0) yield* recordCall(call, receipt, order)
  return { receipt, news: { learned: [...pending.names.values()], dropped: [...pending.dropped.values()] } }
}

function* apply(change: Change, dialect: Dialect, journal: Journal, pending: Pending): Plan<void> {
  const reason = change.reason ?? null
  switch (change.op) {
    case 'fact.put':
      if (change.claimants !== undefined) yield* checkClaimants(change.fact, change.claimants)
      return yield* putFact(change.fact, change.imported === true, reason, dialect, journal, pending)
    case 'fact.delete':
      return yield* deleteFact(change.id, change.owner, reason, dialect, journal, pending)
    case 'entity.put':
      return yield* putEntity(change.entity, change.imported === true, reason, journal, pending)
    case 'entity.delete':
      return yield* deleteEntity(change.id, change.owner, reason, journal, pending)
    case 'edge.put':
      return yield* putEdge(change.edge, change.imported === true, reason, journal)
    case 'edge.delete':
      return yield* deleteEdge(change.id, change.owner, reason, journal)
    case 'source.put':
      return yield* putSource(change.source, change.files ?? [], reason, dialect, journal)
    case 'source.delete':
      yield* deleteSource(change.id, change.owner, reason, dialect, journal)
      return yield* deleteEdgesOf(change.id, journal)
    case 'reset':
      for (const [rid, fact] of pending.facts) if (change.owner === null || fact.owner === change.owner) pending.facts.delete(rid)
      for (const [id, { fact }] of pending.fields) if (change.owner === null || fact.owner === change.owner) pending.fields.delete(id)
      return yield* reset(change.owner, reason, dialect, journal)
  }
}
