import { setImmediate } from 'node:timers/promises'
import { looksLikeCode } from '../../core/code/text.js'
import { lexicalParts, subjectName } from '../../core/embedding/fact-text.js'
import { EDGE_ORIGINS } from '../../core/graph/linking.js'
import { packTerms } from '../../core/text/term-bag.js'
import { MemoryError } from '../../errors.js'
import type { Finding } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { lateFindings } from '../sql/future-date-findings.js'
import { UNDATED_CONTRADICTIONS } from '../sql/future-dates.js'
import { DANGLING_EDGES } from '../sql/links/dangling-edges.js'
import { bytes, type Connection, first, number, type Row, run, text } from '../sql/plan/plan.js'
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
import { toCondition } from '../sql/plan/validity-sql.js'

const RESTORE = 'Restore a dump; without one, `mneme export` saves what can still be read.'
const REINDEX_LINKS = 'Run `mneme reindex --links`.'
const REINDEX = 'Run `mneme reindex`.'
const INDEX_AGAIN = 'Delete the project with `mneme call memory delete_project` and index it again.'

interface Check {
  readonly query: string
  what(n: number): string
  readonly remedy: string
}

/** Rows of one table without a partner in another, of the same owner. */
const without = (table: string, where: string, partner: string, on: string): string =>
  `SELECT count(*) AS n FROM ${table} a WHERE ${where} AND NOT EXISTS (SELECT 1 FROM ${partner} b WHERE b.owner = a.owner AND ${on})`

const NOUNS = { fact: ['facts', 'facts'], entity: ['entities', 'entities'], edge: ['entity_edges', 'relations'] } as const

/** A result other than zero is a finding. */
const CHECKS: readonly Check[] = [
  {
    query: without('facts', 'true', 'journal', `b.target = a.id AND b.op = 'fact.put'`),
    what: (n) => `${n} facts have no journal entry`,
    remedy: `The tables were edited by another program. ${RESTORE}`,
  },
  {
    query: `SELECT coalesce(sum(n), 0) AS n FROM (SELECT max(seq) - min(seq) + 1 - count(*) AS n FROM journal GROUP BY owner) AS gaps`,
    what: (n) => `${n} entries of the journal are missing`,
    remedy: RESTORE,
  },
  {
    query: `SELECT count(*) AS n FROM (SELECT owner, max(seq) AS seq FROM journal GROUP BY owner) AS j LEFT JOIN owners o ON o.owner = j.owner WHERE coalesce(o.seq, 0) < j.seq`,
    what: (n) => `The numbers of ${n} owners are behind their journal, so nothing can be stored for them`,
    remedy: RESTORE,
  },
  {
    query: `SELECT count(*) AS n FROM owners o WHERE o.facts <> (SELECT count(*) FROM facts f WHERE f.owner = o.owner)`,
    what: (n) => `The count of facts of ${n} owners is wrong`,
    remedy: RESTORE,
  },
  ...(['fact', 'entity', 'edge'] as const).map((kind) => ({
    query: `SELECT count(*) AS n FROM journal j WHERE j.op = '${kind}.put' AND j.after IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${NOUNS[kind][0]} n WHERE n.owner = j.owner AND n.id = j.target)
      AND NOT EXISTS (SELECT 1 FROM journal l WHERE l.owner = j.owner AND l.target = j.target AND l.seq > j.seq)
      AND NOT EXISTS (SELECT 1 FROM journal r WHERE r.op = 'reset' AND r.hlc > j.hlc AND r.owner IN (j.owner, '*'))`,
    what: (n: number) => `${n} ${NOUNS[kind][1]} of the journal are missing`,
    remedy: RESTORE,
  })),
  {
    query: without('facts', 'true', 'fts_facts', 'b.rid = a.rid'),
    what: (n) => `${n} facts are missing from the full-text index`,
    remedy: REINDEX_LINKS,
  },
  {
    query: without('fts_facts', 'true', 'facts', 'b.rid = a.rid'),
    what: (n) => `${n} rows of the full-text index have no fact`,
    remedy: REINDEX_LINKS,
  },
  {
    query: without('facts', 'a.embedded IN (1, 2)', 'fact_codes', 'b.rid = a.rid'),
    what: (n) => `${n} facts are marked as embedded but have no vector`,
    remedy: REINDEX,
  },
  { query: without('fact_codes', 'true', 'facts', 'b.rid = a.rid'), what: (n) => `${n} vectors have no fact`, remedy: REINDEX },
  { query: without('piece_codes', 'true', 'facts', 'b.rid = a.rid'), what: (n) => `${n} vectors of pieces have no fact`, remedy: REINDEX },
  {
    query: `SELECT count(*) AS n FROM facts f WHERE f.embedded = 1 AND f.pieces > (SELECT count(*) FROM piece_codes c WHERE c.owner = f.owner AND c.rid = f.rid)`,
    what: (n) => `${n} long facts are marked as embedded but lack pieces`,
    remedy: REINDEX,
  },
  { query: without('mentions', 'true', 'facts', 'b.rid = a.rid'), what: (n) => `${n} mentions have no fact`, remedy: REINDEX_LINKS },
  {
    query: `SELECT count(*) AS n FROM entity_edges e WHERE e.subject_kind IN ('fact', 'entity') AND e.derived IN (${EDGE_ORIGINS.fromNames}, ${EDGE_ORIGINS.fromVectors})
      AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.owner = e.owner AND f.id = e.subject)
      AND NOT EXISTS (SELECT 1 FROM entities t WHERE t.owner = e.owner AND t.id = e.subject)`,
    what: (n) => `${n} edges start at nothing`,
    remedy: REINDEX_LINKS,
  },
  DANGLING_EDGES,
  {
    query: without('passages', 'true', 'sources', 'b.id = a.source_id'),
    what: (n) => `${n} pieces of code belong to no project`,
    remedy: INDEX_AGAIN,
  },
  {
    query: without('passages', 'true', 'source_files', 'b.source_id = a.source_id AND b.path = a.path AND b.gone = 0'),
    what: (n) => `${n} pieces of code are searchable but their files are not listed`,
    remedy: INDEX_AGAIN,
  },
  {
    query: without('passages', 'a.embedded = 1', 'passage_codes', 'b.rid = a.rid'),
    what: (n) => `${n} pieces of code are marked as embedded but have no vector`,
    remedy: REINDEX,
  },
  {
    query: without('passage_codes', 'true', 'passages', 'b.rid = a.rid'),
    what: (n) => `${n} vectors belong to no piece of code`,
    remedy: INDEX_AGAIN,
  },
  {
    query: without('passage_refs', 'true', 'passages', 'b.rid = a.rid'),
    what: (n) => `${n} references belong to no piece of code`,
    remedy: INDEX_AGAIN,
  },
  {
    query: without('entity_names', 'true', 'entities', 'b.id = a.entity_id'),
    what: (n) => `${n} entity names have no entity`,
    remedy: RESTORE,
  },
  ...UNDATED_CONTRADICTIONS.map(({ what, rule }) => ({
    query: `SELECT count(*) AS n FROM facts WHERE ${toCondition(rule(0)).text}`,
    what: (n: number) => `${n} facts contradict themselves: each ${what}`,
    remedy: 'Run `mneme mend`.',
  })),
  ...(['fact', 'passage'] as const).map((name) => ({
    query: `SELECT abs((SELECT count(*) FROM ${name}_codes) - (SELECT count(*) FROM vec_${name}s)) AS n`,
    what: (n: number) => `vec_${name}s and the search codes differ by ${n} rows`,
    remedy: REINDEX,
  })),
]

interface Pass {
  readonly what: string
  readonly table: string
  readonly columns: string
  readonly key: string
  check(row: Row): 'altered' | 'stale' | undefined
}

const same = (row: Row, column: string, seal: number): boolean => number(row, column) === seal

const PASSES: readonly Pass[] = [
  {
    what: 'facts',
    table: 'facts',
    columns: `seal, subject_name, code, terms, ${FACT_COLUMNS}`,
    key: 'rid',
    check(row) {
      if (!same(row, 'seal', factSeal(row))) return 'altered'
      const fact = toFact(row)
      const isDerived =
        Buffer.compare(bytes(row, 'terms'), packTerms(lexicalParts(fact))) === 0 &&
        row.subject_name === subjectName(fact) &&
        number(row, 'code') === (looksLikeCode(fact.text) ? 1 : 0)
      return isDerived ? undefined : 'stale'
    },
  },
  {
    what: 'entries of the journal',
    table: 'journal',
    columns: `head_seal, content_seal, ${HEAD_COLUMNS}, ${CONTENT_COLUMNS}`,
    key: 'seq',
    check: (row) =>
      same(row, 'head_seal', headSeal(row)) && (isEmptied(row) || same(row, 'content_seal', contentSeal(row))) ? undefined : 'altered',
  },
  {
    what: 'entities',
    table: 'entities',
    columns: `seal, ${ENTITY_COLUMNS}`,
    key: 'id',
    check: (row) => (same(row, 'seal', entitySeal(row)) ? undefined : 'altered'),
  },
  {
    what: 'relations',
    table: 'entity_edges',
    columns: `seal, derived, ${EDGE_COLUMNS}`,
    key: 'id',
    check: (row) => (number(row, 'derived') !== 0 || same(row, 'seal', edgeSeal(row)) ? undefined : 'altered'),
  },
]

const PAGE_SIZE = 500
const listed = (names: readonly string[]): string => (names.length > 5 ? `${names.slice(0, 5).join(', ')} and others` : names.join(', '))

/** Compares the parts of a store with each other. Changes nothing. */
export async function diagnose(connection: Connection, clock: Clock): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const report = (what: string, remedy: string): void => void findings.push({ severity: 'error', what, remedy })
  /** A failing check is a finding, and the other checks still run. */
  const attempt = async (check: () => Promise<void>): Promise<void> => {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error
      report(`A check failed: ${error.message}`, error.hint ?? RESTORE)
    }
  }
  for (const check of CHECKS)
    await attempt(async () => {
      const row = await connection.read(() => first(check.query))
      const found = row === undefined ? 0 : number(row, 'n')
      if (found !== 0) report(check.what(found), check.remedy)
    })
  for (const pass of PASSES)
    await attempt(async () => {
      const { altered, stale } = await tally(connection, pass)
      if (altered.length > 0) report(`${altered.length} ${pass.what} are not what was stored: ${listed(altered)}`, RESTORE)
      if (stale.length > 0) report(`The search words of ${stale.length} ${pass.what} are not theirs: ${listed(stale)}`, REINDEX_LINKS)
    })
  await attempt(async () => void findings.push(...(await lateFindings(connection, clock))))
  return findings
}

/** Compares every row with its checksum and its index data. */
async function tally(
  connection: Connection,
  { table, columns, key, check }: Pass,
): Promise<{ readonly altered: readonly string[]; readonly stale: readonly string[] }> {
  const found = { altered: [] as string[], stale: [] as string[] }
  for (let after: { readonly owner: string; readonly key: string | number } | undefined; ; ) {
    const from = after
    const rows = await connection.read(() =>
      from === undefined
        ? run(`SELECT ${key} AS place, owner AS place_owner, ${columns} FROM ${table} ORDER BY owner, ${key} LIMIT ?`, PAGE_SIZE)
        : run(
            `SELECT ${key} AS place, owner AS place_owner, ${columns} FROM ${table} WHERE (owner, ${key}) > (?, ?) ORDER BY owner, ${key} LIMIT ?`,
            from.owner,
            from.key,
            PAGE_SIZE,
          ),
    )
    for (const row of rows) {
      const problem = check(row)
      if (problem !== undefined)
        found[problem].push(typeof row.id === 'string' ? row.id : `${text(row, 'place_owner')} ${String(row.place)}`)
    }
    const last = rows[rows.length - 1]
    if (last === undefined || rows.length < PAGE_SIZE) return found
    after = { owner: text(last, 'place_owner'), key: typeof last.place === 'string' ? last.place : number(last, 'place') }
    await setImmediate()
  }
}
