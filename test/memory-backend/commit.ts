import { canReadFact } from '../../src/core/access/access-filter.js'
import { embedText } from '../../src/core/embedding/fact-text.js'
import type { JsonObject } from '../../src/core/encoding/json.js'
import type { Fact, Instant } from '../../src/core/facts/fact.js'
import type { Source } from '../../src/core/facts/source.js'
import { checkConsistent, isCurrentStatus } from '../../src/core/facts/validity.js'
import type { Edge } from '../../src/core/graph/edge.js'
import type { Entity } from '../../src/core/graph/entity.js'
import { type Change, type Claimants, checkOwners, checkTexts, type FileChange, type JournalEntry } from '../../src/core/journal/change.js'
import { isStatement } from '../../src/core/statements/statement.js'
import {
  assignHlcAndHash,
  checkAcyclic,
  checkUnchanged,
  deriveEffects,
  EMBED_ABOVE,
  findSameAssertion,
  hasMoved,
  shouldEmbed,
  toJournalPayload,
} from '../../src/core/statements/statement-effects.js'
import { claimKey } from '../../src/core/substrate/objects/claims.js'
import { toHlc } from '../../src/core/time/hlc.js'
import { nextInstant } from '../../src/core/time/instants.js'
import { MemoryError } from '../../src/errors.js'
import type { CommitContext, CommitReceipt, JournalRange } from '../../src/ports/store.js'
import { deleteArrangement, putArrangement } from './arrangements.js'
import { forgetAnswers, recordCall, recordedCall } from './calls.js'
import { deriveEdges } from './links.js'
import { removePassages, withChanges } from './source-files.js'
import { keysOf, NO_PIECES, type State } from './state.js'
import { answering, followStatement } from './statement-effects.js'

/** Applies all changes to a draft; the caller keeps the previous state if this throws. */
export function commitTo(
  draft: State,
  { actor, owners, observed, call }: CommitContext,
  now: Instant,
  decide: (now: Instant) => readonly Change[],
): CommitReceipt {
  const instant = nextInstant(now, draft.clock.time + 1)
  const order = Math.max(instant, draft.clock.order + 1, (observed ?? 0) + 1)
  const commit = `commit ${draft.commits + 1}`
  const earlier = call === undefined ? undefined : recordedCall(draft, call, instant)
  if (earlier !== undefined) return { at: instant, commit: earlier.commit, entries: [], earlier }
  const changes = decide(instant)
  checkOwners(changes, owners)
  checkTexts(changes)
  const before = draft.journal.length
  const repeats = new Map<string, string>()
  const next = (): string => toHlc(order + draft.journal.length - before)
  const log: Log = (entry) => {
    const place = draft.journal.length - before
    const hlc = toHlc(order + place)
    draft.journal.push({ ...entry, seq: draft.journal.length + 1, commit, hlc, at: instant + place, actor })
  }
  for (const change of changes) apply(change, draft, log, { at: instant, next, repeats })
  deriveEdges(draft, instant)
  const written = draft.journal.length - before
  const taken = Math.max(1, written, changes.length) - 1
  draft.clock = { time: instant + taken, order: order + taken }
  draft.commits++
  const receipt = { at: instant, commit, entries: stretchesOf(draft.journal.slice(before)), ...(repeats.size === 0 ? {} : { repeats }) }
  if (call !== undefined && written > 0) recordCall(draft, call, receipt, order)
  return receipt
}

function stretchesOf(entries: readonly JournalEntry[]): readonly JournalRange[] {
  const owners = [...new Set(entries.map(({ owner }) => owner))]
  return owners.map((owner) => {
    const seqs = entries.filter((entry) => entry.owner === owner).map(({ seq }) => seq)
    return { owner, firstSeq: Math.min(...seqs), lastSeq: Math.max(...seqs) }
  })
}

export type Log = (entry: Omit<JournalEntry, 'seq' | 'commit' | 'hlc' | 'at' | 'actor'>) => void

interface Context {
  readonly at: Instant
  /** The HLC of the next entry. */
  next(): string
  readonly repeats: Map<string, string>
}

function apply(change: Change, state: State, log: Log, context: Context): void {
  const reason = change.reason ?? null
  switch (change.op) {
    case 'fact.put':
      if (change.claimants !== undefined) checkClaimants(change.fact, change.claimants, state)
      putFact(change, reason, state, log, context)
      return
    case 'fact.delete':
      deleteOne(state, log, 'fact', change.id, change.owner, state.facts.get(change.id)?.fact.owner, reason)
      return
    case 'entity.put':
      putEntity(change.entity, change.imported === true, reason, state, log)
      return
    case 'entity.delete':
      deleteOne(state, log, 'entity', change.id, change.owner, state.entities.get(change.id)?.owner, reason)
      return
    case 'edge.put': {
      const before = state.edges.get(change.edge.id)
      check('Edge', change.edge, before?.edge, change.imported === true)
      if (change.edge.from !== before?.edge.from || change.edge.to !== before.edge.to) checkEnds(state, change.edge)
      state.edges.set(change.edge.id, { edge: change.edge, derived: before?.derived ?? false })
      logPut(log, 'edge', before?.edge, change.edge, reason)
      return
    }
    case 'edge.delete':
      deleteOne(state, log, 'edge', change.id, change.owner, state.edges.get(change.id)?.edge.owner, reason)
      return
    case 'source.put':
      putSource(change.source, change.files ?? [], reason, state, log)
      return
    case 'source.delete':
      deleteOne(state, log, 'source', change.id, change.owner, state.sources.get(change.id)?.source.owner, reason)
      return
    case 'arrangement.put':
      putArrangement(state, change.arrangement, change.digest, reason, log)
      return
    case 'arrangement.delete':
      deleteArrangement(state, change, reason, log)
      return
    case 'denial':
      log({ op: 'denial', targetKind: 'door', target: change.who, owner: change.owner, before: null, after: null, reason })
      return
    case 'reset':
      reset(change.owner, reason, state, log)
      return
  }
}

export const conflict = (what: string): MemoryError =>
  new MemoryError('conflict', `${what} is not what the change was made for.`, { hint: 'Read it again and retry.' })

interface Versioned {
  readonly id: string
  readonly owner: string
  readonly version: number
}

function check(kind: string, put: Versioned, stored: Versioned | undefined, imported: boolean): void {
  if (stored === undefined) {
    if (!imported && put.version !== 1) throw conflict(`${kind} ${put.id}`)
    return
  }
  if (imported || stored.owner !== put.owner || stored.version + 1 !== put.version) throw conflict(`${kind} ${put.id}`)
}

function checkEnds(state: State, { owner, from, fromKind, to, toKind }: Edge): void {
  const isThere = (id: string): boolean => state.facts.get(id)?.fact.owner === owner || state.entities.get(id)?.owner === owner
  if (['fact', 'entity'].includes(fromKind) && !isThere(from)) throw conflict(from)
  if (['fact', 'entity'].includes(toKind) && !isThere(to)) throw conflict(to)
}

/** Journal entries omit fields without a value. */
export function recorded(noun: object): JsonObject {
  const kept = Object.entries(noun).filter(([, member]) => member !== null && member !== undefined)
  return JSON.parse(JSON.stringify(Object.fromEntries(kept)))
}

function logPut(
  log: Log,
  kind: 'fact' | 'entity' | 'edge' | 'source',
  before: object | undefined,
  after: Versioned,
  reason: string | null,
): void {
  log({
    op: `${kind}.put`,
    targetKind: kind,
    target: after.id,
    owner: after.owner,
    before: before === undefined ? null : recorded(before),
    after: recorded(after),
    reason,
  })
}

function checkClaimants(fact: Fact, { seen, reach = 'everything' }: Claimants, state: State): void {
  const claim = claimKey(fact)
  if (claim === null) return
  for (const { fact: other } of state.facts.values()) {
    if (
      other.id === fact.id ||
      other.owner !== fact.owner ||
      !isCurrentStatus(other.status) ||
      claimKey(other) !== claim ||
      !canReadFact(reach, other)
    )
      continue
    if (!seen.some(({ id, version }) => id === other.id && version === other.version)) throw conflict(`What ${fact.id} claims`)
  }
}

type FactPut = Pick<Change & { readonly op: 'fact.put' }, 'fact' | 'imported' | 'once'>

function putFact(put: FactPut, reason: string | null, state: State, log: Log, context: Context): void {
  const { at: now, next, repeats } = context
  const imported = put.imported === true
  const fact = assignHlcAndHash(put.fact, next())
  const isNew = fact.version === 1 && !imported && isStatement(fact)
  const repeat = put.once === true ? answering(state, findSameAssertion(fact), now) : undefined
  if (repeat !== undefined) {
    repeats.set(fact.id, repeat.id)
    return
  }
  if (isNew) answering(state, checkAcyclic(fact), now)
  const before = state.facts.get(fact.id)
  checkConsistent(fact, before?.fact, now)
  checkUnchanged(before?.fact, fact)
  check('Fact', fact, before?.fact, imported)
  const sameText = before !== undefined && embedText(before.fact) === embedText(fact)
  const wanted = shouldEmbed(fact, EMBED_ABOVE) ?? (before !== undefined && before.unwanted !== true)
  state.facts.set(fact.id, {
    rid: before?.rid ?? ++state.lastRid,
    fact,
    ...(wanted ? {} : { unwanted: true }),
    ...(sameText && wanted ? { vector: before.vector, pieces: before.pieces } : { vector: undefined, pieces: NO_PIECES }),
  })
  logPut(
    log,
    'fact',
    before === undefined ? undefined : toJournalPayload(before.fact),
    { ...toJournalPayload(fact), id: fact.id, owner: fact.owner, version: fact.version },
    reason,
  )
  followStatement(state, before?.fact, fact, now)
  if (isNew || hasMoved(before?.fact, fact))
    for (const effect of answering(state, deriveEffects(fact, now), now)) putFact({ fact: effect }, fact.reason, state, log, context)
}

function putEntity(entity: Entity, imported: boolean, reason: string | null, state: State, log: Log): void {
  const before = state.entities.get(entity.id)
  check('Entity', entity, before, imported)
  for (const other of state.entities.values()) {
    if (other.id === entity.id || other.owner !== entity.owner) continue
    if (keysOf(other).some((key) => keysOf(entity).includes(key))) throw conflict(`A name of entity ${entity.id}`)
  }
  state.entities.set(entity.id, entity)
  logPut(log, 'entity', before, entity, reason)
}

function putSource(source: Source, changes: readonly FileChange[], reason: string | null, state: State, log: Log): void {
  const before = state.sources.get(source.id)
  check('Source', source, before?.source, false)
  const files = withChanges(state, source.id, before?.files, changes)
  state.sources.set(source.id, { source, files })
  logPut(log, 'source', before?.source, { ...source, ...{ files: changes.length } }, reason)
}

export function forget(state: State, target: string): void {
  forgetAnswers(state, (entry) => entry.target === target)
  state.journal = state.journal.map((entry) => (entry.target === target ? { ...entry, before: null, after: null, reason: null } : entry))
}

type Deletable = 'fact' | 'entity' | 'edge' | 'source'

function deleteOne(
  state: State,
  log: Log,
  kind: Deletable,
  id: string,
  owner: string,
  storedOwner: string | undefined,
  reason: string | null,
): void {
  if (storedOwner !== owner) throw conflict(`The ${kind} ${id}`)
  if (kind !== 'source') removeEdgesOf(state, log, id, owner)
  if (kind === 'fact') {
    state.facts.delete(id)
    state.deliveries = state.deliveries.filter(({ facts }) => !facts.some((fact) => fact.id === id))
  }
  if (kind === 'entity') state.entities.delete(id)
  if (kind === 'edge') state.edges.delete(id)
  if (kind === 'source') {
    state.sources.delete(id)
    removePassages(state, (entry) => entry.sourceId === id)
  }
  forget(state, id)
  log({ op: `${kind}.delete`, targetKind: kind, target: id, owner, before: null, after: null, reason })
  if (kind === 'source') removeEdgesOf(state, log, id, owner)
}

function removeEdgesOf(state: State, log: Log, node: string, owner: string): void {
  const own = [...state.edges.values()].filter(({ edge }) => edge.owner === owner)
  const touching = own.filter(({ edge }) => edge.from === node || edge.to === node || edge.factId === node)
  for (const { edge, derived } of touching.sort((a, b) => (a.edge.id < b.edge.id ? -1 : 1))) {
    state.edges.delete(edge.id)
    if (derived) continue
    forget(state, edge.id)
    log({
      op: 'edge.delete',
      targetKind: 'edge',
      target: edge.id,
      owner: edge.owner,
      before: null,
      after: null,
      reason: 'an end was deleted',
    })
  }
}

function reset(owner: string | null, reason: string | null, state: State, log: Log): void {
  const goes = (entry: { readonly owner: string }): boolean => owner === null || entry.owner === owner
  const keep = <T>(map: Map<string, T>, noun: (value: T) => { readonly owner: string }): Map<string, T> =>
    new Map([...map].filter(([, value]) => !goes(noun(value))))
  const gone = (id: string): boolean => {
    const row = state.facts.get(id)
    return row !== undefined && goes(row.fact)
  }
  state.deliveries = state.deliveries.filter((delivery) => !goes(delivery) && !delivery.facts.some(({ id }) => gone(id)))
  state.facts = keep(state.facts, (row) => row.fact)
  state.entities = keep(state.entities, (entity) => entity)
  state.edges = keep<{ readonly edge: Edge; readonly derived: boolean }>(state.edges, (row) => row.edge)
  state.sources = keep(state.sources, (row) => row.source)
  state.passages = keep(state.passages, (row) => row.passage)
  state.calls = keep(state.calls, (row) => row)
  forgetAnswers(state, goes)
  state.journal = state.journal.map((entry) => (goes(entry) ? { ...entry, before: null, after: null, reason: null } : entry))
  log({ op: 'reset', targetKind: 'store', target: owner ?? '*', owner: owner ?? '*', before: null, after: null, reason })
}
