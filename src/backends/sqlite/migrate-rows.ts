import { passageTerms } from '../../core/code/chunks/passage-terms.js'
import { looksLikeCode } from '../../core/code/text.js'
import { fullText, lexicalParts } from '../../core/embedding/fact-text.js'
import { namesOfEntity } from '../../core/graph/names.js'
import { claimKey } from '../../core/substrate/objects/claims.js'
import { MIN_LONG, piecesOf } from '../../core/text/pieces.js'
import { packTerms } from '../../core/text/term-bag.js'
import { fold } from '../../core/text/text.js'
import { MemoryError } from '../../errors.js'
import { number, type Row, text } from '../sql/plan/plan.js'
import { CONTENT_COLUMNS, contentSeal, edgeSeal, entitySeal, factSeal, HEAD_COLUMNS, headSeal } from '../sql/plan/row-checksums.js'
import { EDGE_COLUMNS, ENTITY_COLUMNS, FACT_COLUMNS, FIRST_FACT_COLUMNS, toEntity, toFact } from '../sql/plan/rows.js'
import { FIRST_PASSAGE_COLUMNS, toPassage } from '../sql/sources/sources.js'
import type { Database } from './driver.js'

const PAGE_SIZE = 1000

/** Rows of a table in key order, in complete pages, because rows change during the iteration. */
export function* rowsOf(db: Database, table: string, columns: string, key: string): Generator<Row> {
  const page = db.prepare(`SELECT ${key} AS place, ${columns} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`)
  for (let after = 0; ; ) {
    const rows = page.all(after, PAGE_SIZE)
    yield* rows
    const last = rows[rows.length - 1]
    if (last === undefined) return
    const place = number(last, 'place')
    // A damaged page may return rows outside the condition, which would loop forever.
    if (place <= after)
      throw new MemoryError('storage', `The table ${table} is damaged: its rows are out of order.`, {
        hint: 'Run `mneme doctor`; restore a backup with `mneme restore`.',
      })
    after = place
  }
}

/** Fills the table of names from the entities. */
export function nameEntities(db: Database): void {
  const put = db.prepare(`INSERT INTO entity_names (owner, name_key, name, entity_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  for (const row of rowsOf(db, 'entities', ENTITY_COLUMNS, 'rowid')) {
    const entity = toEntity(row)
    for (const { key, name } of namesOfEntity(entity)) put.run(entity.owner, key, name, entity.id)
  }
}

/** Computes checksums of rows stored before there were checksums. */
export function checksumRows(db: Database): void {
  const sealOne = { facts: factSeal, entities: entitySeal, entity_edges: edgeSeal }
  const columns = { facts: FACT_COLUMNS, entities: ENTITY_COLUMNS, entity_edges: `derived, ${EDGE_COLUMNS}` }
  for (const table of ['facts', 'entities', 'entity_edges'] as const) {
    const put = db.prepare(`UPDATE ${table} SET seal = ? WHERE rowid = ?`)
    for (const row of rowsOf(db, table, columns[table], 'rowid'))
      if (row.derived === undefined || row.derived === 0) put.run(sealOne[table](row), number(row, 'place'))
  }
  const put = db.prepare(`UPDATE journal SET head_seal = ?, content_seal = ? WHERE seq = ?`)
  for (const row of rowsOf(db, 'journal', `${HEAD_COLUMNS}, ${CONTENT_COLUMNS}`, 'seq'))
    put.run(headSeal(row), contentSeal(row), number(row, 'place'))
}

/** Recomputes the stored words after a change of tokenisation. */
export function reword(db: Database): void {
  const putTerms = db.prepare(`UPDATE facts SET terms = ? WHERE rid = ?`)
  const putWords = db.prepare(`INSERT INTO fts_facts (rowid, title, text) VALUES (?, ?, ?)`)
  db.exec(`INSERT INTO fts_facts (fts_facts) VALUES ('delete-all')`)
  for (const row of rowsOf(db, 'facts', FIRST_FACT_COLUMNS, 'rid')) {
    const fact = toFact(row)
    const { title, text: body } = fullText(fact)
    putTerms.run(packTerms(lexicalParts(fact)), number(row, 'place'))
    putWords.run(number(row, 'place'), fold(title), fold(body))
  }
  const putPassage = db.prepare(`UPDATE passages SET terms = ? WHERE id = ?`)
  for (const row of rowsOf(db, 'passages', FIRST_PASSAGE_COLUMNS, 'rid')) putPassage.run(passageTerms(toPassage(row)), text(row, 'id'))
}

/** Recomputes the code flag after a change of its detection; facts whose flag changes wait for another vector. */
export function recogniseCode(db: Database): void {
  const put = db.prepare(`UPDATE facts SET code = ?, embedded = 0 WHERE rid = ?`)
  for (const row of rowsOf(db, 'facts', 'code, text', 'rid')) {
    const code = looksLikeCode(text(row, 'text')) ? 1 : 0
    if (code !== number(row, 'code')) put.run(code, number(row, 'place'))
  }
}

/** Computes the claims of facts with a subject and a predicate. */
export function fillClaims(db: Database): void {
  const put = db.prepare(`UPDATE facts SET claim = ? WHERE rid = ?`)
  for (const row of rowsOf(db, `(SELECT * FROM facts WHERE subject IS NOT NULL AND predicate IS NOT NULL)`, FACT_COLUMNS, 'rid'))
    put.run(claimKey(toFact(row)), number(row, 'place'))
}

/** Marks long texts with one vector as waiting for their pieces. */
export function countPieces(db: Database): void {
  const put = db.prepare(`UPDATE facts SET pieces = ?, embedded = CASE embedded WHEN 1 THEN 2 ELSE embedded END WHERE rid = ?`)
  for (const row of rowsOf(db, `(SELECT rid, text FROM facts WHERE length(text) >= ${MIN_LONG / 2})`, 'text', 'rid')) {
    const pieces = piecesOf(text(row, 'text')).length
    if (pieces > 0) put.run(pieces, number(row, 'place'))
  }
}
