import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Glossary, parseGlossary } from '../core/language/glossary.js'
import { type HyponymTable, parseHyponyms } from '../core/language/hyponyms.js'
import type { LanguageName } from '../core/language/language-of.js'
import { shippedLanguageFolder } from '../models/shipped.js'
import type { LanguageData } from '../ports/language-data.js'

/** Languages that write compounds as one word. */
const COMPOUND_LANGUAGES: ReadonlySet<LanguageName> = new Set(['german', 'dutch'])
const HYPONYM_LISTS = ['hyponyms-everyday', 'hyponyms-software']

/** Reads the lists in `assets/language`. */
export function openLanguageData(folder: string = shippedLanguageFolder()): LanguageData {
  const glossaries = new Map<LanguageName, Promise<Glossary>>()
  let hyponyms: Promise<HyponymTable> | undefined
  const read = (name: string): Promise<string> => readFile(join(folder, `${name}.txt`), 'utf8')
  const loadGlossary = async (language: LanguageName): Promise<Glossary> =>
    parseGlossary(await read(`glossary-${language}`), COMPOUND_LANGUAGES.has(language))
  const loadHyponyms = async (): Promise<HyponymTable> => parseHyponyms((await Promise.all(HYPONYM_LISTS.map(read))).join('\n'))
  return {
    glossary(language) {
      const loading = glossaries.get(language) ?? loadGlossary(language)
      glossaries.set(language, loading)
      loading.catch(() => glossaries.delete(language))
      return loading
    },
    hyponyms() {
      hyponyms ??= loadHyponyms().catch((error: unknown) => {
        hyponyms = undefined
        throw error
      })
      return hyponyms
    },
  }
}
