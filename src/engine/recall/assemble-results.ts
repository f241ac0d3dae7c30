import { type DocumentPassage, isCaptureRecord, toPassageFact } from '../../core/evidence/passage-fact.js'
import { computeContentKey } from '../../core/facts/duplicates.js'
import type { Fact } from '../../core/facts/fact.js'
import { createTurnPredicate } from '../../core/facts/turns.js'
import { isOtherScript } from '../../core/language/language-of.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { provisionalValues } from '../../core/recall/provisional.js'
import { type Contribution, rank, toProbability } from '../../core/recall/rank.js'
import {
  addRepeat,
  createRepeatGroup,
  hasAllRepeats,
  listOtherRepeats,
  type RepeatGroup,
  SCORE_TOLERANCE,
} from '../../core/recall/results/repeats.js'
import { rescaleCosine } from '../../core/recall/statements/stages.js'
import { findRevisions, type PairSimilarity } from '../../core/recall/updates/revisions.js'
import { type RevisionMarks, revisionMarksOf, revisionValues } from '../../core/recall/updates/supersession.js'
import type { Span } from '../../core/text/pieces.js'
import { clampToNow } from '../../core/time/instants.js'
import { createYieldPoint } from '../event-loop.js'
import { excerptsOf } from './excerpts.js'
import { listRetrievalHits, type Retrieval } from './retrieval.js'

export interface RecalledFact extends RevisionMarks {
  readonly fact: Fact
  /** The passage of a document that `fact` shows; null for a memory. */
  readonly passage: DocumentPassage | null
  /** Row number: later facts have higher ones. */
  readonly rid: number
  readonly isCode: boolean
  /** The sum of the contributions; results are in its order. */
  readonly score: number
  readonly contributions: readonly Contribution[]
  /** Probability that it helps to answer the query. */
  readonly relevance: number
  readonly cosine: number | null
  readonly vector: number
  readonly lexical: number
  readonly graph: number
  readonly via: ScoredCandidate['via']
  /** Raw score of the judge; null where the judge did not read it. */
  readonly judged: number | null
  /** The part of a long text that answers the query; null for a short text. */
  readonly excerpt: Span | null
  /** Number of repeats, from any client and time. */
  readonly count: number
  /** The newest other facts with the same content, newest first. */
  readonly repeats: readonly Fact[]
}

interface AssembledResults {
  readonly results: readonly RecalledFact[]
  /** Null unless repeats of one text displaced other candidates, or not all repeats were found. */
  readonly crowding: RepeatOverflow | null
}

export interface RepeatOverflow {
  /** Number of distinct texts wanted. */
  readonly wanted: number
  /** True if fewer were found. */
  readonly isShort: boolean
  /** Keys of texts that may have more repeats than were found. */
  readonly open: readonly string[]
}

/** Minimum number of distinct texts examined, because results below the cut may be repeats or newer. */
const MIN_EXAMINED_TEXTS = 50
const MAX_EXAMINED_BEHIND = 200

/**
 * Builds the result list: collapses repeats and puts newer statements before the ones they supersede. `groups` contains the
 * repeats that are already known, by content key.
 */
export async function assembleResults(
  inquiry: Retrieval,
  ranked: readonly ScoredCandidate[],
  limit: number,
  groups: ReadonlyMap<string, RepeatGroup> = new Map(),
): Promise<AssembledResults> {
  const { env } = inquiry
  const known = new Map<string, DistinctResult>()
  /** Adds each candidate to the group of its content; returns the first of each new group. */
  const addDistinct = (found: readonly LoadedCandidate[]): readonly DistinctResult[] =>
    found.flatMap((item) => {
      const first = known.get(item.key)
      const group = first?.group ?? groups.get(item.key) ?? createRepeatGroup()
      addRepeat(group, item.rid, item.fact)
      if (first !== undefined) return []
      const added = { ...item, group }
      known.set(item.key, added)
      return [added]
    })
  const distinct: DistinctResult[] = []
  const wanted = Math.max(limit, MIN_EXAMINED_TEXTS)
  let at = 0
  for (; at < ranked.length && distinct.length < wanted; at += wanted) {
    distinct.push(...addDistinct(await withFacts(inquiry, ranked.slice(at, at + wanted))))
  }
  // Statements with a predicate supersede each other whatever their ranks.
  const stated = distinct.slice(0, limit).some(({ fact }) => fact.subject !== null && fact.predicate !== null)
  const behind = stated ? await withFacts(inquiry, ranked.slice(at, at + MAX_EXAMINED_BEHIND)) : []
  const all = [...distinct, ...addDistinct(behind.filter((item) => item.fact.predicate !== null))]
  const now = env.clock.now()
  // Passages and memories do not revise each other.
  const memories = all.filter(({ passage }) => passage === null)
  const query = { text: inquiry.queryText, terms: inquiry.terms }
  const revisions = findRevisions({ results: memories, likeness: await likenessOf(inquiry, memories), now, query }, inquiry.recipe.updates)
  // The formula of a caller's weights determines the order: revisions are marked only.
  const values = inquiry.recipe.weights === null ? revisionValues(all, revisions) : []
  const taken = new Map(values.map((value, i) => [all[i]?.rid, value]))
  const byOrder = (a: DistinctResult, b: DistinctResult): number => (order.get(a.rid) ?? 0) - (order.get(b.rid) ?? 0)
  const order = new Map(all.map(({ rid }, i) => [rid, i]))
  const revised = rank(all, [{ name: 'superseded', values: (some) => some.map(({ rid }) => taken.get(rid) ?? 0) }], byOrder)
  const shown = rank(revised.slice(0, limit), [{ name: 'provisional', values: provisionalValues }], byOrder)
  // The reranker raises some repeats of a text; the others may be ranked far lower.
  addDistinct(await withFacts(inquiry, findPossibleRepeats(shown, ranked.slice(at))))
  const excerpts = await excerptsOf(inquiry, shown, 1)
  const results = shown.map(({ group, key: _, bm25: __, logOdds, ...result }) => ({
    ...result,
    ...revisionMarksOf(result.fact, revisions),
    // Weights of a caller make no probability: there it is the one before the weights.
    relevance: toProbability(inquiry.recipe.weights === null ? result.score : logOdds),
    fact: clampToNow(result.fact, now),
    count: group.rows.size,
    repeats: listOtherRepeats(group, result.fact).map((fact) => clampToNow(fact, now)),
    excerpt: excerpts.get(result.rid)?.[0] ?? null,
  }))
  return { results, crowding: crowdingOf(inquiry, shown, Math.min(limit, MIN_EXAMINED_TEXTS)) }
}

interface LoadedCandidate extends Omit<RecalledFact, keyof RevisionMarks | 'count' | 'repeats' | 'excerpt' | 'relevance'> {
  /** Equal for facts with the same content. */
  readonly key: string
  readonly bm25: number
  readonly logOdds: number
}

interface DistinctResult extends LoadedCandidate {
  readonly group: RepeatGroup
}

/** Candidates among the rest whose scores equal those of a result, so that they may be repeats. Few texts have to be loaded. */
function findPossibleRepeats(shown: readonly DistinctResult[], rest: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SCORE_TOLERANCE
  return rest.filter(({ header, cosine, bm25 }) =>
    shown.some(
      (item) =>
        item.fact.owner === header.owner &&
        item.fact.author === header.author &&
        (item.cosine === null || cosine === null ? isNear(item.bm25, bm25) : isNear(item.cosine, cosine)),
    ),
  )
}

function crowdingOf(inquiry: Retrieval, shown: readonly DistinctResult[], wanted: number): RepeatOverflow | null {
  const again = shown.filter(({ group }) => group.rows.size > 1)
  if (again.length === 0) return null
  const searches = listRetrievalHits(inquiry)
  const open = again.filter(({ group }) => !hasAllRepeats(group.rows.values(), searches)).map(({ key }) => key)
  const isShort = shown.length < wanted && searches.some(({ isCut }) => isCut)
  return isShort || open.length > 0 ? { wanted, isShort, open } : null
}

/** Turns of conversations are not compared, so that they cost nothing here, and neither are notes that the model cannot read. */
async function likenessOf({ env, view }: Retrieval, results: readonly DistinctResult[]): Promise<PairSimilarity> {
  const inTalk = createTurnPredicate(results.map(({ fact }) => fact))
  const { isEnglishOnly = false } = env.embedder.model
  const notes = results.filter(({ fact }) => !inTalk(fact) && !(isEnglishOnly && isOtherScript(fact.text)))
  const vectors = notes.length === 0 ? new Map<number, Float32Array>() : await view.vectors.vectors(notes.map((note) => note.rid))
  const { floor } = env.embedder.model
  return (i, j) => {
    const [a, b] = [i, j].map((place) => vectors.get(results[place]?.rid ?? -1))
    return a === undefined || b === undefined ? null : rescaleCosine(dot(a, b), floor)
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The one whose facts these are; undefined where they are several. */
export function ownerOfAll(best: readonly Pick<ScoredCandidate, 'header'>[]): string | undefined {
  const [owner, ...others] = new Set(best.map(({ header }) => header.owner))
  return others.length === 0 ? owner : undefined
}

async function withFacts(
  { env, passages: { passages } }: Retrieval,
  best: readonly ScoredCandidate[],
): Promise<readonly LoadedCandidate[]> {
  if (best.length === 0) return []
  const ids = best.flatMap(({ header }) => (passages.has(header.rid) ? [] : [header.id]))
  const facts = new Map((await env.store.facts(ids, ownerOfAll(best))).map((fact) => [fact.id, fact]))
  const turn = createYieldPoint()
  const read: LoadedCandidate[] = []
  for (const { header, rarity: _, length: __, matches: ___, kinds: ____, ...scored } of best) {
    await turn()
    const { rid, isCode } = header
    const passage = passages.get(rid) ?? null
    const fact = passage === null ? facts.get(header.id) : toPassageFact(passage)
    if (fact === undefined || isCaptureRecord(fact)) continue
    read.push({ fact, passage, rid, isCode, key: computeContentKey(fact), ...scored })
  }
  return read
}
