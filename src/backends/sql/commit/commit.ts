import type { Instant } from '../../../core/facts/fact.js'
import { type Change, checkOwners, checkTexts } from '../../../core/journal/change.js'
import { nextInstant } from '../../../core/time/instants.js'
import type { CommitContext, CommitReceipt } from '../../../ports/store.js'
import type { NameChanges } from '../links/backfill-mentions.js'
import { type LinkableFact, learnAuthor, linkAllMentions } from '../links/links.js'
import { checkClaimants, linkFields } from '../links/reference-edges.js'
import { recordCall, recordedCall } from '../owners/calls.js'
import { openJournal } from '../owners/journal.js'
import { ALL_OWNERS, insertNewOwners, openLedger } from '../owners/owners.js'
import type { Dialect } from '../plan/dialect.js'
import { number, type Plan, queryBatch, runInLockstep, text } from '../plan/plan.js'
import { deleteSource, putSource } from '../sources/sources.js'
import { deleteEdge, deleteEdgesOf, putEdge } from './commit-edges.js'
import { deleteEntity, putEntity } from './commit-entities.js'
import { type CommitWork, deleteFact, putFact } from './commit-facts.js'
import type { DeferredLinks } from './commit-names.js'
import { deleteArrangement, putArrangement } from './control-records.js'
import { reset } from './reset.js'

interface CommitOptions {
  readonly dialect: Dialect
  readonly by: CommitContext
  /** Identifies the commit in its journal entries. */
  readonly id: string
  readonly now: Instant
  readonly decide: (now: Instant) => readonly Change[]
  readonly embedAbove: number
}

interface CommitOutcome {
  readonly receipt: CommitReceipt
  /** Names for which existing facts may need links. */
  readonly changedNames: NameChanges
}

/** Facts whose names are looked up together. */
const LINKED_BATCH_SIZE = 64

const NO_NAME_CHANGES: NameChanges = { learned: [], dropped: [] }

/** The only write path: applies rows, journal and index entries of a list of changes, inside one transaction. */
export function* commit({ dialect, by: context, id, now, decide, embedAbove }: CommitOptions): Plan<CommitOutcome> {
  const { actor, owners, call } = context
  const ledger = yield* openLedger(dialect, owners === 'everyone' || call === undefined ? owners : [...owners, call.owner])
  const last = ledger.clock
  const commitAt = nextInstant(now, last.time + 1)
  const earlier = call === undefined ? undefined : yield* recordedCall(call, commitAt, last.order)
  if (earlier !== undefined)
    return { receipt: { at: commitAt, commit: earlier.commit, entries: [], earlier }, changedNames: NO_NAME_CHANGES }
  const changes = decide(commitAt)
  checkOwners(changes, owners)
  checkTexts(changes)
  yield* insertNewOwners(dialect, ledger, changes)
  // The journal order always increases, whatever the wall clock does.
  const order = Math.max(commitAt, last.order + 1, (context.observed ?? 0) + 1)
  const journal = openJournal({ actor, at: commitAt, order, commit: id, ledger })
  const pending: DeferredLinks = {
    facts: new Map(),
    fields: new Map(),
    authors: new Map(),
    names: new Map(),
    dropped: new Map(),
    repeats: new Map(),
  }
  for (const change of changes) yield* apply(change, { dialect, journal, pending, embedAbove })
  for (const { owner, author, uses } of pending.authors.values()) yield* learnAuthor(owner, author, uses)
  yield* linkFacts(pending, commitAt, dialect)
  for (const { fact, before } of pending.fields.values()) yield* linkFields(fact, before, commitAt)
  const taken = Math.max(1, changes.length, journal.entries) - 1
  yield* ledger.close({ time: commitAt + taken, order: order + taken })
  const { repeats } = pending
  const receipt = { at: commitAt, commit: id, entries: journal.stretches, ...(repeats.size === 0 ? {} : { repeats }) }
  if (call !== undefined && journal.entries > 0) yield* recordCall(call, receipt, order)
  return { receipt, changedNames: { learned: [...pending.names.values()], dropped: [...pending.dropped.values()] } }
}

function* linkFacts({ facts }: DeferredLinks, now: Instant, dialect: Dialect): Plan<void> {
  const linkable = new Map<string, LinkableFact[]>()
  for (const { rid, fact } of facts.values()) {
    if (!fact.autoLink) continue
    const own = linkable.get(fact.owner) ?? []
    own.push({ rid, id: fact.id, owner: fact.owner, text: fact.text })
    linkable.set(fact.owner, own)
  }
  yield* runInLockstep([...linkable].map(([owner, own]) => linkOwn(owner, own, now, dialect)))
}

function* linkOwn(owner: string, facts: readonly LinkableFact[], now: Instant, dialect: Dialect): Plan<void> {
  for (let i = 0; i < facts.length; i += LINKED_BATCH_SIZE)
    yield* linkAllMentions(owner, facts.slice(i, i + LINKED_BATCH_SIZE), now, dialect)
}

/** Number of newest journal entries searched for an earlier attempt; a retry follows soon. */
const RECENT_ENTRIES = 10_000

/**
 * The result of an earlier attempt of the same commit, if it was committed. Locks the owners first, so that the earlier attempt has ended.
 */
export function* committedBefore(dialect: Dialect, { owners }: CommitContext, id: string): Plan<CommitOutcome | undefined> {
  yield* openLedger(dialect, owners)
  const found = yield* queryBatch(
    (owners === 'everyone' ? [ALL_OWNERS] : owners).map((owner) => ({
      text: `SELECT min(seq) AS first, max(seq) AS last, min(at) AS at, owner FROM journal
        WHERE owner = ? AND commit_id = ? AND seq > (SELECT max(o.seq) - ${RECENT_ENTRIES} FROM owners o WHERE o.owner = ?) GROUP BY owner`,
      values: [owner, id, owner],
    })),
  )
  const rows = found.flat()
  if (rows.length === 0) return undefined
  const entries = rows.map((row) => ({ owner: text(row, 'owner'), firstSeq: number(row, 'first'), lastSeq: number(row, 'last') }))
  // `mneme reindex --links` looks up its names in older facts.
  return { receipt: { at: Math.min(...rows.map((row) => number(row, 'at'))), commit: id, entries }, changedNames: NO_NAME_CHANGES }
}

function* apply(change: Change, committing: CommitWork): Plan<void> {
  const { dialect, journal, pending } = committing
  const reason = change.reason ?? null
  switch (change.op) {
    case 'fact.put':
      if (change.claimants !== undefined) yield* checkClaimants(change.fact, change.claimants)
      return yield* putFact({ ...change, reason }, committing)
    case 'fact.delete':
      return yield* deleteFact(change.id, change.owner, reason, committing)
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
      return yield* deleteEdgesOf(change.id, change.owner, journal)
    case 'arrangement.put':
      return yield* putArrangement(change.arrangement, change.digest, reason, journal)
    case 'arrangement.delete':
      return yield* deleteArrangement(change.kind, change.id, change.owner, reason, journal)
    case 'denial':
      return yield* journal.write('denial', 'door', change.who, change.owner, null, null, reason)
    case 'reset':
      for (const [id, { fact }] of pending.facts) if (change.owner === null || fact.owner === change.owner) pending.facts.delete(id)
      for (const [id, { fact }] of pending.fields) if (change.owner === null || fact.owner === change.owner) pending.fields.delete(id)
      for (const [key, { owner }] of pending.authors) if (change.owner === null || owner === change.owner) pending.authors.delete(key)
      return yield* reset(change.owner, reason, dialect, journal)
  }
}
