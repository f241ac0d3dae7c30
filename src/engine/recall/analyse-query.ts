import { removeFunctionWords } from '../../core/language/content-words.js'
import { interpolateVectors } from '../../core/language/gloss.js'
import { detectQueryLanguages, type Language } from '../../core/language/language-of.js'
import { clipQuery, hasWordCharacters } from '../../core/text/text.js'
import { embedQueryOrDegrade, NO_VECTOR, type QueryVector } from '../embedding/query-vector.js'
import type { Environment } from '../environment.js'
import { glossToEnglish } from '../gloss.js'

/** The result of query analysis, before retrieval. */
export interface AnalysedQuery {
  /** Text of the lexical search. */
  readonly lexicalText: string
  /** The terms in the language of the query, if English terms are searched as well. */
  readonly own: string | null
  /** The question as models read it: in English, as far as that is known. */
  readonly read: string
  /** Possible languages; empty for English. */
  readonly languages: readonly Language[]
  readonly vector: Promise<QueryVector>
}

/** Share of a foreign query next to its gloss: from .3 to .7 the results for notes in that language are equal. */
const OWN_SHARE = 0.4

/** Starts the embedding at once, so that a first search loads model and memory in parallel. */
export async function analyseQuery(env: Environment, text: string, signal: AbortSignal): Promise<AnalysedQuery> {
  if (!hasWordCharacters(text)) return { lexicalText: text, own: null, read: text, languages: [], vector: Promise.resolve(NO_VECTOR) }
  const gloss = await glossToEnglish(env.languageData, text)
  const vector = gloss === undefined ? embedQueryOrDegrade(env, text, signal) : vectorOfBoth(env, [gloss.text, text], signal)
  // The consumer handles the error; if the store fails first, there is no consumer.
  vector.catch(() => undefined)
  // Notes may be in the language of the query, so its own terms are searched in addition to the gloss.
  const languages = detectQueryLanguages(clipQuery(text), gloss !== undefined)
  const own = removeFunctionWords(clipQuery(text), languages)
  if (gloss === undefined) return { lexicalText: own, own: null, read: text, languages, vector }
  return { lexicalText: `${own} ${gloss.words}`, own, read: gloss.text, languages, vector }
}

/** Between the two, nearer to the English one: notes may be in either language. */
async function vectorOfBoth(env: Environment, [gloss, text]: readonly [string, string], signal: AbortSignal): Promise<QueryVector> {
  const [glossed, original] = await Promise.all([embedQueryOrDegrade(env, gloss, signal), embedQueryOrDegrade(env, text, signal)])
  if (glossed.vector === undefined || original.vector === undefined) return original
  return { vector: interpolateVectors(glossed.vector, original.vector, OWN_SHARE), degraded: null }
}
