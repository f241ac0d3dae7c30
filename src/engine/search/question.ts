import { between } from '../../core/language/gloss.js'
import { type Language, languagesAsked } from '../../core/language/language-of.js'
import { tellingWords } from '../../core/language/telling-words.js'
import { asQuestion, hasMeaning } from '../../core/text.js'
import type { Environment } from '../environment.js'
import { inEnglish } from '../in-english.js'
import { NO_VECTOR, type QuestionVector, questionVector } from '../question-vector.js'

/** What is looked for, before anything is looked at. */
export interface Question {
  /** The words that are looked for. */
  readonly sought: string
  /** Those of them that are its own, where meanings in English are looked for beside them. */
  readonly own: string | null
  /** The question as models read it: in English, as far as that is known. */
  readonly read: string
  /** What it may be in; none for English. */
  readonly languages: readonly Language[]
  readonly vector: Promise<QuestionVector>
}

/** What a question in another language counts beside its gloss: from .3 to .7 nothing changes for notes in that language. */
const OWN_SHARE = 0.4

/** Its vector is under way from here on: a first search waits for model and memory side by side. */
export async function readQuestion(env: Environment, text: string, signal: AbortSignal): Promise<Question> {
  if (!hasMeaning(text)) return { sought: text, own: null, read: text, languages: [], vector: Promise.resolve(NO_VECTOR) }
  const gloss = await inEnglish(text)
  const vector = gloss === undefined ? questionVector(env, text, signal) : vectorOfBoth(env, [gloss.text, text], signal)
  // Whoever asks for it is told; nobody may, where the store fails first.
  vector.catch(() => undefined)
  // Notes may be in the language of the question, too: its own words are looked for beside their meanings.
  const languages = languagesAsked(asQuestion(text), gloss !== undefined)
  const own = tellingWords(asQuestion(text), languages)
  if (gloss === undefined) return { sought: own, own: null, read: text, languages, vector }
  return { sought: `${own} ${gloss.words}`, own, read: gloss.text, languages, vector }
}

/** Between the two, nearer to the English one: notes may be in either language. */
async function vectorOfBoth(env: Environment, [gloss, text]: readonly [string, string], signal: AbortSignal): Promise<QuestionVector> {
  const [meant, said] = await Promise.all([questionVector(env, gloss, signal), questionVector(env, text, signal)])
  if (meant.vector === undefined || said.vector === undefined) return said
  return { vector: between(meant.vector, said.vector, OWN_SHARE), degraded: null }
}
