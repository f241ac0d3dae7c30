import { type Gloss, glossOf } from '../core/language/gloss.js'
import { type Language, languagesOf } from '../core/language/language-of.js'
import { languagesOfNote } from '../core/language/note-language.js'
import { clipQuery } from '../core/text/text.js'
import type { LanguageData } from '../ports/language-data.js'

/** With fewer known words, a gloss carries less of the topic than the text itself. A note has more words, so more of them may be wrong. */
const MIN_GLOSSED_SHARE = { query: 0.3, note: 0.5 } as const
/** Splitting compounds is slow, and the first words of a long text carry its topic. */
const MAX_WORDS = { query: 64, note: 400 } as const

/** Glosses a query in another language, because models and most notes are English. Undefined for an English or unknown language. */
export function glossToEnglish(data: LanguageData, text: string): Promise<Gloss | undefined> {
  const query = clipQuery(text)
  return findBestGloss(data, query, languagesOf(query), 'query')
}

/** A note as an English model reads it: word by word in English if it is in a language with a glossary, otherwise unchanged. */
export async function readAsEnglish(data: LanguageData, text: string): Promise<string> {
  const gloss = await findBestGloss(data, text, languagesOfNote(text), 'note')
  return gloss?.text ?? text
}

/** The text of a note for the embedding: its gloss, followed by the note itself, which questions in its language resemble. */
export async function embedAsEnglish(data: LanguageData, text: string): Promise<string> {
  const gloss = await findBestGloss(data, text, languagesOfNote(text), 'note')
  return gloss === undefined ? text : `${gloss.text}\n${text}`
}

async function findBestGloss(
  data: LanguageData,
  text: string,
  languages: readonly Language[],
  kind: 'query' | 'note',
): Promise<Gloss | undefined> {
  const glosses = await Promise.all(
    languages.map(async (language) => glossOf(text, language, await data.glossary(language.name), MAX_WORDS[kind])),
  )
  const [best] = glosses.toSorted((a, b) => b.known - a.known)
  return best !== undefined && best.known >= MIN_GLOSSED_SHARE[kind] ? best : undefined
}
