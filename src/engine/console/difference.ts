import type { Fact, Instant } from '../../core/facts/fact.js'
import { isCurrentStatus, isValidAt } from '../../core/facts/validity.js'
import { MemoryError } from '../../errors.js'
import type { FactFilter } from '../../ports/facets.js'
import type { PageCursor } from '../../ports/store.js'
import type { Context } from '../context.js'

/** Whether the instant refers to validity or to recording time. */
type TimeAxis = 'true' | 'known'

interface FactDifference {
  readonly kind: 'learned' | 'ended' | 'changed'
  readonly at: Instant
  readonly fact: Fact
  /** For a change: the replaced fact. */
  readonly before?: Fact
}

interface TimeDifference {
  readonly changes: readonly FactDifference[]
  readonly learned: number
  readonly ended: number
  readonly changed: number
  readonly same: number
}

const PAGE_SIZE = 500
/** Limit of facts compared one by one. */
const MAX_FACTS = 20_000

export interface Span {
  readonly from: Instant
  readonly until: Instant
  readonly reading: TimeAxis
  readonly owners?: readonly string[] | undefined
}

/** Facts that hold at only one of two instants. A fact that ended in favour of another one is a change. */
export async function difference(context: Context, span: Span): Promise<TimeDifference> {
  if (span.from >= span.until) throw new MemoryError('invalid_input', 'Invalid from: it must lie before until.')
  const filter: FactFilter = { recordedUntil: span.reading === 'known' ? span.until : Number.MAX_SAFE_INTEGER, ...ownersOf(span) }
  const facts = new Map<string, Fact>()
  let after: PageCursor | undefined
  do {
    const page = await context.store.browse(filter, { limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
    for (const fact of page.items) facts.set(fact.id, fact)
    after = page.next ?? undefined
    context.signal.throwIfAborted()
  } while (after !== undefined && facts.size < MAX_FACTS)
  return compare([...facts.values()], facts, span)
}

const ownersOf = ({ owners }: Span): Pick<FactFilter, 'owners'> => (owners === undefined ? {} : { owners })

function compare(facts: readonly Fact[], byId: ReadonlyMap<string, Fact>, span: Span): TimeDifference {
  const holds = (fact: Fact, at: Instant): boolean => (span.reading === 'true' ? isValidAt(fact, { at }) : isKnownAt(fact, at))
  const began = facts.filter((fact) => !holds(fact, span.from) && holds(fact, span.until))
  const over = facts.filter((fact) => holds(fact, span.from) && !holds(fact, span.until))
  const replaced = new Map(over.flatMap((fact) => (fact.supersededBy === null ? [] : [[fact.supersededBy, fact] as const])))
  const changes: FactDifference[] = []
  for (const fact of began) {
    const before = replaced.get(fact.id)
    const at = span.reading === 'true' ? fact.validFrom : fact.recordedAt
    changes.push(before === undefined ? { kind: 'learned', at, fact } : { kind: 'changed', at, fact, before })
  }
  const shown = new Set(changes.map(({ fact }) => fact.id))
  for (const fact of over) {
    if (fact.supersededBy !== null && shown.has(fact.supersededBy) && byId.has(fact.supersededBy)) continue
    changes.push({ kind: 'ended', at: fact.validUntil ?? span.until, fact })
  }
  const count = (kind: FactDifference['kind']): number => changes.filter((change) => change.kind === kind).length
  return {
    changes: changes.sort((a, b) => b.at - a.at),
    learned: count('learned'),
    ended: count('ended'),
    changed: count('changed'),
    same: facts.filter((fact) => holds(fact, span.from) && holds(fact, span.until)).length,
  }
}

/** True if the fact was recorded and not yet known to have ended. */
const isKnownAt = (fact: Fact, at: Instant): boolean =>
  fact.recordedAt <= at && (isCurrentStatus(fact.status) || (fact.validUntil ?? fact.updatedAt) > at)
