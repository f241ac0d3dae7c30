import type { ClassOfOwner } from '../../core/access/access-filter.js'
import type { FactHeader } from '../../core/recall/candidate.js'
import { UNSEARCHED_FORMS } from '../../core/statements/statement.js'
import type { BytePart } from '../byte-part.js'
import { asNumber, asPart, asText, inList, inSlices, type Kind, type Plan, type Query, type Row } from '../sql/plan/plan.js'
import { toStatus } from '../sql/plan/rows.js'
import type { StoredCodes } from '../vector/block-memory.js'

/** Columns that a shard loads, with their types; covered by the index `facts_to_load`. */
const LOADED_COLUMNS = [
  ['rid', 'int'],
  ['id', 'text'],
  ['subject_name', 'text'],
  ['author', 'text'],
  ['recorded_at', 'int'],
  ['valid_from', 'int'],
  ['valid_until', 'int'],
  ['expires_at', 'int'],
  ['status', 'text'],
  ['code', 'int'],
  ['session', 'text'],
  ['terms', 'bytes'],
  ['scope', 'text'],
  ['garden', 'text'],
  ['received_from', 'text'],
] as const

/** For a fact that may be loaded already, also its embedding state. */
const PROGRESS_COLUMNS = [
  ['embedded', 'int'],
  ['pieces', 'int'],
] as const

type Columns = readonly (readonly [column: string, kind: Kind])[]

const kindsOf = (columns: Columns): readonly Kind[] => columns.map(([, kind]) => kind)

const CODES: Columns = [
  ['scale', 'real'],
  ['codes', 'bytes'],
]

/** Facts with their vectors, for `toIndexedFact`. */
const CODED_COLUMNS: Columns = [...LOADED_COLUMNS, ...CODES]
/** The same for `changedFact`. */
const CHANGED_FACT_COLUMNS: Columns = [...LOADED_COLUMNS, ...PROGRESS_COLUMNS, ...CODES]
/** Without vectors. */
const UNCODED_COLUMNS: Columns = [...LOADED_COLUMNS, ...PROGRESS_COLUMNS]

const withCodes = (columns: Columns): string =>
  `SELECT ${columns.map(([column]) => (CODES.some(([code]) => code === column) ? `c.${column}` : `f.${column}`)).join(', ')}
   FROM facts f LEFT JOIN fact_codes c ON c.owner = f.owner AND c.rid = f.rid`

const LOADED_FACTS = withCodes(CODED_COLUMNS)
const CHANGED_FACTS = withCodes(CHANGED_FACT_COLUMNS)
const BARE_FACTS = `SELECT ${UNCODED_COLUMNS.map(([column]) => `f.${column}`).join(', ')} FROM facts f`

/** A fact as loaded into a shard. */
export interface IndexedFact {
  readonly sketch: Omit<FactHeader, 'owner'>
  readonly of: ClassOfOwner
  readonly terms: BytePart
  /** Present if they were read. */
  readonly codes: StoredCodes | undefined
}

/** A fact that may be in the shard already. */
export interface ChangedFact extends IndexedFact {
  readonly hasVector: boolean
  readonly pieces: number
}

/** 1: embedded. 2: embedded, pieces pending. */
const HAS_VECTOR: readonly number[] = [1, 2]

const textOf = (value: unknown, column: string): string | null => (value === null ? null : asText(value, column))
const numberOf = (value: unknown, column: string): number | null => (value === null ? null : asNumber(value, column))

export const toStoredCodes = (codes: unknown, scale: unknown): StoredCodes | undefined =>
  codes === null || codes === undefined ? undefined : { part: asPart(codes, 'codes'), scale: asNumber(scale, 'scale') }

/** Decodes a row in column order without a loop, because hundreds of thousands are read at once. */
export function toIndexedFact(values: readonly unknown[], codesAt: number = LOADED_COLUMNS.length): IndexedFact {
  return {
    sketch: {
      rid: asNumber(values[0], 'rid'),
      id: asText(values[1], 'id'),
      subject: textOf(values[2], 'subject_name'),
      author: textOf(values[3], 'author'),
      recordedAt: asNumber(values[4], 'recorded_at'),
      validFrom: asNumber(values[5], 'valid_from'),
      validUntil: numberOf(values[6], 'valid_until'),
      expiresAt: numberOf(values[7], 'expires_at'),
      status: toStatus(asText(values[8], 'status')),
      isCode: asNumber(values[9], 'code') === 1,
      session: textOf(values[10], 'session'),
    },
    terms: asPart(values[11], 'terms'),
    of: {
      scope: asText(values[12], 'scope'),
      garden: textOf(values[13], 'garden'),
      federated: values[14] !== null,
    },
    codes: toStoredCodes(values[codesAt + 1], values[codesAt]),
  }
}

/** The same with its embedding state. */
export const changedFact = (values: readonly unknown[]): ChangedFact => ({
  ...toIndexedFact(values, LOADED_COLUMNS.length + PROGRESS_COLUMNS.length),
  hasVector: HAS_VECTOR.includes(asNumber(values[LOADED_COLUMNS.length], 'embedded')),
  pieces: asNumber(values[LOADED_COLUMNS.length + 1], 'pieces'),
})

const named = (row: Row): ChangedFact => changedFact(CHANGED_FACT_COLUMNS.map(([column]) => row[column]))

/** Facts of the store itself and records of what was asked are not searched and count in no score. */
const IS_SEARCHED = `f.form IS NULL OR f.form NOT IN (${UNSEARCHED_FORMS.map((form) => `'${form}'`).join(', ')})`

/** Without their vectors. */
export function* factsAt(owner: string, rids: readonly number[]): Plan<readonly ChangedFact[]> {
  const statement = (marks: string) => `${BARE_FACTS} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${IS_SEARCHED}) ORDER BY f.rid`
  return (yield* inSlices(rids, statement, owner)).map(named)
}

/** With their vectors. */
export function* codedFactsAt(owner: string, rids: readonly number[]): Plan<readonly ChangedFact[]> {
  const statement = (marks: string) => `${CHANGED_FACTS} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${IS_SEARCHED}) ORDER BY f.rid`
  return (yield* inSlices(rids, statement, owner)).map(named)
}

/** The same as arrays, for `changedFact`. */
export const codedFactsOf = (owner: string, rids: readonly number[]): Query => {
  const { marks, values } = inList(rids)
  return {
    text: `${CHANGED_FACTS} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${IS_SEARCHED}) ORDER BY f.rid`,
    values: [owner, ...values],
    kinds: kindsOf(CHANGED_FACT_COLUMNS),
  }
}

/** Without vectors, as arrays. */
export const factsOf = (owner: string, rids: readonly number[]): Query => {
  const { marks, values } = inList(rids)
  return {
    text: `${BARE_FACTS} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${IS_SEARCHED}) ORDER BY f.rid`,
    values: [owner, ...values],
    kinds: kindsOf(UNCODED_COLUMNS),
  }
}

export const codesOfFacts = (owner: string, rids: readonly number[]): Query => {
  const { marks, values } = inList(rids)
  return {
    text: `SELECT rid, scale, codes FROM fact_codes WHERE owner = ? AND rid IN (${marks})`,
    values: [owner, ...values],
    kinds: ['int', 'real', 'bytes'],
  }
}

const inOrder =
  (facts: string, columns: Columns, condition: string) =>
  (owner: string, after: number, limit: number): Query & { readonly kinds: readonly Kind[] } => ({
    text: `${facts} WHERE f.owner = ? AND f.rid > ? AND (${IS_SEARCHED})${condition} ORDER BY f.rid LIMIT ?`,
    values: [owner, after, limit],
    kinds: kindsOf(columns),
  })

/**
 * All facts of an owner after a row, in row order, as arrays for `toIndexedFact`. The added condition is always true; the covering index has the
 * same one.
 */
export const loadedFactsAfter = inOrder(LOADED_FACTS, CODED_COLUMNS, ' AND f.code >= 0')
/** The same for `changedFact`. */
export const codedFactsAfter = inOrder(CHANGED_FACTS, CHANGED_FACT_COLUMNS, '')
