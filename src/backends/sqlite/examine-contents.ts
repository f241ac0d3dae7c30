import { setImmediate } from 'node:timers/promises'
import { looksLikeCode } from '../../core/code/text.js'
import { fullText, lexicalParts, subjectName } from '../../core/embedding/fact-text.js'
import { packTerms } from '../../core/text/term-bag.js'
import { fold } from '../../core/text/text.js'
import { bytes, number, type Row, text } from '../sql/plan/plan.js'
import {
  CONTENT_COLUMNS,
  contentSeal,
  edgeSeal,
  entitySeal,
  factSeal,
  HEAD_COLUMNS,
  headSeal,
  isEmptied,
} from '../sql/plan/row-checksums.js'
import { EDGE_COLUMNS, ENTITY_COLUMNS, FACT_COLUMNS, toFact } from '../sql/plan/rows.js'
import { sameCodes } from '../sql/vectors/vectors.js'
import type { Database } from './driver.js'
import { rowsOf } from './migrate-rows.js'

/** Rows between yields. */
const ROWS_PER_TURN = 500

/** Rows with errors: the row differs from the commit, or from its index data. */
export interface Tally {
  readonly altered: readonly string[]
  readonly stale: readonly string[]
}

interface Pass {
  readonly what: string
  readonly table: string
  readonly columns: string
  readonly key: string
  /** The error of a row, if any. */
  check(row: Row): keyof Tally | undefined
  name(row: Row): string
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

function checkFact(row: Row): keyof Tally | undefined {
  if (row.seal !== factSeal(row)) return 'altered'
  const fact = toFact(row)
  const derived =
    sameBytes(bytes(row, 'terms'), packTerms(lexicalParts(fact))) &&
    row.subject_name === subjectName(fact) &&
    number(row, 'code') === (looksLikeCode(fact.text) ? 1 : 0)
  return derived ? undefined : 'stale'
}

const named = (row: Row): string => (typeof row.id === 'string' ? row.id : String(row.place))

export const PASSES: readonly Pass[] = [
  { what: 'facts', table: 'facts', columns: `seal, subject_name, code, terms, ${FACT_COLUMNS}`, key: 'rid', check: checkFact, name: named },
  {
    what: 'entries of the journal',
    table: 'journal',
    columns: `head_seal, content_seal, ${HEAD_COLUMNS}, ${CONTENT_COLUMNS}`,
    key: 'seq',
    check: (row) => (row.head_seal === headSeal(row) && (isEmptied(row) || row.content_seal === contentSeal(row)) ? undefined : 'altered'),
    name: (row) => String(row.place),
  },
  {
    what: 'entities',
    table: 'entities',
    columns: `seal, ${ENTITY_COLUMNS}`,
    key: 'rowid',
    check: (row) => (row.seal === entitySeal(row) ? undefined : 'altered'),
    name: named,
  },
  {
    what: 'relations',
    table: 'entity_edges',
    columns: `seal, derived, ${EDGE_COLUMNS}`,
    key: 'rowid',
    check: (row) => (row.derived !== 0 || row.seal === edgeSeal(row) ? undefined : 'altered'),
    name: named,
  },
]

/** Compares every row with its checksum and its index data. */
export async function tally(db: Database, pass: Pass): Promise<Tally> {
  const altered: string[] = []
  const stale: string[] = []
  let seen = 0
  for (const row of rowsOf(db, pass.table, pass.columns, pass.key)) {
    const problem = pass.check(row)
    if (problem !== undefined) (problem === 'altered' ? altered : stale).push(pass.name(row))
    if (++seen % ROWS_PER_TURN === 0) await setImmediate()
  }
  return { altered, stale }
}

/** Number of facts or passages whose search codes do not belong to their vector. */
export async function differingVectors(db: Database, kind: 'fact' | 'passage'): Promise<number> {
  const vectors = db.prepare(`SELECT embedding FROM vec_${kind}s WHERE id = ?`)
  let differing = 0
  let seen = 0
  for (const row of rowsOf(
    db,
    `${kind}s r JOIN ${kind}_codes c ON c.owner = r.owner AND c.rid = r.rid`,
    'r.id AS id, c.scale AS scale, c.codes AS codes',
    'r.rid',
  )) {
    const stored = vectors.get(text(row, 'id'))
    if (stored === undefined || !sameCodes(row, bytes(stored, 'embedding'))) differing++
    if (++seen % 50 === 0) await setImmediate()
  }
  return differing
}

/** Number of words by which the full-text index differs from one rebuilt in memory. */
export async function differingWords(db: Database): Promise<number> {
  const drop = (): void => {
    for (const table of ['stored_words', 'right_words', 'right_facts']) db.exec(`DROP TABLE IF EXISTS temp.${table}`)
  }
  drop()
  try {
    db.exec(`CREATE VIRTUAL TABLE temp.right_facts USING fts5(title, text, content = '', tokenize = 'porter unicode61')`)
    db.exec(`CREATE VIRTUAL TABLE temp.right_words USING fts5vocab('temp', 'right_facts', 'instance')`)
    db.exec(`CREATE VIRTUAL TABLE temp.stored_words USING fts5vocab('main', 'fts_facts', 'instance')`)
    const put = db.prepare(`INSERT INTO temp.right_facts (rowid, title, text) VALUES (?, ?, ?)`)
    let seen = 0
    for (const row of rowsOf(db, 'facts', FACT_COLUMNS, 'rid')) {
      const { title, text: body } = fullText(toFact(row))
      put.run(number(row, 'place'), fold(title), fold(body))
      if (++seen % ROWS_PER_TURN === 0) await setImmediate()
    }
    const columns = 'term, doc, col, offset'
    const missing = (a: string, b: string): number =>
      Number(db.prepare(`SELECT count(*) FROM (SELECT ${columns} FROM temp.${a} EXCEPT SELECT ${columns} FROM temp.${b})`).value())
    return missing('right_words', 'stored_words') + missing('stored_words', 'right_words')
  } finally {
    drop()
  }
}
