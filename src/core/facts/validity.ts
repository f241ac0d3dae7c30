import { MemoryError } from '../../errors.js'
import type { Fact, FactStatus, Instant } from './fact.js'

export const CURRENT_STATUSES: readonly FactStatus[] = ['active', 'candidate', 'contested', 'stale']
const CURRENT_STATUS_SET: ReadonlySet<FactStatus> = new Set(CURRENT_STATUSES)

export const isCurrentStatus = (status: FactStatus): boolean => CURRENT_STATUS_SET.has(status)

/**
 * The instant of a read. `present` reads now: a commit that was acknowledged is visible to every later read, whatever the clocks say.
 * Otherwise only the windows decide.
 */
export interface AsOf {
  readonly at: Instant
  readonly present?: boolean
}

/** The fields that the rules read. Entities have no window and never end. */
export interface ValidityFields {
  readonly status: FactStatus
  readonly validFrom?: Instant
  readonly validUntil?: Instant | null
  readonly expiresAt?: Instant | null
  readonly recordedAt?: Instant
}

/**
 * A condition on the lifecycle of a fact or entity, as data: `satisfiesRule` evaluates it in memory, backends translate it to SQL. An unset
 * instant is neither before nor after another.
 */
export type Rule =
  | { readonly all: readonly Rule[] }
  | { readonly any: readonly Rule[] }
  | { readonly field: 'validFrom' | 'validUntil' | 'expiresAt'; readonly is: 'by' | 'after'; readonly at: Instant }
  | { readonly unset: 'validUntil' | 'expiresAt' }
  | { readonly status: 'one of' | 'none of'; readonly statuses: readonly FactStatus[] }
  | { readonly ends: 'before it begins' | 'after it begins' }
  | { readonly began: 'at its commit' }

export function satisfiesRule(rule: Rule, node: ValidityFields): boolean {
  if ('all' in rule) return rule.all.every((rule) => satisfiesRule(rule, node))
  if ('any' in rule) return rule.any.some((rule) => satisfiesRule(rule, node))
  if ('status' in rule) return rule.statuses.includes(node.status) === (rule.status === 'one of')
  if ('unset' in rule) return (node[rule.unset] ?? null) === null
  if ('began' in rule) return node.validFrom !== undefined && node.validFrom === node.recordedAt
  if ('ends' in rule) {
    const [begins, ends] = [node.validFrom, node.validUntil ?? null]
    if (begins === undefined || ends === null) return false
    return rule.ends === 'before it begins' ? ends < begins : ends > begins
  }
  const instant = node[rule.field] ?? null
  return instant !== null && (rule.is === 'by' ? instant <= rule.at : instant > rule.at)
}

const isCurrent: Rule = { status: 'one of', statuses: CURRENT_STATUSES }
const isNotCurrent: Rule = { status: 'none of', statuses: CURRENT_STATUSES }
const isArchived: Rule = { status: 'one of', statuses: ['archived'] }
const isNotArchived: Rule = { status: 'none of', statuses: ['archived'] }
const isOpen = (field: 'validUntil' | 'expiresAt', index: Instant): Rule => ({ any: [{ unset: field }, { field, is: 'after', at: index }] })

/** The lifecycle rules. */
export const VALIDITY_RULES = {
  /** True in the world at that instant: the window is half open, and expiry ends it like `validUntil`. */
  valid: ({ at: asOf, present }: AsOf): Rule => ({
    all: [
      { any: [{ field: 'validFrom', is: 'by', at: asOf }, ...(present === true ? [{ began: 'at its commit' } as const] : [])] },
      isOpen('validUntil', asOf),
      isOpen('expiresAt', asOf),
      ...(present === true ? [isCurrent] : []),
    ],
  }),
  /** Expired: excluded from search and links. */
  expired: (asOf: Instant): Rule => ({ field: 'expiresAt', is: 'by', at: asOf }),
  unexpired: (asOf: Instant): Rule => isOpen('expiresAt', asOf),
  /** Excluded from every read. An archived node can still be read by id. */
  gone: (asOf: Instant): Rule => ({ all: [isNotArchived, VALIDITY_RULES.expired(asOf)] }),
  there: (asOf: Instant): Rule => ({ any: [isArchived, isOpen('expiresAt', asOf)] }),
  active: (asOf: Instant): Rule => ({ all: [isCurrent, isOpen('validUntil', asOf)] }),
  archived: isArchived,
  outdated: (asOf: Instant): Rule => ({ all: [isNotArchived, { any: [isNotCurrent, { field: 'validUntil', is: 'by', at: asOf }] }] }),
  current: isCurrent,
} as const

/** Inconsistent combinations of status and window. */
export const CONTRADICTIONS: readonly { readonly what: string; rule(asOf: Instant): Rule }[] = [
  { what: 'has ended but has no end of validity', rule: () => ({ all: [isNotCurrent, { unset: 'validUntil' }] }) },
  { what: 'ends before it begins', rule: () => ({ ends: 'before it begins' }) },
  {
    what: 'has ended but is valid until later',
    rule: (now) => ({ all: [isNotCurrent, { field: 'validUntil', is: 'after', at: now }, { ends: 'after it begins' }] }),
  },
]

/** The inconsistency of a fact, if any. */
export const contradictionOf = (fact: ValidityFields, index: Instant): string | undefined =>
  CONTRADICTIONS.find(({ rule }) => satisfiesRule(rule(index), fact))?.what

/** Rejects an inconsistent fact, unless it was inconsistent before: such a fact can still be changed and repaired. */
export function checkConsistent(fact: Fact, before: Fact | undefined, asOf: Instant): void {
  const what = contradictionOf(fact, asOf)
  if (what === undefined || (before !== undefined && contradictionOf(before, asOf) !== undefined)) return
  throw new MemoryError('invalid_input', `Fact ${fact.id} is inconsistent: it ${what}.`, {
    hint: 'Align status, validFrom and validUntil, or run `mneme mend`.',
  })
}

/** The fact without the inconsistency: an ended fact ends when it was last changed. */
export function repairValidity(fact: Fact, asOf: Instant): Fact {
  const known = isCurrentStatus(fact.status) || (fact.validUntil !== null && (fact.validUntil <= asOf || fact.validUntil <= fact.validFrom))
  const end = known ? fact.validUntil : Math.min(fact.updatedAt, asOf)
  const validUntil = end === null ? null : Math.max(end, fact.validFrom)
  return validUntil === fact.validUntil ? fact : { ...fact, validUntil }
}

type Window = Pick<Fact, 'validFrom' | 'validUntil' | 'expiresAt' | 'recordedAt' | 'status'>

/** Valid since its commit; its author stated no other time. */
export const beganAtCommit = (fact: Pick<Fact, 'validFrom' | 'recordedAt'>): boolean => fact.validFrom === fact.recordedAt

/** Bits that indexes keep of a fact's window in addition to its instants. */
const VALIDITY_MARKS = { beganAtCommit: 1, over: 2 } as const

export const marksOf = (fact: Pick<Fact, 'validFrom' | 'recordedAt' | 'status'>): number =>
  (beganAtCommit(fact) ? VALIDITY_MARKS.beganAtCommit : 0) | (isCurrentStatus(fact.status) ? 0 : VALIDITY_MARKS.over)

/** `VALIDITY_RULES.valid` over packed columns, for index scans; a test keeps the two in step. `Infinity` is never. */
export const isValidPacked = (from: Instant, until: Instant, expires: Instant, marks: number, { at: asOf, present }: AsOf): boolean =>
  (from <= asOf || (present === true && (marks & VALIDITY_MARKS.beganAtCommit) !== 0)) &&
  until > asOf &&
  expires > asOf &&
  !(present === true && (marks & VALIDITY_MARKS.over) !== 0)

/** The same rule as a half-open range, for indexes that compare two numbers: for the present, or for another instant. */
export const toValidityRange = (fact: Window, present: boolean): readonly [Instant, Instant] => [
  present && beganAtCommit(fact) ? 0 : fact.validFrom,
  present && !isCurrentStatus(fact.status)
    ? 0
    : Math.min(fact.validUntil ?? Number.MAX_SAFE_INTEGER, fact.expiresAt ?? Number.MAX_SAFE_INTEGER),
]

/** True in the world at that instant. */
export const isValidAt = (fact: Window, moment: AsOf): boolean => satisfiesRule(VALIDITY_RULES.valid(moment), fact)

/** A fact that leaves the current statuses ends now; one that becomes current again is reopened. */
export function withStatus(fact: Fact, status: FactStatus, asOf: Instant): Fact {
  if (isCurrentStatus(status)) {
    const reopened = !isCurrentStatus(fact.status) && fact.validUntil !== null && fact.validUntil <= Math.max(asOf, fact.validFrom)
    return {
      ...fact,
      status,
      validUntil: reopened ? null : fact.validUntil,
      supersededBy: isCurrentStatus(fact.status) ? fact.supersededBy : null,
    }
  }
  const ended = fact.validUntil !== null && fact.validUntil <= asOf
  return { ...fact, status, validUntil: ended ? fact.validUntil : Math.max(asOf, fact.validFrom) }
}

/** When a fact ends, by its window or lifetime; null if it has no end. */
export function endOf({ validUntil, expiresAt }: Pick<Fact, 'validUntil' | 'expiresAt'>): Instant | null {
  return validUntil === null ? expiresAt : expiresAt === null ? validUntil : Math.min(validUntil, expiresAt)
}
