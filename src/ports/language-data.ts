import type { Glossary } from '../core/language/glossary.js'
import type { HyponymTable } from '../core/language/hyponyms.js'
import type { LanguageName } from '../core/language/language-of.js'

/** Glossaries and hyponyms, each read from its data file on first use. */
export interface LanguageData {
  glossary(language: LanguageName): Promise<Glossary>
  hyponyms(): Promise<HyponymTable>
}
