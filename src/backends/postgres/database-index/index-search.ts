import pg from 'pg'
import { computeIdf, LENGTH_NORMALISATION, SATURATION } from '../../../core/recall/lexical/bm25.js'
import { CONTEXT_TURNS } from '../../../core/recall/lexical/fields.js'
import type { SearchFilter } from '../../../ports/view.js'
import { type Connection, first, inSlices, number, type Query, run, textOrNull } from '../../sql/plan/plan.js'
import { lexemeOf, partOf, SPANS, vectorsPart, vectorText, wordsPart } from './index-rows.js'

/** Maximum number of rows read for the rarest terms, and of the best rows that are rescored in memory. */
const MAX_ROWS = 20_000
const MAX_RESCORED_ROWS = 500
/** Prefers newer rows among ties, by an amount that changes nothing else. */
const NEWER_ROW_BONUS = 1e-12
/** A query about the past includes common terms if the rare ones return fewer rows. */
const MIN_THEN = 20
/** The vector index examines three times the limit and returns some more rows than needed, because exact scoring reorders them. */
const SCAN_FACTOR = 3
const EXTRA_ROWS = 50
/** Maximum number of rows that the vector index examines. */
const MAX_NEAR = 1000
/** Fewer rows lose more recall than they save time. */
const MIN_NEAR = 200
/** How long the statistics of common terms are cached. */
const KNOWN_MS = 5 * 60_000

interface Commonness {
  readonly at: number
  /** Share of the facts with a term, for common terms. */
  readonly shares: ReadonlyMap<string, number>
  /** The maximum share of any other term. */
  readonly rest: number
}

/** A term of a query. */
interface IndexQuery {
  readonly hash: number
  readonly lexeme: string
  /** Estimated document frequency. */
  readonly about: number
  /** From the server's statistics. */
  readonly isCommon: boolean
}

const numbersIn = (list: string | null): readonly number[] => (list === null || list === '' ? [] : list.split(',').map(Number))

/** The result of a lexical search. */
interface ByTerms {
  readonly rids: readonly number[]
  /** Neighbours of these rows in their sessions. */
  readonly around: readonly number[]
  /** Document frequency of each term. */
  readonly frequency: ReadonlyMap<number, number>
}

/** Searches one large owner in the database, restricted to valid facts. */
interface LargeSearch {
  /** Rows nearest to a vector, in approximate order; a long fact may appear with several pieces. */
  nearest(query: Float32Array, pool: SearchFilter, limit: number): Promise<readonly number[]>
  /** The best rows by their rarest terms. */
  byTerms(hashes: readonly number[], pool: SearchFilter): Promise<ByTerms>
  /** Neighbours of these rows in their sessions. */
  around(rids: readonly number[]): Promise<readonly number[]>
}

/** A search filter as a condition on the table. */
function within({ at: now, present, before, except }: SearchFilter): Query {
  const [from, until] = present === true ? SPANS.present : SPANS.other
  const others: readonly (readonly [string, number])[] = [
    ...(before === undefined ? [] : [['rid < ?', before] as const]),
    ...(except === undefined ? [] : [['rid <> ?', except] as const]),
  ]
  return {
    text: [`${from} <= ?`, `${until} > ?`, ...others.map(([text]) => text)].join(' AND '),
    values: [now, now, ...others.map(([, value]) => value)],
  }
}

/** Inlines numbers: the statement differs each time, and each would stay prepared. */
function inWords({ text, values }: Query): string {
  let place = 0
  return text.replaceAll('?', () => String(Number(values[place++])))
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

  /** As of the server's last ANALYZE. */
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
    // The minimum and maximum follow the shares of the terms.
    const made = { at: performance.now(), shares: found, rest: shares[terms.length] ?? 0 }
    known.set(owner, made)
    return made
  }

  /** Neighbours in their sessions of the rows of `rows`, which has a column `rid`. */
  const besides = (rows: string, named: string): string => {
    const neighbours = (side: string, order: string, limit: number): string =>
      `(SELECT x.rid FROM facts x WHERE x.owner = f.owner AND x.session = f.session AND x.rid ${side} f.rid ORDER BY x.rid ${order} LIMIT ${limit})`
    return `SELECT DISTINCT n.rid AS rid FROM ${rows} CROSS JOIN LATERAL
      (${neighbours('<', 'DESC', CONTEXT_TURNS.before)} UNION ALL ${neighbours('>', 'ASC', CONTEXT_TURNS.after)}) n
      WHERE f.owner = ${named} AND f.session IS NOT NULL`
  }

  /**
   * The weight of the terms of a row, for rows with one of the rarest. Reading a row costs more than finding it: a row found by no rarer
   * term contains the most common of them without a check.
   */
  const heldBy = (requested: readonly IndexQuery[], rarest: readonly IndexQuery[]): string => {
    const weightOf = ({ about }: IndexQuery): string => `${computeIdf(about, facts)}::float8`
    const sum = (terms: readonly IndexQuery[]): string =>
      ['0::float8', ...terms.map((term) => `(CASE WHEN words @@ '${term.lexeme}'::tsquery THEN ${weightOf(term)} ELSE 0 END)`)].join(' + ')
    const [rarer, max] = [rarest.slice(0, -1), rarest[rarest.length - 1]]
    if (max === undefined) return sum(requested)
    const plain = `${weightOf(max)} + ${sum(requested.filter((entry) => !rarest.includes(entry)))}`
    if (rarer.length === 0) return plain
    const some = `SELECT r.rid FROM ${words} r WHERE r.words @@ '${rarer.map(({ lexeme }) => lexeme).join(' | ')}'::tsquery`
    return `CASE WHEN rid IN (${some}) THEN ${sum(requested)} ELSE ${plain} END`
  }

  /** The best rows for some terms, scored by all, in one statement. */
  const best = async (requested: readonly IndexQuery[], rarest: readonly IndexQuery[], pool: SearchFilter): Promise<ByTerms> => {
    const share = (SATURATION * LENGTH_NORMALISATION) / Math.max(1, tokensEach)
    const score = `(${heldBy(requested, rarest)}) / (${1 + SATURATION * (1 - LENGTH_NORMALISATION)}::float8 + ${share}::float8 * tokens)`
    const some = `FROM ${words} WHERE words @@ '${rarest.map(({ lexeme }) => lexeme).join(' | ')}'::tsquery AND ${inWords(within(pool))}`
    const isCut = rarest.reduce((sum, { about }) => sum + about, 0) > MAX_ROWS
    const from = isCut ? `FROM (SELECT rid, tokens, words ${some} LIMIT ${MAX_ROWS}) c` : some
    // Frequencies of common terms are known; rare ones are cheap to count.
    const counted = rarest.filter(({ isCommon }) => !isCommon)
    const found = await connection.read(() =>
      first(
        `WITH best AS MATERIALIZED (SELECT rid ${from} ORDER BY ${score} + rid * ${NEWER_ROW_BONUS}::float8 DESC LIMIT ${MAX_RESCORED_ROWS})
         SELECT (SELECT string_agg(rid::text, ',') FROM best) AS rids,
           (SELECT string_agg(b.rid::text, ',') FROM (${besides('best JOIN facts f ON f.rid = best.rid', pg.escapeLiteral(owner))}) b) AS around
           ${counted.map(({ lexeme }, i) => `, (SELECT count(*) FROM ${words} WHERE words @@ '${lexeme}'::tsquery) AS n${i}`).join('')}`,
      ),
    )
    if (found === undefined) return { rids: [], around: [], frequency: new Map() }
    const counts = new Map(counted.map(({ hash }, i) => [hash, number(found, `n${i}`)]))
    return {
      rids: numbersIn(textOrNull(found, 'rids')),
      around: numbersIn(textOrNull(found, 'around')),
      frequency: new Map(requested.map(({ hash, about }) => [hash, counts.get(hash) ?? about])),
    }
  }

  return {
    async nearest(query, pool, limit) {
      if (dimensions === undefined) return []
      const looks = Math.min(MAX_NEAR, Math.max(MIN_NEAR, SCAN_FACTOR * limit))
      const wanted = Math.min(looks, limit + EXTRA_ROWS)
      const holds = within(pool)
      // The search range is set for this statement only, before its scan starts.
      const search = async (scan: 'off' | 'relaxed_order'): Promise<readonly number[]> => {
        const rows = await connection.read(() =>
          run(
            `WITH s AS MATERIALIZED (SELECT set_config('hnsw.ef_search', '${looks}', true) || set_config('hnsw.iterative_scan', '${scan}', true) AS looks)
             SELECT n.rid AS rid FROM s CROSS JOIN LATERAL (SELECT rid FROM ${vectors} WHERE s.looks <> '' AND ${holds.text}
               ORDER BY embedding::halfvec(${dimensions}) <=> ?::halfvec(${dimensions}) LIMIT ${wanted}) n`,
            ...holds.values,
            vectorText(query),
          ),
        )
        return [...new Set(rows.map((row) => number(row, 'rid')))]
      }
      const found = await search('off')
      // If most neighbours are filtered out, the scan continues until enough pass.
      return found.length >= Math.min(limit, facts) ? found : search('relaxed_order')
    },
    async byTerms(hashes, pool) {
      if (hashes.length === 0) return { rids: [], around: [], frequency: new Map() }
      const { shares, rest } = await commonTerms()
      const requested = hashes.map((hash): IndexQuery => {
        const lexeme = lexemeOf(hash)
        const share = shares.get(lexeme)
        return { hash, lexeme, about: (share ?? rest) * facts, isCommon: share !== undefined }
      })
      requested.sort((a, b) => a.about - b.about)
      let rows = 0
      const rarest = requested.filter(({ about }, i) => {
        rows += about
        return i === 0 || rows <= MAX_ROWS
      })
      const found = await best(requested, rarest, pool)
      const common = requested.slice(rarest.length)
      if (found.rids.length >= (pool.present === true ? 1 : MIN_THEN) || common.length === 0) return found
      // If the rare terms only occur in invalid facts, use the others.
      const more = await best(requested, common, pool)
      return {
        rids: [...new Set([...found.rids, ...more.rids])],
        around: [...new Set([...found.around, ...more.around])],
        frequency: new Map([...more.frequency, ...found.frequency]),
      }
    },
    async around(rids) {
      const rows = await connection.read(() => inSlices(rids, (marks) => `${besides('facts f', '?')} AND f.rid IN (${marks})`, owner))
      return rows.map((row) => number(row, 'rid'))
    },
  }
}
