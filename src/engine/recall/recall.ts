import { checkSize } from '../../core/input/input.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { type ConfidenceSignals, confidenceOf, hasNoAnswer } from '../../core/recall/confidence.js'
import { byScore } from '../../core/recall/fuse.js'
import { reserveLexicalSlots } from '../../core/recall/lexical-slots.js'
import type { Recipe } from '../../core/recall/recipe.js'
import type { RepeatGroup } from '../../core/recall/repeats.js'
import { diversifySessions } from '../../core/recall/session-diversity.js'
import { hasWordCharacters } from '../../core/text/text.js'
import type { LexicalMatches, View } from '../../ports/view.js'
import type { Environment, RerankInput, RerankOutcome } from '../environment.js'
import { withView } from '../with-view.js'
import { type AnalysedQuery, analyseQuery } from './analyse-query.js'
import { assembleResults, type RecalledFact, type RepeatOverflow } from './assemble-results.js'
import { longTexts } from './excerpts.js'
import { rankFirstStage } from './first-stage.js'
import { type RecallQuery, type Retrieval, retrieve } from './retrieval.js'
import { widenSearch } from './widen-search.js'

export type { RecalledFact } from './assemble-results.js'
export type { Effort, RecallQuery } from './retrieval.js'

export interface RecallAnswer {
  readonly results: readonly RecalledFact[]
  readonly recipe: Recipe
  /** Nodes the graph signal looked at. */
  readonly graphNodes: number
  readonly terms: readonly string[]
  /** Why the model had no part in it, though one is configured; null otherwise. */
  readonly degraded: string | null
  /** No word matched, and no model is configured that might have found something by meaning. */
  readonly onlyWordsMissed: boolean
  /** How sure it is that the first result answers the question, 0 to 1. */
  readonly confidence: number
  /** Whether the best were read once more. */
  readonly rerank: RerankOutcome
  /** The question in English, where it came in another language; null otherwise. */
  readonly readAs: string | null
}

const NOT_ASKED: RerankOutcome = { state: 'off', reason: null }

/** Facts relevant to a question, best first: plan, both searches, fusion, links, order. */
export async function recall(env: Environment, query: RecallQuery): Promise<RecallAnswer> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  await env.embedding.embedPending()
  const question = await analyseQuery(env, query.text, query.signal)
  return withView(env, query.owner, (view) => recallIn(env, view, query, question))
}

async function recallIn(env: Environment, view: View, query: RecallQuery, question: AnalysedQuery): Promise<RecallAnswer> {
  const inquiry = await retrieve(env, view, query, question)
  const { recollection, answers, crowding } = await rankAndAssemble(inquiry, query)
  if (crowding === null) return recollection
  const ask = (candidates: number): Promise<Retrieval> => retrieve(env, view, query, question, candidates)
  const further = await widenSearch(ask, inquiry, crowding, query.signal)
  if (crowding.isShort) return (await rankAndAssemble(further.inquiry, query, further.said)).recollection
  // There are results enough: they stay as they are, and only how often each was said is told anew.
  return { ...recollection, results: (await assembleResults(inquiry, answers, query.limit, further.said)).results }
}

interface Answered {
  readonly recollection: RecallAnswer
  /** All that it was chosen from, best first. */
  readonly answers: readonly ScoredCandidate[]
  readonly crowding: RepeatOverflow | null
}

async function rankAndAssemble(inquiry: Retrieval, query: RecallQuery, said?: ReadonlyMap<string, RepeatGroup>): Promise<Answered> {
  const { env, view, recipe, terms, lexical, degraded } = inquiry
  const { scored, graphNodes, told } = await rankFirstStage(inquiry)
  scored.sort(byScore)
  const excerpts: RerankInput['excerpts'] = (best, most) => longTexts(inquiry, best, most)
  const rerank = shouldRerank(query, inquiry)
    ? await env.rerankStage.rerankTop(
        inquiry.read,
        { scored, told, terms, languages: inquiry.languages, links: view.links, excerpts },
        query.signal,
      )
    : NOT_ASKED
  // Of a question in another language only its own words tell how long it is.
  diversifySessions(scored, (inquiry.own ?? terms).length, recipe)
  const ranked = reserveLexicalSlots(scored, selectTopLexicalMatches(scored, inquiry), query.limit)
  const signs = await collectConfidenceSignals(ranked, inquiry)
  const raw = ranked[0]?.reranked?.raw ?? null
  const confidence = confidenceOf(signs, raw)
  const anyWord = lexical.hits.length > 0
  const hopeless = terms.length === 0 || hasNoAnswer(signs, raw, anyWord)
  // What relations tell of an entity that the question names is an answer, however little the words have in common.
  const answers = hopeless ? ranked.filter((one) => told.has(one.sketch.id)) : ranked
  const { results, crowding } = await assembleResults(inquiry, answers, query.limit, said)
  const readAs = inquiry.read === query.text ? null : inquiry.read
  const onlyWordsMissed = env.embedder.disabled === true && !anyWord && hasWordCharacters(query.text)
  return {
    recollection: { results, recipe, graphNodes, terms, degraded, onlyWordsMissed, confidence, rerank, readAs },
    answers,
    crowding: hopeless ? null : crowding,
  }
}

/** Of prose: what code is about stands in its meaning more than in its words. */
function selectTopLexicalMatches(scored: readonly ScoredCandidate[], { recipe, lexical }: Retrieval): readonly ScoredCandidate[] {
  const byRid = new Map(scored.map((one) => [one.sketch.rid, one]))
  return lexical.hits
    .flatMap((hit) => byRid.get(hit.rid) ?? [])
    .filter(({ sketch }) => !sketch.isCode)
    .slice(0, recipe.wordSeats)
}

async function collectConfidenceSignals(
  [first]: readonly ScoredCandidate[],
  { env, view, pool, recipe, lexical, own, topCosines: nearest }: Retrieval,
): Promise<ConfidenceSignals> {
  const shareOf = async (answer: LexicalMatches): Promise<number> => {
    const held = first === undefined ? undefined : (await answer.scores([first.sketch.rid])).get(first.sketch.rid)
    return held === undefined || answer.rarity === 0 ? 0 : held.rarity / answer.rarity
  }
  // A note in the language of the question may hold all of its words and none of their meanings in English.
  const said = own === null ? 0 : await shareOf(await view.words.search(own, pool, 1, recipe.fields))
  return { cosines: nearest, floor: env.embedder.model.floor, words: Math.max(said, await shareOf(lexical)) }
}

/** Whoever gives weights has said what the order is made of; and its share is known only beside both words and vectors. */
const shouldRerank = ({ effort }: RecallQuery, { recipe, vector, terms }: Retrieval): boolean =>
  effort !== 'fast' && recipe.weights === null && vector !== undefined && terms.length > 0
