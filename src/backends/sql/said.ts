import { SCOPES } from '../../core/fact.js'
import type { SaidSketch } from '../../ports/view.js'
import { inList, type Plan, type Query } from './plan.js'

const COLUMNS =
  'rid, id, subject, predicate, scope, asserted_confidence, confidence, trust, event_at, quarantine, derived_from, hlc, access_count'
const AT_ONCE = 512
const NONE: readonly string[] = []

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Numbers of a server come as text where they may be too long for it. */
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number(value ?? 0))

/** The values of such a row; written out, because hundreds are read for a question. */
function toSaid(values: readonly unknown[]): SaidSketch {
  const [rid, id, subject, predicate, scope, asserted, confidence, trust, eventAt, quarantine, derivedFrom, hlc, accesses] = values
  const isStated = asserted !== null
  return {
    rid: numberOf(rid),
    id: textOf(id) ?? '',
    entity: isStated ? textOf(subject) : null,
    relation: isStated ? textOf(predicate) : null,
    scope: SCOPES.find((one) => one === scope) ?? 'local',
    confidence: numberOf(confidence),
    trust: trust === null ? null : numberOf(trust),
    eventAt: numberOf(eventAt),
    quarantine: textOf(quarantine),
    derivedFrom: isStated ? namesIn(derivedFrom) : NONE,
    hlc: textOf(hlc),
    accesses: numberOf(accesses),
  }
}

function namesIn(text: unknown): readonly string[] {
  if (typeof text !== 'string' || text === '[]') return NONE
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : NONE
}

/** What ranking looks at of one owner's facts, by their rows. */
export function* saidAt(owner: string, rids: readonly number[]): Plan<ReadonlyMap<number, SaidSketch>> {
  const found = new Map<number, SaidSketch>()
  const each = (values: readonly unknown[]): void => {
    const said = toSaid(values)
    found.set(said.rid, said)
  }
  const queries: Query[] = []
  for (let i = 0; i < rids.length; i += AT_ONCE) {
    const list = inList(rids.slice(i, i + AT_ONCE))
    queries.push({
      text: `SELECT ${COLUMNS} FROM facts WHERE +owner = ? AND rid IN (${list.marks})`,
      values: [owner, ...list.values],
      each,
    })
  }
  if (queries.length > 0) yield queries
  return found
}
