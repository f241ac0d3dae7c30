import type { Instant } from '../../core/facts/fact.js'
import { nameWords } from '../../core/graph/names.js'
import { isOtherScript, type Language } from '../../core/language/language-of.js'
import { HYPONYM_FIELDS, type Recipe } from '../../core/recall/recipe/recipe.js'
import { estimateTokens } from '../../core/recall/rerank/rerank.js'
import type { SearchHits } from '../../core/recall/results/repeats.js'
import { computeShortQueryWeight } from '../../core/recall/signals/signals.js'
import { clipQuery, queryTerms, STOP_WORDS } from '../../core/text/text.js'
import type { Hit, LexicalMatches, SearchFilter, View } from '../../ports/view.js'
import { resolveAsOf } from '../as-of.js'
import type { Environment } from '../environment.js'
import type { AnalysedQuery } from './analyse-query.js'
import { searchAnsweringHits } from './answering-hits.js'
import { type FoundPassages, findPassages, NO_FOUND_PASSAGES, withPassageTexts } from './find-passages.js'
import { awaitBoth } from './hybrid-search.js'

export type Effort = 'fast' | 'best'

export interface RecallQuery {
  readonly text: string
  readonly limit: number
  readonly owner?: string | undefined
  /** Answers as of then; now unless given. */
  readonly asOf?: Instant | undefined
  readonly recipe?: Recipe | undefined
  /** `fast` skips the rerank stage. Default `best`. */
  readonly effort?: Effort | undefined
  /** True if passages of captured documents are candidates. */
  readonly documents?: boolean | undefined
  readonly signal: AbortSignal
}

/** Everything retrieved for a query before ranking. */
export interface Retrieval {
  readonly env: Environment
  readonly view: View
  readonly pool: SearchFilter
  /** The question as it was put. */
  readonly queryText: string
  /** The question as models read it: in English, as far as that is known. */
  readonly read: string
  /** Possible languages; empty for English. */
  readonly languages: readonly Language[]
  /** False if the model cannot read the script of the query: words rank, and meaning breaks ties. */
  readonly isLegible: boolean
  /** Owner of the facts to search; undefined for all owners. */
  readonly ownerFilter: string | undefined
  readonly recipe: Recipe
  readonly lexical: LexicalMatches
  /** The same for the words in the language of the query, where it is searched in English too. */
  readonly ownWords: LexicalMatches | undefined
  /** None where there is no model. */
  readonly vector: Float32Array | undefined
  /** Why there is none, though a model is configured, or that not everything was searched. */
  readonly degraded: string | null
  readonly terms: readonly string[]
  /** Passages of documents, where they are searched too. */
  readonly passages: FoundPassages
  /** Matches of hyponyms of the query's words; none where it names no kind. */
  readonly kinds: LexicalMatches | undefined
  /** Estimated number of tokens of the query. */
  readonly tokens: number
  readonly words: readonly string[]
  /** Owner whose names are looked up: the requested one, or that of the best match. */
  readonly owner: string
  /** Known names in the query. */
  readonly namesInQuery: readonly string[]
  /** The only author whom the query names, if the recipe uses authors. */
  readonly author: string | null
  /** Maximum candidates of each search. */
  readonly candidates: number
  /** The nearest in meaning, nearest first. */
  readonly dense: readonly Hit[]
  /** The best of both searches, nearest in meaning first. */
  readonly candidateRids: readonly number[]
  /** The best cosines to the question, best first. */
  readonly topCosines: readonly number[]
  /** Cosines to the query computed so far, by row. */
  readonly cosines: Map<number, number>
}

/** Names and authors in the query. */
type QueryNames = readonly [asked: readonly string[], author: string | null]

const APPROXIMATE_NOTICE = 'This answer is approximate: the store is so large that an index is searched, which may miss a few memories.'

/** Both searches, and the known names in the query. The recipe determines the number of candidates unless more are requested. */
export async function retrieve(
  env: Environment,
  view: View,
  query: RecallQuery,
  { lexicalText: sought, own, read, languages, vector: making }: AnalysedQuery,
  more?: number,
): Promise<Retrieval> {
  const recipe = query.recipe ?? env.settings.recipe
  const candidates = more ?? recipe.candidates
  const pool: SearchFilter = resolveAsOf(env.clock, query.asOf)
  const terms = queryTerms(sought)
  const words = nameWords(clipQuery(query.text))
  const namesOf = (owner: string): Promise<QueryNames> => awaitBoth(view.links.namesIn(owner, words), authorAmong(view, query.owner, words))
  const makingVector = making.then(({ vector: made }) => made)
  const sources = env.code.hasSources(query.owner)
  const documents = query.documents === true && recipe.weights === null && terms.length > 0
  const [[[{ lexical, dense }, passages], [ownWords, kinds]], known] = await awaitBoth(
    awaitBoth(
      awaitBoth(
        searchAnsweringHits(
          env,
          view,
          {
            ...{ text: sought, pool, fields: recipe.fields, words: candidates, meanings: candidates },
            vector: makingVector,
          },
          sources,
        ),
        sources.then((hasSources) =>
          documents && hasSources
            ? findPassages(env, { text: sought, terms, owner: query.owner, asOf: query.asOf, vector: makingVector })
            : NO_FOUND_PASSAGES,
        ),
      ),
      awaitBoth(
        own === null ? undefined : view.words.search(queryTerms(own), pool, 1, recipe.fields),
        searchHyponyms(env, view, { terms, words }, pool, recipe),
      ),
    ),
    query.owner === undefined ? undefined : namesOf(query.owner),
  )
  const { vector, degraded } = await making
  const cosines = new Map(dense.map((hit) => [hit.rid, hit.score]))
  const found = [...new Set([...cosines.keys(), ...lexical.hits.map((hit) => hit.rid)])]
  const [first] = found
  const owner = query.owner ?? (first === undefined ? env.settings.defaultOwner : await ownerOf(env, view, first))
  const [asked, author] = known ?? (await namesOf(owner))
  const nearest = dense.map((hit) => hit.score)
  return {
    env,
    view: withPassageTexts(view, passages.passages),
    passages,
    queryText: query.text,
    read,
    languages,
    isLegible: env.embedder.model.isEnglishOnly !== true || !isOtherScript(clipQuery(query.text)),
    pool,
    ownerFilter: query.owner,
    recipe,
    lexical,
    ownWords,
    kinds,
    vector,
    degraded: degraded ?? (view.approximate === true ? APPROXIMATE_NOTICE : null),
    terms,
    tokens: estimateTokens(query.text),
    words,
    owner,
    namesInQuery: asked,
    author,
    candidates,
    dense,
    candidateRids: found,
    topCosines: nearest,
    cosines,
  }
}

/** Results of both searches. */
export const listRetrievalHits = ({ dense, lexical, candidates }: Retrieval): readonly SearchHits[] =>
  [dense, lexical.hits].map((hits) => ({ hits, isCut: hits.length >= candidates }))

/** Hyponyms only score facts that other terms found: a category has too many members to retrieve by them. */
async function searchHyponyms(
  env: Environment,
  view: View,
  { terms, words }: Pick<Retrieval, 'terms' | 'words'>,
  pool: SearchFilter,
  { weights }: Recipe,
): Promise<LexicalMatches | undefined> {
  if (weights !== null || computeShortQueryWeight(terms.length) === 0) return undefined
  const hyponyms = (await env.languageData.hyponyms()).of(terms, words)
  return hyponyms.length === 0 ? undefined : view.words.search(hyponyms, pool, 1, HYPONYM_FIELDS)
}

async function ownerOf(env: Environment, view: View, rid: number): Promise<string> {
  const [sketch] = await view.links.sketches([rid])
  return sketch?.owner ?? env.settings.defaultOwner
}

/** Subjects that the question names: several words, or one word that only one fact is about. */
export async function findNamedSubjects({
  view,
  owner,
  namesInQuery: asked,
}: Retrieval): Promise<{ readonly names: Set<string>; readonly rids: readonly number[] }> {
  const postings = await view.links.postings(
    owner,
    asked.filter((name) => !STOP_WORDS.has(name)),
    20,
  )
  const telling = postings.filter(
    ({ name, subjects }) => subjects.length > 0 && subjects.length <= 20 && (name.includes(' ') || subjects.length === 1),
  )
  return { names: new Set(telling.map((posting) => posting.name)), rids: telling.flatMap((posting) => posting.subjects) }
}

async function authorAmong(view: View, among: string | undefined, words: readonly string[]): Promise<string | null> {
  const authors = await view.links.authorsIn(
    among,
    words.filter((word) => !STOP_WORDS.has(word)),
  )
  return authors.length === 1 ? (authors[0] ?? null) : null
}
