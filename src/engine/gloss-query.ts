import { type Gloss, glossOf } from '../core/language/gloss.js'
import { type Glossary, parseGlossary } from '../core/language/glossary.js'
import { type LanguageName, languagesOf } from '../core/language/language-of.js'
import { clipQuery } from '../core/text/text.js'

/** Read when the first question in that language comes. */
const LISTS: Readonly<Record<LanguageName, () => Promise<string>>> = {
  german: async () =>
    `${(await import('../core/language/german.js')).GERMAN}\n${(await import('../core/language/german-rarer.js')).GERMAN_RARER}`,
  french: async () =>
    `${(await import('../core/language/french.js')).FRENCH}\n${(await import('../core/language/french-rarer.js')).FRENCH_RARER}`,
  spanish: async () =>
    `${(await import('../core/language/spanish.js')).SPANISH}\n${(await import('../core/language/spanish-rarer.js')).SPANISH_RARER}`,
  italian: async () => (await import('../core/language/italian.js')).ITALIAN,
  portuguese: async () => (await import('../core/language/portuguese.js')).PORTUGUESE,
  dutch: async () => (await import('../core/language/dutch.js')).DUTCH,
}

const COMPOUNDS: ReadonlySet<LanguageName> = new Set(['german', 'dutch'])

/** Fewer known words, and what is left tells less than the question itself. */
const MIN_GLOSSED_SHARE = 0.3

const glossaries = new Map<LanguageName, Promise<Glossary>>()

function glossaryOf(name: LanguageName): Promise<Glossary> {
  const known = glossaries.get(name)
  if (known !== undefined) return known
  const loading = LISTS[name]().then((list) => parseGlossary(list, COMPOUNDS.has(name)))
  glossaries.set(name, loading)
  return loading
}

/** A question in another language word by word in English, because models and most notes know only that; undefined where it is English or unknown. */
export async function glossToEnglish(text: string): Promise<Gloss | undefined> {
  const question = clipQuery(text)
  const glosses = await Promise.all(
    languagesOf(question).map(async (language) => glossOf(question, language, await glossaryOf(language.name))),
  )
  const [best] = glosses.toSorted((a, b) => b.known - a.known)
  return best !== undefined && best.known >= MIN_GLOSSED_SHARE ? best : undefined
}
