export const RELATED_TO = 'RELATED_TO'
export const SIMILAR_TO = 'SIMILAR_TO'
export const MENTIONS_ENTITY = 'MENTIONS_ENTITY'
export const SUMMARIZES = 'SUMMARIZES'
export const EXTRACTED_FROM = 'EXTRACTED_FROM'

/** A predicate as people write it ("works at") in the form edges carry (`WORKS_AT`). */
export function toRelationType(predicate: string): string {
  const type = predicate
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/gu, '')
  return type === '' ? RELATED_TO : type
}
