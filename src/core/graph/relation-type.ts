export const RELATED_TO = 'RELATED_TO'
export const SIMILAR_TO = 'SIMILAR_TO'
export const MENTIONS_ENTITY = 'MENTIONS_ENTITY'
export const SUMMARIZES = 'SUMMARIZES'
export const EXTRACTED_FROM = 'EXTRACTED_FROM'

const spelling = (predicate: string): string =>
  predicate
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/gu, '')

/** The edge type (`WORKS_AT`) of a predicate as people write it ("works at"). */
export const toRelationType = (predicate: string): string => spelling(predicate) || RELATED_TO

/** False for a predicate without letters and digits, which has no type. */
export const isSpelled = (predicate: string): boolean => spelling(predicate) !== ''

/** Types under which contracts may have stored a relation; the usual one first. */
export function relationSpellings(predicate: string): readonly string[] {
  const type = toRelationType(predicate)
  const low = type.toLowerCase()
  return [...new Set([type, predicate, predicate.trim(), low, low.replaceAll('_', ' '), low.replaceAll('_', '-')])]
}
