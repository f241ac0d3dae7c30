import { originOf } from '../access/attestation.js'
import { canonicalJson, textsIn } from '../encoding/json.js'
import { completeFact, type Fact, type Instant } from '../facts/fact.js'
import { isCurrentStatus, withStatus } from '../facts/validity.js'
import type { Edge } from '../graph/edge.js'
import { refusal } from '../input/refusal.js'
import { byStrength, conflictIdOf, isDisputable, sameClaim, sameValue } from './contradiction.js'
import {
  ASKED_FORM,
  hashedOf,
  isStatement,
  isSystemForm,
  SYSTEM_SOURCE,
  statementHash,
  statementOf,
  toStatementText,
  uuidOf,
} from './statement.js'

/** Lookups that the rules of statements need inside the transaction of a new one. Reading earlier would miss concurrent writes. */
export type StatementLookup =
  /**
   * Valid facts of the same property for the same readers: all of its source, or the strongest that contradicts it, of all or of local
   * ones.
   */
  | { readonly about: 'claim'; readonly fact: Fact; readonly which: 'same source' | 'other value' | 'other value here' }
  /** A fact derived from this hash. */
  | { readonly about: 'derived'; readonly owner: string; readonly hash: string }
  | { readonly about: 'hashes'; readonly owner: string; readonly hashes: readonly string[] }
  | { readonly about: 'ids'; readonly owner: string; readonly ids: readonly string[] }

export type LookupPlan<T> = Generator<StatementLookup, T, readonly Fact[]>

function* ask(question: StatementLookup): LookupPlan<readonly Fact[]> {
  return yield question
}

/** A new statement with its HLC and its hash. */
export function assignHlcAndHash(fact: Fact, hlc: string): Fact {
  if (fact.version !== 1 || !isStatement(fact)) return fact
  const placed = fact.hlc === null ? { ...fact, hlc } : fact
  return placed.hash !== null || isSystemForm(fact.form) ? placed : { ...placed, hash: statementHash(hashedOf(placed)) }
}

/** An existing fact in which its source asserts the same, if any. */
export function* findSameAssertion(fact: Fact): LookupPlan<Fact | undefined> {
  const statements = yield* ask({ about: 'claim', fact, which: 'same source' })
  return statements.find(
    (entry) =>
      sameValue(entry, fact) &&
      // A fact from a peer belongs to the peer; a local assertion of it is new.
      entry.receivedFrom === fact.receivedFrom &&
      entry.assertedConfidence === fact.assertedConfidence &&
      entry.validUntil === fact.validUntil &&
      canonicalJson([...entry.derivedFrom]) === canonicalJson([...fact.derivedFrom]),
  )
}

/** A fact closes a cycle only if something was derived from it before it existed; that is looked up first. */
export function* checkAcyclic({ owner, hash, derivedFrom }: Fact): LookupPlan<void> {
  if (hash === null || derivedFrom.length === 0) return
  const found = (): Error =>
    refusal('provenance_cycle_detected', 'Invalid derived_from: the fact would be derived from itself', 'Remove the hash that leads back.')
  if (derivedFrom.includes(hash)) throw found()
  if ((yield* ask({ about: 'derived', owner, hash })).length === 0) return
  const seen = new Set(derivedFrom)
  for (let wave: readonly string[] = derivedFrom; wave.length > 0; ) {
    const parents = (yield* ask({ about: 'hashes', owner, hashes: wave })).flatMap((fact) => fact.derivedFrom)
    if (parents.includes(hash)) throw found()
    wave = [...new Set(parents)].filter((parent) => !seen.has(parent))
    for (const parent of wave) seen.add(parent)
  }
}

/**
 * Asserted content never changes, through any contract: its hash, signature and derived facts refer to it. Confidence, lifecycle and garden
 * may change.
 */
export function checkUnchanged(before: Fact | undefined, fact: Fact): void {
  if (before === undefined || !isStatement(before) || isSystemForm(before.form)) return
  const statement = ({ text, subject, predicate, value, valueType, source, scope }: Fact): string =>
    canonicalJson([text, subject, predicate, value, valueType, source, scope])
  if (statement(before) === statement(fact)) return
  throw refusal('fact_immutable', 'Asserted facts are immutable', 'Assert a new fact (assert_fact) and retract this one (retract_fact).')
}

/** True if its readers changed, so that it may contradict facts they can read. */
export const hasMoved = (before: Fact | undefined, fact: Fact): boolean => before !== undefined && before.garden !== fact.garden

/** The metadata key that names the one fact a retraction retracts. */
export const RETRACTS_KEY = 'retracts'

export const retracted = (fact: Fact, index: Instant): Fact => ({
  ...withStatus(fact, 'retracted', index),
  confidence: 0,
  updatedAt: index,
  version: fact.version + 1,
})

/** The one fact that a retraction names, if any. */
export const readRetractionTarget = (record: Fact): string | undefined => {
  const named = record.metadata[RETRACTS_KEY]
  return typeof named === 'string' ? named : undefined
}

/**
 * True if a retraction applies to a fact. A retraction by another node applies to facts of the same origin, whichever peer forwarded
 * them, because the origin signed both. Facts that the origin asserts later stay, in whatever order they arrive.
 */
export function retractsFact(record: Fact, fact: Fact): boolean {
  const from = record.receivedFrom
  if (!sameClaim(fact, record) || !isCurrentStatus(fact.status) || fact.id === record.id) return false
  const isNamed = readRetractionTarget(record) === fact.id
  if (!isNamed && (readRetractionTarget(record) !== undefined || fact.source !== record.source)) return false
  if (from === null) return isNamed || fact.receivedFrom === null
  const isTheirs = fact.receivedFrom !== null && (originOf(fact) ?? fact.receivedFrom) === (originOf(record) ?? from)
  return isTheirs && (isNamed || fact.hlc === null || record.hlc === null || fact.hlc < record.hlc)
}

/** A statement with no confidence retracts what its source asserted before, whatever the value, or the one fact that it names. */
function* takenBack(record: Fact): LookupPlan<readonly Fact[]> {
  const named = readRetractionTarget(record)
  const statements =
    named === undefined
      ? yield* ask({ about: 'claim', fact: record, which: 'same source' })
      : yield* ask({ about: 'ids', owner: record.owner, ids: [named] })
  return statements.filter((fact) => retractsFact(record, fact))
}

/** Further facts to put with a new statement, in order. */
export function* deriveEffects(fact: Fact, asOf: Instant): LookupPlan<readonly Fact[]> {
  if (!isStatement(fact) || isSystemForm(fact.form)) return []
  if (fact.confidence === 0) return (yield* takenBack(fact)).map((fact) => retracted(fact, asOf))
  if (!isDisputable(fact) || !isCurrentStatus(fact.status) || (fact.validUntil !== null && fact.validUntil <= asOf)) return []
  const conflicts: Fact[] = []
  for (const against of yield* findRivals(fact)) {
    const [between, status] = conflictFacts(fact, against, asOf)
    const known = yield* ask({ about: 'ids', owner: fact.owner, ids: [between.id] })
    if (known.length === 0) conflicts.push(between, status)
  }
  return conflicts
}

/**
 * The strongest fact that contradicts it. If it came from a peer, also the strongest local one: readers without access to that peer must
 * see the same conflicts as if it had not arrived.
 */
function* findRivals(fact: Fact): LookupPlan<readonly Fact[]> {
  const strongest = yield* ask({ about: 'claim', fact, which: 'other value' })
  if (fact.receivedFrom !== null || strongest.every(({ receivedFrom }) => receivedFrom === null)) return strongest
  return [...strongest, ...(yield* ask({ about: 'claim', fact, which: 'other value here' }))]
}

export const BETWEEN_RELATION = 'stigmem:conflict:between'
export const STATUS_RELATION = 'stigmem:conflict:status'
export const RESOLVES_RELATION = 'stigmem:resolves'

type EffectPlace = Pick<Fact, 'owner' | 'scope' | 'garden' | 'receivedFrom'>

/** A system fact with the readers of the given fact. */
export function systemFact(
  { owner, scope, garden, receivedFrom }: EffectPlace,
  stated: { readonly entity: string; readonly relation: string; readonly value: string; readonly key: string },
  asOf: Instant,
): Fact {
  const statement = { entity: stated.entity, relation: stated.relation, value: { type: 'string', v: stated.value } } as const
  const common = {
    id: uuidOf([stated.entity, stated.relation, stated.key].join('\n')),
    ...{ owner, text: toStatementText(statement), kind: 'semantic', title: null, subject: stated.entity, predicate: stated.relation },
    ...{ value: stated.value, author: null, session: null, date: null, scope, garden, status: 'active' as const, confidence: 1 },
    ...{ importance: 1, source: SYSTEM_SOURCE, reason: null, eventAt: asOf, validFrom: asOf, validUntil: null, recordedAt: asOf },
    ...{ updatedAt: asOf, expiresAt: null, ttlDays: null, supersededBy: null, derivedFrom: [], metadata: {}, autoLink: false },
    ...{ dedupAt: null, version: 1 },
  }
  return completeFact(common, { form: 'system', valueType: 'string', assertedConfidence: 1, receivedFrom })
}

export const UNRESOLVED_STATUS = 'unresolved'
export const RESOLVED_STATUS = 'resolved'

/** A conflict is an object: the two facts, and its state. */
export function conflictFacts(a: Fact, b: Fact, asOf: Instant): readonly [Fact, Fact] {
  const entity = conflictIdOf(a.id, b.id)
  const place = { ...a, receivedFrom: a.receivedFrom ?? b.receivedFrom }
  return [
    systemFact(place, { entity, relation: BETWEEN_RELATION, value: JSON.stringify([a.id, b.id].sort()), key: '' }, asOf),
    systemFact(place, { entity, relation: STATUS_RELATION, value: UNRESOLVED_STATUS, key: UNRESOLVED_STATUS }, asOf),
  ]
}

/** The two facts of a conflict. */
export function sidesOf(between: Fact): readonly string[] {
  return textsIn(typeof between.value === 'string' ? JSON.parse(between.value) : [])
}

/** The strongest contradicting fact, for an index that has no order. */
export const strongestOther = (fact: Fact, live: readonly Fact[], onlyHere: boolean): readonly Fact[] =>
  live
    .filter(
      (entry) => sameClaim(entry, fact) && !sameValue(entry, fact) && isDisputable(entry) && !(onlyHere && entry.receivedFrom !== null),
    )
    .sort(byStrength)
    .slice(0, 1)

/** The edge of a statement about another entity; it has the statement's confidence and ends with it. */
export function edgeOf(fact: Fact): Edge | undefined {
  if (!isStatement(fact) || isSystemForm(fact.form) || fact.valueType !== 'ref') return undefined
  const { entity, relation, value } = statementOf(fact)
  if (typeof value.v !== 'string') return undefined
  return {
    ...{ id: fact.id, owner: fact.owner, from: entity, fromKind: 'entity', to: value.v, toKind: 'entity', type: relation, weight: 1 },
    ...{ confidence: fact.confidence, trust: fact.trust, scope: fact.scope, properties: {}, factId: fact.id, createdAt: fact.recordedAt },
    validUntil: isCurrentStatus(fact.status) ? null : fact.validUntil,
    version: fact.version,
  }
}

/** The journal form of a fact. A card is recorded without its content, which follows from other facts and changes with each of them. */
export const toJournalPayload = (fact: Fact): object => {
  if (fact.form !== 'card') return fact
  const { id, owner, form, subject, predicate, scope, garden, receivedFrom, version } = fact
  return { id, owner, form, subject, predicate, scope, garden, receivedFrom, version }
}

/** Statements at or below this confidence are not embedded, by default. */
export const EMBED_ABOVE = 0.1

/** True if a fact is embedded; undefined leaves its vector unchanged. Facts of other contracts are embedded at any confidence. */
export function shouldEmbed(
  { form, assertedConfidence, confidence }: Pick<Fact, 'form' | 'assertedConfidence' | 'confidence'>,
  above: number,
): boolean | undefined {
  if (form === 'system' || form === ASKED_FORM) return false
  if (assertedConfidence === null || form === 'card') return true
  return confidence === above ? undefined : confidence > above
}
