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

/** A predicate as people write it ("works at") in the form edges carry (`WORKS_AT`). */
export const toRelationType = (predicate: string): string => spelling(predicate) || RELATED_TO

/** False for a predicate of nothing but signs, which has no type of its own. */
export const isSpelled = (predicate: string): boolean => spelling(predicate) !== ''

/** The types under which a relation may be stored, whichever contract it came through; the usual one first. */
export function relationSpellings(predicate: string): readonly string[] {
  const type = toRelationType(predicate)
  const low = type.toLowerCase()
  return [...new Set([type, predicate, predicate.trim(), low, low.replaceAll('_', ' '), low.replaceAll('_', '-')])]
}
