import { between, type Gloss, glossOf } from '../../core/language/gloss.js'
import { type Glossary, parseGlossary } from '../../core/language/glossary.js'
import { type LanguageName, languagesOf } from '../../core/language/language-of.js'
import { asQuestion } from '../../core/text.js'
import type { Environment } from '../environment.js'
import { type QuestionVector, questionVector } from '../question-vector.js'

/** Read when the first question in that language comes. */
const LISTS: Readonly<Record<LanguageName, () => Promise<string>>> = {
  german: async () => (await import('../../core/language/german.js')).GERMAN,
  french: async () => (await import('../../core/language/french.js')).FRENCH,
  spanish: async () => (await import('../../core/language/spanish.js')).SPANISH,
  italian: async () => (await import('../../core/language/italian.js')).ITALIAN,
  portuguese: async () => (await import('../../core/language/portuguese.js')).PORTUGUESE,
  dutch: async () => (await import('../../core/language/dutch.js')).DUTCH,
}

const COMPOUNDS: ReadonlySet<LanguageName> = new Set(['german', 'dutch'])

/** Fewer known words, and what is left tells less than the question itself. */
const ENOUGH = 0.3

const glossaries = new Map<LanguageName, Promise<Glossary>>()

function glossaryOf(name: LanguageName): Promise<Glossary> {
  const known = glossaries.get(name)
  if (known !== undefined) return known
  const loading = LISTS[name]().then((list) => parseGlossary(list, COMPOUNDS.has(name)))
  glossaries.set(name, loading)
  return loading
}

/** A question in another language word by word in English, because models and most notes know only that; undefined where it is English or unknown. */
async function inEnglish(text: string): Promise<Gloss | undefined> {
  const question = asQuestion(text)
  const glosses = await Promise.all(
    languagesOf(question).map(async (language) => glossOf(question, language, await glossaryOf(language.name))),
  )
  const [best] = glosses.toSorted((a, b) => b.known - a.known)
  return best !== undefined && best.known >= ENOUGH ? best : undefined
}

/** What is looked for, before anything is looked at. */
export interface Question {
  /** The words that are looked for. */
  readonly sought: string
  /** The question as models read it: in English, as far as that is known. */
  readonly read: string
  readonly vector: Promise<QuestionVector>
}

/** What a question in another language counts beside its gloss: from .3 to .7 nothing changes for notes in that language. */
const OWN_SHARE = 0.4

/** Its vector is under way from here on: a first search waits for model and memory side by side. */
export async function readQuestion(env: Environment, text: string, signal: AbortSignal): Promise<Question> {
  const gloss = await inEnglish(text)
  const vector = gloss === undefined ? questionVector(env, text, signal) : vectorOfBoth(env, [gloss.text, text], signal)
  // Whoever asks for it is told; nobody may, where the store fails first.
  vector.catch(() => undefined)
  // Notes may be in the language of the question, too: its own words are looked for beside their meanings.
  return { sought: gloss === undefined ? text : `${text} ${gloss.words}`, read: gloss?.text ?? text, vector }
}

/** Between the two, nearer to the English one: notes may be in either language. */
async function vectorOfBoth(env: Environment, [gloss, text]: readonly [string, string], signal: AbortSignal): Promise<QuestionVector> {
  const [meant, said] = await Promise.all([questionVector(env, gloss, signal), questionVector(env, text, signal)])
  if (meant.vector === undefined || said.vector === undefined) return said
  return { vector: between(meant.vector, said.vector, OWN_SHARE), degraded: null }
}
