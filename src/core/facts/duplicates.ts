import { sha256 } from '../encoding/hash.js'
import { canonicalJson, type JsonObject } from '../encoding/json.js'
import { stemOf, words } from '../text/text.js'
import type { Fact, Instant } from './fact.js'
import { endOf } from './validity.js'

/** Adding or dropping one never changes what is said. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** Of longer texts only copies say the same: to compare them word by word costs more than it finds. */
const MAX_COMPARED_CHARS = 8_000

const wording = (text: string): string =>
  text.length > MAX_COMPARED_CHARS
    ? text
    : words(text)
        .filter((word) => !ARTICLES.has(word))
        .map(stemOf)
        .join(' ')

/** Signs that change what is said, which words leave out: comparisons, and the sign of a figure. */
const signs = (text: string): string => (text.match(/[<>=≠≤≥±]|(?<![\p{L}\p{N}])[-+−](?=\d)/gu) ?? []).join('')

/** When it happened, where that was said. */
const occasion = (fact: Fact): Instant | null => (fact.eventAt === fact.recordedAt ? null : fact.eventAt)

/**
 * Vectors hardly tell "likes tea" from "hates tea", or 100 from 500, and no list of opposites is complete. Two facts say
 * the same only when their words are the same one after another, but for case, endings, articles and punctuation, and
 * nothing that was noted beside them differs.
 */
export function hasSameContent(a: Fact, b: Fact): boolean {
  // Statements are attributed: that two sources say the same is worth knowing.
  if (a.assertedConfidence !== null || b.assertedConfidence !== null || a.receivedFrom !== b.receivedFrom) return false
  if (a.kind !== b.kind || a.scope !== b.scope || a.garden !== b.garden || a.author !== b.author || a.importance !== b.importance)
    return false
  if (a.subject !== b.subject || a.predicate !== b.predicate || canonicalJson(a.value) !== canonicalJson(b.value)) return false
  if (a.date !== b.date || occasion(a) !== occasion(b)) return false
  if (canonicalJson(remarks(a.metadata)) !== canonicalJson(remarks(b.metadata))) return false
  return wording(a.text) === wording(b.text) && signs(a.text) === signs(b.text)
}

/** Where it was said does not matter; everything else that was noted beside it does. */
function remarks(metadata: JsonObject): JsonObject {
  const { session: _, ...rest } = metadata
  return rest
}

/** What would stay must not end before what would go. */
export const outlives = (stays: Fact, goes: Fact): boolean =>
  (endOf(stays) ?? Number.POSITIVE_INFINITY) >= (endOf(goes) ?? Number.POSITIVE_INFINITY)

/**
 * Equal for texts that an answer shows once: said alike of the same thing by the same author, whenever and wherever that was.
 * Hashed, because thousands of them are kept while long texts are told apart.
 */
export const computeContentKey = ({ owner, author, title, subject, predicate, value, text }: Fact): string =>
  sha256([owner, author, title, subject, predicate, canonicalJson(value), wording(text), signs(text)].join('\0'))
