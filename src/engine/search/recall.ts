import { checkSize } from '../../core/input.js'
import type { Scored } from '../../core/recall/candidate.js'
import { confidenceOf, isHopeless, type Signs } from '../../core/recall/confidence.js'
import { byScore } from '../../core/recall/fuse.js'
import type { Recipe } from '../../core/recall/recipe.js'
import type { Said } from '../../core/recall/repeats.js'
import { seatWords } from '../../core/recall/seats.js'
import { spreadSessions } from '../../core/recall/spread.js'
import { hasMeaning } from '../../core/text.js'
import type { LexicalAnswer, View } from '../../ports/view.js'
import type { Environment, Ranked, RerankOutcome } from '../environment.js'
import { withView } from '../with-view.js'
import { arrange, type Crowding, type Recalled } from './arrange.js'
import { longTexts } from './excerpts.js'
import { rank } from './first-stage.js'
import { type Inquiry, inquire, type RecallQuery } from './inquiry.js'
import { type Question, readQuestion } from './question.js'
import { lookFurther } from './repeats.js'

export type { Recalled } from './arrange.js'
export type { Effort, RecallQuery } from './inquiry.js'

export interface Recollection {
  readonly results: readonly Recalled[]
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
export async function recall(env: Environment, query: RecallQuery): Promise<Recollection> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  await env.vectoriser.settle()
  const question = await readQuestion(env, query.text, query.signal)
  return withView(env.backend, query.owner, (view) => recallIn(env, view, query, question))
}

async function recallIn(env: Environment, view: View, query: RecallQuery, question: Question): Promise<Recollection> {
  const inquiry = await inquire(env, view, query, question)
  const { recollection, answers, crowding } = await answerTo(inquiry, query)
  if (crowding === null) return recollection
  const ask = (candidates: number): Promise<Inquiry> => inquire(env, view, query, question, candidates)
  const further = await lookFurther(ask, inquiry, crowding, query.signal)
  if (crowding.isShort) return (await answerTo(further.inquiry, query, further.said)).recollection
  // There are results enough: they stay as they are, and only how often each was said is told anew.
  return { ...recollection, results: (await arrange(inquiry, answers, query.limit, further.said)).results }
}

interface Answered {
  readonly recollection: Recollection
  /** All that it was chosen from, best first. */
  readonly answers: readonly Scored[]
  readonly crowding: Crowding | null
}

async function answerTo(inquiry: Inquiry, query: RecallQuery, said?: ReadonlyMap<string, Said>): Promise<Answered> {
  const { env, view, recipe, terms, lexical, degraded } = inquiry
  const { scored, graphNodes, told } = await rank(inquiry)
  scored.sort(byScore)
  const excerpts: Ranked['excerpts'] = (best, most) => longTexts(inquiry, best, most)
  const rerank = isAskedFor(query, inquiry)
    ? await env.secondLook.reorder(
        inquiry.read,
        { scored, told, terms, languages: inquiry.languages, links: view.links, excerpts },
        query.signal,
      )
    : NOT_ASKED
  // Of a question in another language only its own words tell how long it is.
  spreadSessions(scored, (inquiry.own ?? terms).length, recipe)
  const ranked = seatWords(scored, bestByWords(scored, inquiry), query.limit)
  const signs = await signsOf(ranked, inquiry)
  const raw = ranked[0]?.reranked?.raw ?? null
  const confidence = confidenceOf(signs, raw)
  const anyWord = lexical.hits.length > 0
  const hopeless = terms.length === 0 || isHopeless(signs, raw, anyWord)
  // What relations tell of an entity that the question names is an answer, however little the words have in common.
  const answers = hopeless ? ranked.filter((one) => told.has(one.sketch.id)) : ranked
  const { results, crowding } = await arrange(inquiry, answers, query.limit, said)
  const readAs = inquiry.read === query.text ? null : inquiry.read
  const onlyWordsMissed = env.embedder.disabled === true && !anyWord && hasMeaning(query.text)
  return {
    recollection: { results, recipe, graphNodes, terms, degraded, onlyWordsMissed, confidence, rerank, readAs },
    answers,
    crowding: hopeless ? null : crowding,
  }
}

/** Of prose: what code is about stands in its meaning more than in its words. */
function bestByWords(scored: readonly Scored[], { recipe, lexical }: Inquiry): readonly Scored[] {
  const byRid = new Map(scored.map((one) => [one.sketch.rid, one]))
  return lexical.hits
    .flatMap((hit) => byRid.get(hit.rid) ?? [])
    .filter(({ sketch }) => !sketch.isCode)
    .slice(0, recipe.wordSeats)
}

async function signsOf([first]: readonly Scored[], { env, view, pool, recipe, lexical, own, nearest }: Inquiry): Promise<Signs> {
  const shareOf = async (answer: LexicalAnswer): Promise<number> => {
    const held = first === undefined ? undefined : (await answer.scores([first.sketch.rid])).get(first.sketch.rid)
    return held === undefined || answer.rarity === 0 ? 0 : held.rarity / answer.rarity
  }
  // A note in the language of the question may hold all of its words and none of their meanings in English.
  const said = own === null ? 0 : await shareOf(await view.words.search(own, pool, 1, recipe.fields))
  return { cosines: nearest, floor: env.embedder.model.floor, words: Math.max(said, await shareOf(lexical)) }
}

/** Whoever gives weights has said what the order is made of; and its share is known only beside both words and vectors. */
const isAskedFor = ({ effort }: RecallQuery, { recipe, vector, terms }: Inquiry): boolean =>
  effort !== 'fast' && recipe.weights === null && vector !== undefined && terms.length > 0
