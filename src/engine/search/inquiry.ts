import type { Instant } from '../../core/fact.js'
import type { Language } from '../../core/language/language-of.js'
import { nameWords } from '../../core/names.js'
import { briefness } from '../../core/recall/fuse.js'
import { NEAR_WORDS, type Recipe } from '../../core/recall/recipe.js'
import type { Brought } from '../../core/recall/repeats.js'
import { asQuestion, queryTerms, STOP_WORDS } from '../../core/text.js'
import type { Hit, LexicalAnswer, Pool, View } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { momentOf } from '../moment.js'
import { nearWords } from '../near-words.js'
import { gather, sideBySide } from './gather.js'
import type { Question } from './question.js'

export type Effort = 'fast' | 'best'

export interface RecallQuery {
  readonly text: string
  readonly limit: number
  readonly owner?: string | undefined
  /** Answers as of then; now unless given. */
  readonly asOf?: Instant | undefined
  readonly recipe?: Recipe | undefined
  /** `fast` leaves the second look out; `best` unless given. */
  readonly effort?: Effort | undefined
  readonly signal: AbortSignal
}

/** What one question knows before ranking begins. */
export interface Inquiry {
  readonly env: Environment
  readonly view: View
  readonly pool: Pool
  /** The question as it was put. */
  readonly asks: string
  /** The question as models read it: in English, as far as that is known. */
  readonly read: string
  /** What it may be in; none for English. */
  readonly languages: readonly Language[]
  /** Whose facts the question is about; undefined asks everyone's. */
  readonly among: string | undefined
  readonly recipe: Recipe
  readonly lexical: LexicalAnswer
  /** The same for members of kinds that the question names; none where it names none. */
  readonly near: LexicalAnswer | undefined
  /** None where there is no model. */
  readonly vector: Float32Array | undefined
  /** Why there is none, though a model is configured, or that not everything was searched. */
  readonly degraded: string | null
  readonly terms: readonly string[]
  /** Those in the language of the question, where it is looked for in English, too; null elsewhere. */
  readonly own: readonly string[] | null
  readonly words: readonly string[]
  /** Where names are looked up: the owner asked for, or the one of the best match. */
  readonly owner: string
  /** Known names that the question holds. */
  readonly asked: readonly string[]
  /** The one author whom the question names, where the recipe asks for that. */
  readonly author: string | null
  /** How many each search brings at most. */
  readonly candidates: number
  /** The nearest in meaning, nearest first. */
  readonly dense: readonly Hit[]
  /** The best of both searches, nearest in meaning first. */
  readonly found: readonly number[]
  /** The best cosines to the question, best first. */
  readonly nearest: readonly number[]
  /** Cosines to the question, as far as they are known yet. */
  readonly cosines: Map<number, number>
}

/** What and whom the question names. */
type Named = readonly [asked: readonly string[], author: string | null]

const APPROXIMATE = 'This answer is approximate: so many memories are searched by an index, which may miss a few.'

/** Both searches, and what of the question is known by name. The recipe says how many candidates each brings, unless more are asked for. */
export async function inquire(
  env: Environment,
  view: View,
  query: RecallQuery,
  { sought, own, read, languages, vector: making }: Question,
  more?: number,
): Promise<Inquiry> {
  const recipe = query.recipe ?? env.settings.recipe
  const candidates = more ?? recipe.candidates
  const pool: Pool = momentOf(env.clock, query.asOf)
  const terms = queryTerms(sought)
  const words = nameWords(asQuestion(query.text))
  const namesOf = (owner: string): Promise<Named> =>
    sideBySide(view.links.namesIn(owner, words), recipe.authorBoost > 0 ? authorAmong(view, query.owner, words) : null)
  const [[{ lexical, dense }, near], known] = await sideBySide(
    sideBySide(
      gather(view, {
        ...{ text: sought, pool, fields: recipe.fields, words: candidates, meanings: candidates },
        vector: making.then(({ vector: made }) => made),
      }),
      searchNear(view, { terms, words }, pool, recipe),
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
    view,
    asks: query.text,
    read,
    languages,
    pool,
    among: query.owner,
    recipe,
    lexical,
    near,
    vector,
    degraded: degraded ?? (view.approximate === true ? APPROXIMATE : null),
    terms,
    own: own === null ? null : queryTerms(own),
    words,
    owner,
    asked,
    author,
    candidates,
    dense,
    found,
    nearest,
    cosines,
  }
}

/** What each of the two searches brought. */
export const broughtBy = ({ dense, lexical, candidates }: Inquiry): readonly Brought[] =>
  [dense, lexical.hits].map((hits) => ({ hits, isCut: hits.length >= candidates }))

/** Only what it says of facts that are found anyway: a kind has so many members that they bring nothing by themselves. */
async function searchNear(
  view: View,
  { terms, words }: Pick<Inquiry, 'terms' | 'words'>,
  pool: Pool,
  recipe: Recipe,
): Promise<LexicalAnswer | undefined> {
  if (recipe.nearWords === 0 || recipe.weights !== null || briefness(terms.length) === 0) return undefined
  const near = (await nearWords()).of(terms, words)
  return near.length === 0 ? undefined : view.words.search(near, pool, 1, NEAR_WORDS)
}

async function ownerOf(env: Environment, view: View, rid: number): Promise<string> {
  const [sketch] = await view.links.sketches([rid])
  return sketch?.owner ?? env.settings.defaultOwner
}

/** Subjects that the question names: several words, or one word that only one fact is about. */
export async function subjectsNamed({
  view,
  owner,
  asked,
}: Inquiry): Promise<{ readonly names: Set<string>; readonly rids: readonly number[] }> {
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
