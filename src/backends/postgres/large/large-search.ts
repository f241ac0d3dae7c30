import { LENGTH_SHARE, rarityOf, SATURATION } from '../../../core/recall/bm25.js'
import { CONTEXT } from '../../../core/recall/fields.js'
import { type Connection, first, inSlices, number, run, textOrNull } from '../../sql/plan.js'
import { lexemeOf, partOf, vectorsPart, vectorText, wordsPart } from './large-rows.js'

/** Rows that the rarest terms of a question bring at most, and of these the best that are scored as a unit would. */
const MOST_ROWS = 20_000
const BEST = 500
/** The most that the index of vectors looks at. */
const MOST_NEAR = 1000
/** With fewer it misses more neighbours than it saves time. */
const LEAST_NEAR = 200
/** What is known of common terms is asked for again after so long. */
const KNOWN_MS = 5 * 60_000

interface Commonness {
  readonly at: number
  /** The share of the facts that hold a term, of common ones. */
  readonly shares: ReadonlyMap<string, number>
  /** No other term is in more. */
  readonly rest: number
}

const numbersIn = (list: string | null): readonly number[] => (list === null || list === '' ? [] : list.split(',').map(Number))

/** What the database finds of one large owner. */
export interface LargeSearch {
  /** The rows nearest to a vector, about in order; a long fact may come by several of its pieces. */
  nearest(query: Float32Array, limit: number): Promise<readonly number[]>
  /** The best by their rarest terms, and how many facts hold each of all terms. */
  byTerms(hashes: readonly number[]): Promise<{ readonly rids: readonly number[]; readonly frequency: ReadonlyMap<number, number> }>
  /** The rows around these in their sessions. */
  around(rids: readonly number[]): Promise<readonly number[]>
}

const commonness = new WeakMap<Connection, Map<string, Commonness>>()

export function createLargeSearch(
  connection: Connection,
  owner: string,
  facts: number,
  tokensEach: number,
  dimensions: number | undefined,
): LargeSearch {
  const words = wordsPart(partOf(owner))
  const vectors = vectorsPart(partOf(owner))

  /** As the server has counted them when it last looked. */
  const commonTerms = async (): Promise<Commonness> => {
    const known = commonness.get(connection) ?? new Map<string, Commonness>()
    commonness.set(connection, known)
    const kept = known.get(owner)
    if (kept !== undefined && performance.now() - kept.at < KNOWN_MS) return kept
    const row = await connection.read(() =>
      first(
        `SELECT array_to_string(most_common_elems::text::text[], ',') AS terms, array_to_string(most_common_elem_freqs, ',') AS shares
         FROM pg_stats WHERE schemaname = current_schema() AND tablename = ? AND attname = 'words'`,
        words,
      ),
    )
    const terms = row === undefined ? [] : (textOrNull(row, 'terms') ?? '').split(',')
    const shares = row === undefined ? [] : numbersIn(textOrNull(row, 'shares'))
    const found = new Map(terms.map((term, i): [string, number] => [term, shares[i] ?? 0]))
    // After the shares of the terms come the least and the largest of them.
    const made = { at: performance.now(), shares: found, rest: shares[terms.length] ?? 0 }
    known.set(owner, made)
    return made
  }

  return {
    async nearest(query, limit) {
      if (dimensions === undefined) return []
      const most = Math.min(MOST_NEAR, Math.max(LEAST_NEAR, limit))
      // How far the index looks is set for this statement alone, before its scan begins.
      const rows = await connection.read(() =>
        run(
          `WITH s AS MATERIALIZED (SELECT set_config('hnsw.ef_search', '${most}', true) AS looks)
           SELECT n.rid AS rid FROM s CROSS JOIN LATERAL (SELECT p.rid FROM ${vectors} p WHERE s.looks <> ''
             ORDER BY p.embedding::halfvec(${dimensions}) <=> ?::halfvec(${dimensions}) LIMIT ${most}) n`,
          vectorText(query),
        ),
      )
      return [...new Set(rows.map((row) => number(row, 'rid')))]
    },
    async byTerms(hashes) {
      if (hashes.length === 0) return { rids: [], frequency: new Map() }
      const { shares, rest } = await commonTerms()
      const asked = hashes.map((hash) => ({ hash, lexeme: lexemeOf(hash), about: (shares.get(lexemeOf(hash)) ?? rest) * facts }))
      asked.sort((a, b) => a.about - b.about)
      let rows = 0
      const rarest = asked.filter(({ about }, i) => {
        rows += about
        return i === 0 || rows <= MOST_ROWS
      })
      const weights = asked.map(({ about }) => rarityOf(about, facts))
      const held = asked.map(({ lexeme }) => `words @@ '${lexeme}'::tsquery`)
      const share = (SATURATION * LENGTH_SHARE) / Math.max(1, tokensEach)
      const found = await connection.read(() =>
        first(
          `WITH c AS MATERIALIZED (SELECT rid, tokens, ${held.map((one, i) => `${one} AS h${i}`).join(', ')}
             FROM ${words} WHERE words @@ '${rarest.map(({ lexeme }) => lexeme).join(' | ')}'::tsquery LIMIT ${MOST_ROWS}),
           best AS (SELECT rid FROM c ORDER BY (${weights.map((weight, i) => `(CASE WHEN h${i} THEN ${weight}::float8 ELSE 0 END)`).join(' + ')})
             / (${1 + SATURATION * (1 - LENGTH_SHARE)}::float8 + ${share}::float8 * tokens) DESC, rid DESC LIMIT ${BEST})
           SELECT (SELECT string_agg(rid::text, ',') FROM best) AS rids, ${asked.map((_, i) => `count(*) FILTER (WHERE h${i}) AS n${i}`).join(', ')} FROM c`,
        ),
      )
      // Counted where every row that holds the term was seen.
      const seen = new Set(rarest.slice(0, rows > MOST_ROWS && rarest.length === 1 ? 0 : rarest.length).map(({ hash }) => hash))
      const frequency = new Map(
        asked.map(({ hash, about }, i) => [hash, found !== undefined && seen.has(hash) ? number(found, `n${i}`) : about]),
      )
      return { rids: found === undefined ? [] : numbersIn(textOrNull(found, 'rids')), frequency }
    },
    async around(rids) {
      const beside = (side: string, order: string, limit: number): string =>
        `(SELECT x.rid FROM facts x WHERE x.owner = f.owner AND x.session = f.session AND x.rid ${side} f.rid ORDER BY x.rid ${order} LIMIT ${limit})`
      const rows = await connection.read(() =>
        inSlices(
          rids,
          (marks) => `SELECT DISTINCT n.rid AS rid FROM facts f CROSS JOIN LATERAL
            (${beside('<', 'DESC', CONTEXT.before)} UNION ALL ${beside('>', 'ASC', CONTEXT.after)}) n
            WHERE f.owner = ? AND f.session IS NOT NULL AND f.rid IN (${marks})`,
          owner,
        ),
      )
      return rows.map((row) => number(row, 'rid'))
    },
  }
}
