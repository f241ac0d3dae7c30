import type { Scope } from '../../core/facts/fact.js'
import { SCOPES } from '../../core/facts/fact.js'
import { rescaleCosine, type StageScores } from '../../core/recall/statements/stages.js'
import { CONTENT_RELATION, effectiveConfidence } from '../../core/statements/statement.js'
import { factIdIn, factUri, normalUri } from '../../core/statements/uri.js'
import type { Hit, SearchFilter, StatementHeader, View } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { searchBothIndexes } from '../recall/hybrid-search.js'
import { expand } from './expand-along-edges.js'
import type { StatementRecallQuery } from './recall-statements.js'

/** A fact with its score in each stage. */
export interface Candidate extends StageScores {
  readonly header: StatementHeader
  readonly hops: number
}

interface CandidateSearch {
  readonly env: Environment
  readonly view: View
  readonly query: StatementRecallQuery
  readonly pool: SearchFilter
  readonly vector: Promise<Float32Array | undefined>
}

/** Candidates of each search. */
const MAX_CANDIDATES = 200
/** Limit of examined hits if many are filtered out. */
const MAX_LOOKED_AT = 6400
/** Results below this trust are left out unless requested. */
const LOW_TRUST = 0.2
/** Scored facts of one entity; results contain fewer. */
const MAX_OF_ENTITY = 5000

/** Whether a fact may be returned; decided before ranking. */
const accepts = (query: StatementRecallQuery, header: StatementHeader): boolean =>
  isSure(query, header) && (query.relation === undefined || (header.relation ?? CONTENT_RELATION) === query.relation)

function isSure(
  { leastConfidence, includeLowTrust }: StatementRecallQuery,
  header: Pick<StatementHeader, 'confidence' | 'trust'>,
): boolean {
  const effective = effectiveConfidence(header)
  return effective >= leastConfidence && (includeLowTrust || effective >= LOW_TRUST)
}

type ScoresByRow = ReadonlyMap<number, number>
type Sketches = ReadonlyMap<number, StatementHeader>

/** Scores of the best hits of one search that may be returned. */
function accepted(query: StatementRecallQuery, hits: readonly Hit[], known: Sketches): ScoresByRow {
  const found = new Map<number, number>()
  for (const { rid, score } of hits) {
    const header = known.get(rid)
    if (header !== undefined && score > 0 && found.size < MAX_CANDIDATES && accepts(query, header)) found.set(rid, score)
  }
  return found
}

/** Reads only headers that are not known yet. */
async function readInto(known: Map<number, StatementHeader>, view: View, rids: readonly number[]): Promise<void> {
  const fresh = [...new Set(rids)].filter((rid) => !known.has(rid))
  if (fresh.length > 0) for (const [rid, header] of await view.statementHeaders(fresh)) known.set(rid, header)
}

interface DirectHits {
  readonly words: ScoresByRow
  readonly meanings: ScoresByRow
}

/** Searches by keyword and by meaning; requests more hits while too many are filtered out. */
async function directHits(search: CandidateSearch, known: Map<number, StatementHeader>): Promise<DirectHits> {
  const { env, view, query, pool, vector } = search
  const { floor } = env.embedder.model
  for (let limit = MAX_CANDIDATES; ; limit *= 4) {
    const [words, meanings] = [query.weights.lex === 0 ? 0 : limit, query.weights.vec === 0 ? 0 : limit]
    const { lexical, dense } = await searchBothIndexes(view, {
      text: query.text,
      pool,
      fields: env.settings.recipe.fields,
      words,
      meanings,
      vector,
    })
    const near = dense.map(({ rid, score }) => ({ rid, score: rescaleCosine(score, floor) }))
    const worded = words === 0 ? [] : lexical.hits
    await readInto(
      known,
      view,
      [...worded, ...near].map(({ rid }) => rid),
    )
    const found = { words: accepted(query, worded, known), meanings: accepted(query, near, known) }
    // Hits after one with a score of zero have no score either.
    const isShort = (scores: ScoresByRow, hits: readonly Hit[]): boolean =>
      scores.size < MAX_CANDIDATES && hits.length >= limit && (hits[hits.length - 1]?.score ?? 0) > 0
    if (limit >= MAX_LOOKED_AT || !(isShort(found.words, worded) || isShort(found.meanings, near))) return found
  }
}

/** Candidates by keyword, by meaning and along the graph. */
export async function candidatesFor(search: CandidateSearch): Promise<readonly Candidate[]> {
  const known = new Map<number, StatementHeader>()
  const { words, meanings } = await directHits(search, known)
  const direct = [...new Set([...words.keys(), ...meanings.keys()])].flatMap((rid): Candidate[] => {
    const header = known.get(rid)
    return header === undefined ? [] : [{ header, hops: 0, lex: words.get(rid) ?? 0, vec: meanings.get(rid) ?? 0, graph: 0 }]
  })
  return [...direct, ...(await around(search, direct, known))]
}

async function around(
  { env, view, query, pool }: CandidateSearch,
  direct: readonly Candidate[],
  known: Map<number, StatementHeader>,
): Promise<readonly Candidate[]> {
  if (query.weights.graph === 0 || query.depth === 0) return []
  const seeds = new Map<Scope, Set<string>>()
  for (const { header } of direct) {
    const entities = seeds.get(header.scope) ?? new Set()
    seeds.set(header.scope, entities.add(header.entity ?? factUri(header.id)))
  }
  const isStrong = (header: Pick<StatementHeader, 'confidence' | 'trust'>): boolean => header.confidence > 0 && isSure(query, header)
  const reached = await expand(env, view, seeds, { owner: query.owner, at: pool.at, depth: query.depth, isStrong })
  await readInto(
    known,
    view,
    reached.map(({ rid }) => rid),
  )
  const taken = new Set(direct.map(({ header }) => header.rid))
  const best = new Map<number, Candidate>()
  for (const { rid, hops, score } of reached) {
    const header = known.get(rid)
    if (header === undefined || taken.has(rid) || !isStrong(header) || !accepts(query, header) || score <= (best.get(rid)?.graph ?? 0))
      continue
    best.set(rid, { header, hops, lex: 0, vec: 0, graph: score })
  }
  return [...best.values()]
}

/** Every fact about one entity, independent of the query. */
export async function candidatesAbout(search: CandidateSearch, entityName: string): Promise<readonly Candidate[]> {
  const { env, view, query, pool, vector } = search
  const known = new Map<number, StatementHeader>()
  await readInto(known, view, await rowsOf(search, normalUri(entityName)))
  const all = [...known.values()].filter((header) => accepts(query, header))
  const rids = all.map(({ rid }) => rid)
  const made = query.weights.vec === 0 ? undefined : await vector
  const { lexical } = await searchBothIndexes(view, {
    text: query.text,
    pool,
    fields: env.settings.recipe.fields,
    words: 1,
    meanings: 0,
    vector,
  })
  const words = await lexical.scores(rids)
  const cosines = made === undefined ? new Map<number, number>() : await view.vectors.similarities(made, rids)
  const { floor } = env.embedder.model
  return all.map((header) => ({
    ...{ header, hops: 0, lex: words.get(header.rid)?.score ?? 0, vec: rescaleCosine(cosines.get(header.rid) ?? 0, floor), graph: 0 },
  }))
}

/** The most confident statements of an entity; a fact without a statement represents itself. */
async function rowsOf({ env, view, query, pool }: CandidateSearch, entity: string): Promise<readonly number[]> {
  const { owner, scope } = query
  const own = factIdIn(entity)
  if (own !== undefined) return [...(await view.rows.ridsOf(await livingIds(env, owner, own, pool.at))).values()]
  const rows: number[] = []
  for (const within of scope === undefined ? SCOPES : [scope]) {
    const found = await env.statements.strongestRows({ owner, nodes: [entity], scope: within, at: pool.at }, MAX_OF_ENTITY)
    rows.push(...(found.get(entity) ?? []))
  }
  return rows
}

/** The view contains only rows of the requested scope. */
async function livingIds(env: Environment, owner: string, id: string, asOf: number): Promise<readonly string[]> {
  const { items } = await env.statements.statements({ owner, at: asOf, ids: [id], contradicted: true }, { limit: 1 })
  return items.filter(({ status }) => status !== 'superseded').map((fact) => fact.id)
}
