import { SYSTEM_FORMS } from '../../core/statement.js'
import { inList, inSlices, type Kind, type Plan, type Query, type Row } from '../sql/plan.js'

const COLUMNS =
  'f.rid, f.id, f.owner, f.subject_name, f.author, f.recorded_at, f.valid_from, f.valid_until, f.expires_at, f.status, f.code, f.session, ' +
  'f.terms, f.embedded, f.scope, f.garden, f.received_from, f.pieces'

/** Facts with their vectors, where they have one. */
const WITH_CODES = `SELECT ${COLUMNS}, c.scale, c.codes FROM facts f LEFT JOIN fact_codes c ON c.rid = f.rid AND c.owner = f.owner`

/** What the columns of such a row hold. */
export const FACT_KINDS: readonly Kind[] = [
  ...(['int', 'text', 'text', 'text', 'text', 'int', 'int', 'int', 'int', 'text', 'int', 'text'] as const),
  ...(['bytes', 'int', 'text', 'text', 'text', 'int', 'real', 'bytes'] as const),
]

/** The values of such a row under their names; written out, because hundreds of thousands are read at once. */
export const namedFact = (values: readonly unknown[]): Row => {
  const [rid, id, owner, subject_name, author, recorded_at, valid_from, valid_until, expires_at, status, code, session] = values
  const [terms, embedded, scope, garden, received_from, pieces, scale, codes] = values.slice(12)
  const fact = {
    rid,
    id,
    owner,
    subject_name,
    author,
    recorded_at,
    valid_from,
    valid_until,
    expires_at,
    status,
    code,
    session,
    terms,
    embedded,
    scope,
    garden,
    received_from,
    pieces,
    scale,
    codes,
  }
  return fact
}

/** What the store notes itself is nothing to search for, nor counts in anyone's scores. */
const SEARCHED = `f.form IS NULL OR f.form NOT IN (${SYSTEM_FORMS.map((form) => `'${form}'`).join(', ')})`

export const factsAt = (owner: string, rids: readonly number[]): Plan<readonly Row[]> =>
  inSlices(
    rids,
    (marks) => `SELECT ${COLUMNS} FROM facts f WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`,
    owner,
  )

/** The same with their vectors. */
export const codedFactsAt = (owner: string, rids: readonly number[]): Plan<readonly Row[]> =>
  inSlices(rids, (marks) => `${WITH_CODES} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`, owner)

/** The same as bare values. */
export const codedFactsOf = (owner: string, rids: readonly number[]): Query => {
  const { marks, values } = inList(rids)
  return {
    text: `${WITH_CODES} WHERE f.owner = ? AND f.rid IN (${marks}) AND (${SEARCHED}) ORDER BY f.rid`,
    values: [owner, ...values],
    kinds: FACT_KINDS,
  }
}

/** All of an owner's after a row, in the order of their rows, as bare values. */
export const codedFactsAfter = (owner: string, after: number, limit: number): Query => ({
  text: `${WITH_CODES} WHERE f.owner = ? AND f.rid > ? AND (${SEARCHED}) ORDER BY f.rid LIMIT ?`,
  values: [owner, after, limit],
  kinds: FACT_KINDS,
})
