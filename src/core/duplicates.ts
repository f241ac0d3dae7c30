import type { Fact } from './fact.js'
import { canonicalJson, type JsonObject } from './json.js'
import { terms, words } from './text.js'

const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'none', 'nobody', 'nothing', 'without', 'cannot', 'neither', 'nor'])
/** Least share of the words of both that they have in common. */
const COMMON = 0.5

const figures = (text: string): string => (text.match(/\d+(?:[.,:]\d+)*/gu) ?? []).sort().join(' ')
const negations = (text: string): number => words(text.replace(/n['’]t\b/giu, ' not')).filter((word) => NEGATIONS.has(word)).length

/**
 * Vectors hardly tell "likes tea" from "does not like tea", or 100 from 500. Two facts say the same only when figures,
 * negations and most words agree as well, and what is said about them does not differ.
 */
export function saysTheSame(a: Fact, b: Fact): boolean {
  if (a.kind !== b.kind || a.scope !== b.scope || a.garden !== b.garden || a.author !== b.author) return false
  if (a.subject !== b.subject || a.predicate !== b.predicate || canonicalJson(a.value) !== canonicalJson(b.value)) return false
  if (a.date !== b.date || canonicalJson(remarks(a.metadata)) !== canonicalJson(remarks(b.metadata))) return false
  if (figures(a.text) !== figures(b.text) || negations(a.text) % 2 !== negations(b.text) % 2) return false
  const [mine, theirs] = [new Set(terms(a.text)), new Set(terms(b.text))]
  const shared = [...mine].filter((term) => theirs.has(term))
  if (shared.length < COMMON * Math.min(mine.size, theirs.size) || shared.length < (COMMON / 2) * Math.max(mine.size, theirs.size))
    return false
  // "Ann pays Bob" is not "Bob pays Ann".
  return [...theirs].filter((term) => mine.has(term)).every((term, i) => term === shared[i])
}

/** Where it was said does not matter; everything else that was noted beside it does. */
function remarks(metadata: JsonObject): JsonObject {
  const { session: _, ...rest } = metadata
  return rest
}

/** What would stay must not end before what would go. */
export const lastsAsLong = (stays: Fact, goes: Fact): boolean =>
  stays.expiresAt === null || (goes.expiresAt !== null && stays.expiresAt >= goes.expiresAt)
