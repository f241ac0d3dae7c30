import { SCOPES } from '../../../core/facts/fact.js'
import type { StatementHeader } from '../../../ports/view.js'
import { inList, type Plan, type Query } from '../plan/plan.js'

const COLUMNS =
  'rid, id, subject, predicate, scope, asserted_confidence, confidence, trust, event_at, quarantine, derived_from, hlc, access_count'
const AT_ONCE = 512

const NO_HEADERS: readonly string[] = []

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A server sends integers that may exceed a double as text. */
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number(value ?? 0))

/** Decodes a row without a loop over columns, because hundreds are read per query. */
function toSaid(values: readonly unknown[]): StatementHeader {
  const [rid, id, subject, predicate, scope, asserted, confidence, trust, eventAt, quarantine, derivedFrom, hlc, accesses] = values
  const isStated = asserted !== null
  return {
    rid: numberOf(rid),
    id: textOf(id) ?? '',
    entity: isStated ? textOf(subject) : null,
    relation: isStated ? textOf(predicate) : null,
    scope: SCOPES.find((value) => value === scope) ?? 'local',
    confidence: numberOf(confidence),
    trust: trust === null ? null : numberOf(trust),
    eventAt: numberOf(eventAt),
    quarantine: textOf(quarantine),
    derivedFrom: isStated ? namesIn(derivedFrom) : NO_HEADERS,
    hlc: textOf(hlc),
    accesses: numberOf(accesses),
  }
}

function namesIn(text: unknown): readonly string[] {
  if (typeof text !== 'string' || text === '[]') return NO_HEADERS
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : NO_HEADERS
}

/** Reads columns of one owner's facts by row number. */
function* readAt(owner: string, rids: readonly number[], columns: string, each: (values: readonly unknown[]) => void): Plan<void> {
  const queries: Query[] = []
  for (let i = 0; i < rids.length; i += AT_ONCE) {
    const list = inList(rids.slice(i, i + AT_ONCE))
    queries.push({ text: `SELECT ${columns} AND +owner = ? AND rid IN (${list.marks})`, values: [owner, ...list.values], each })
  }
  if (queries.length > 0) yield queries
}

/** The columns of one owner's facts that ranking reads. */
export function* selectStatementHeaders(owner: string, rids: readonly number[]): Plan<ReadonlyMap<number, StatementHeader>> {
  const found = new Map<number, StatementHeader>()
  yield* readAt(owner, rids, `${COLUMNS} FROM facts WHERE 1 = 1`, (values) => {
    const header = toSaid(values)
    found.set(header.rid, header)
  })
  return found
}

/** Recall counts; facts that were never recalled are omitted. */
export function* accessesAt(owner: string, rids: readonly number[]): Plan<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  yield* readAt(owner, rids, `rid, access_count FROM facts WHERE access_count > 0`, ([rid, count]) =>
    found.set(numberOf(rid), numberOf(count)),
  )
  return found
}
