import type { Sketch } from '../../core/recall/candidate.js'
import { SYSTEM_FORMS } from '../../core/statement.js'
import type { ClassOfOwner } from '../../core/visibility.js'
import { asBytes, asNumber, asText, inList, inSlices, type Kind, type Plan, type Query, type Row } from '../sql/plan.js'
import { toStatus } from '../sql/rows.js'
import { fromBytes, type VectorCodes } from '../vector/codes.js'

/** What a unit reads of a fact, and of which kind it is. */
const READ = [
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
  ['embedded', 'int'],
  ['scope', 'text'],
  ['garden', 'text'],
  ['received_from', 'text'],
  ['pieces', 'int'],
] as const

const COLUMNS = READ.map(([column]) => `f.${column}`).join(', ')

/** Facts with their vectors, where they have one. */
const WITH_CODES = `SELECT ${COLUMNS}, c.scale, c.codes FROM facts f LEFT JOIN fact_codes c ON c.rid = f.rid AND c.owner = f.owner`

/** What the columns of such a row hold. */
const FACT_KINDS: readonly Kind[] = [...READ.map(([, kind]) => kind), 'real', 'bytes']

const NAMES: readonly string[] = [...READ.map(([column]) => column), 'scale', 'codes']

/** A fact as a unit takes it. */
export interface UnitFact {
  readonly sketch: Omit<Sketch, 'owner'>
  readonly of: ClassOfOwner
  readonly terms: Uint8Array
  readonly hasVector: boolean
  readonly pieces: number
  /** Only where they were read, too. */
  readonly codes: VectorCodes | undefined
}

/** 1: with its vector. 2: with its vector, pieces are still to be made. */
const HAS_VECTOR: readonly number[] = [1, 2]

const textOf = (value: unknown, column: string): string | null => (value === null ? null : asText(value, column))
const numberOf = (value: unknown, column: string): number | null => (value === null ? null : asNumber(value, column))

export const unitCodes = (codes: unknown, scale: unknown): VectorCodes | undefined =>
  codes === null || codes === undefined ? undefined : fromBytes(asBytes(codes, 'codes'), asNumber(scale, 'scale'))

/** From bare values in the order of the columns; written out, because hundreds of thousands are read at once. */
export function unitFact(values: readonly unknown[]): UnitFact {
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
    terms: asBytes(values[11], 'terms'),
    hasVector: HAS_VECTOR.includes(asNumber(values[12], 'embedded')),
    of: {
      scope: asText(values[13], 'scope'),
      garden: textOf(values[14], 'garden'),
      federated: values[15] !== null,
    },
    pieces: asNumber(values[16], 'pieces'),
    codes: unitCodes(values[18], values[17]),
  }
}

const named = (row: Row): UnitFact => unitFact(NAMES.map((name) => row[name]))

/** What the store notes itself is nothing to search for, nor counts in anyone's scores. */
const SEARCHED = `f.form IS NULL OR f.form NOT IN (${SYSTEM_FORMS.map((form) => `'${form}'`).join(', ')})`

/** Without their vectors. */
export function* factsAt(owner: string, rids: readonly number[]): Plan<readonly UnitFact[]> {
  const statement = (marks: string) =>
    `SELECT ${COLUMNS} FROM facts f WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`
  return (yield* inSlices(rids, statement, owner)).map(named)
}

/** With their vectors. */
export function* codedFactsAt(owner: string, rids: readonly number[]): Plan<readonly UnitFact[]> {
  const statement = (marks: string) => `${WITH_CODES} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`
  return (yield* inSlices(rids, statement, owner)).map(named)
}

/** The same as bare values, for `unitFact`. */
export const codedFactsOf = (owner: string, rids: readonly number[]): Query => {
  const { marks, values } = inList(rids)
  return {
    text: `${WITH_CODES} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`,
    values: [owner, ...values],
    kinds: FACT_KINDS,
  }
}

/** Without their vectors, and these alone. */
export const factsOf = (owner: string, rids: readonly number[]): Query => {
  const { marks, values } = inList(rids)
  return {
    text: `SELECT ${COLUMNS} FROM facts f WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`,
    values: [owner, ...values],
    kinds: FACT_KINDS.slice(0, -2),
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

/** All of an owner's after a row, in the order of their rows, as bare values. */
export const codedFactsAfter = (owner: string, after: number, limit: number): Query => ({
  text: `${WITH_CODES} WHERE f.owner = ? AND f.rid > ? AND (${SEARCHED}) ORDER BY f.rid LIMIT ?`,
  values: [owner, after, limit],
  kinds: FACT_KINDS,
})
