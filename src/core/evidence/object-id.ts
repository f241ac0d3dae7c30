import { createHash } from 'node:crypto'

/** Prefixes of ids, one per kind of object. */
export type IdPrefix = 'src' | 'node' | 'know' | 'act' | 'work'

/** The same identity always gets the same id. */
export const stableId = (prefix: IdPrefix, identity: string): string =>
  `${prefix}:${createHash('sha1').update(identity).digest('hex').slice(0, 32)}`

const MAX_SLUG_CHARS = 120

/** Lower case, with one dash for each run of characters other than letters and digits. */
export function slugify(text: string): string {
  const slug = text
    .slice(0, 4 * MAX_SLUG_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^-|-$/g, '')
  return slug === '' ? 'item' : slug
}
