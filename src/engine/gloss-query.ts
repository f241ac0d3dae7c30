import { type Gloss, glossOf } from '../core/language/gloss.js'
import { languagesOf } from '../core/language/language-of.js'
import { clipQuery } from '../core/text/text.js'
import type { LanguageData } from '../ports/language-data.js'

/** With fewer known words, the gloss carries less of the topic than the query itself. */
const MIN_GLOSSED_SHARE = 0.3

/** Glosses a query in another language, because models and most notes are English. Undefined for an English or unknown language. */
export async function glossToEnglish(data: LanguageData, text: string): Promise<Gloss | undefined> {
  const query = clipQuery(text)
  const glosses = await Promise.all(
    languagesOf(query).map(async (language) => glossOf(query, language, await data.glossary(language.name))),
  )
  const [best] = glosses.toSorted((a, b) => b.known - a.known)
  return best !== undefined && best.known >= MIN_GLOSSED_SHARE ? best : undefined
}
