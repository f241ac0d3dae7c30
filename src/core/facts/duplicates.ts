import { sha256 } from '../encoding/hash.js'
import { canonicalJson, type JsonObject } from '../encoding/json.js'
import { stemOf, words } from '../text/text.js'
import type { Fact, Instant } from './fact.js'
import { endOf } from './validity.js'

/** Articles do not change the meaning. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** Longer texts are equal only if identical: comparing them word by word is too slow. */
const MAX_COMPARED_CHARS = 8_000

const wording = (text: string): string =>
  text.length > MAX_COMPARED_CHARS
    ? text
    : words(text)
        .filter((word) => !ARTICLES.has(word))
        .map(stemOf)
        .join(' ')

/** Signs that change the meaning and are not words: comparisons, and the sign of a number. */
const signs = (text: string): string => (text.match(/[<>=≠≤≥±]|(?<![\p{L}\p{N}])[-+−](?=\d)/gu) ?? []).join('')

/** When it happened, if the client stated it. */
const occasion = (fact: Fact): Instant | null => (fact.eventAt === fact.recordedAt ? null : fact.eventAt)

/**
 * True if two facts have the same words in order, ignoring case, endings, articles and punctuation, and equal metadata. Vectors do not
 * separate "likes tea" from "hates tea", or 100 from 500, and no list of opposites is complete.
 */
export function hasSameContent(a: Fact, b: Fact): boolean {
  // Statements are attributed: two sources that agree are two facts.
  if (a.assertedConfidence !== null || b.assertedConfidence !== null || a.receivedFrom !== b.receivedFrom) return false
  if (a.kind !== b.kind || a.scope !== b.scope || a.garden !== b.garden || a.author !== b.author || a.importance !== b.importance)
    return false
  if (a.subject !== b.subject || a.predicate !== b.predicate || canonicalJson(a.value) !== canonicalJson(b.value)) return false
  if (a.date !== b.date || occasion(a) !== occasion(b)) return false
  if (canonicalJson(remarks(a.metadata)) !== canonicalJson(remarks(b.metadata))) return false
  return wording(a.text) === wording(b.text) && signs(a.text) === signs(b.text)
}

/** Metadata without the session; everything else counts. */
function remarks(metadata: JsonObject): JsonObject {
  const { session: _, ...rest } = metadata
  return rest
}

/** True if the fact to keep does not end before the fact to remove. */
export const outlives = (kept: Fact, removed: Fact): boolean =>
  (endOf(kept) ?? Number.POSITIVE_INFINITY) >= (endOf(removed) ?? Number.POSITIVE_INFINITY)

/**
 * Equal for texts that are one result: same wording, subject and author, whatever the time and session. Hashed, because thousands of keys
 * are kept in memory.
 */
export const computeContentKey = ({ owner, author, title, subject, predicate, value, text }: Fact): string =>
  sha256([owner, author, title, subject, predicate, canonicalJson(value), wording(text), signs(text)].join('\0'))
