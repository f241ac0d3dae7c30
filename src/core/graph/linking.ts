import { sha256 } from '../encoding/hash.js'
import type { Instant } from '../facts/fact.js'
import type { Edge } from './edge.js'
import { mentionedNames, nameWords } from './names.js'

/** Only the beginning of longer texts is linked. */
const MAX_WORDS = 2000
export const LINKED_CHARACTERS = MAX_WORDS * 8
/** A name shared by more entities than this is too ambiguous to link. */
export const MAX_LINKED_ENTITIES = 500

/** The words of a text in which known names are looked up. Clipped before splitting, which is the expensive part for a long text. */
export const linkedWords = (text: string): readonly string[] => nameWords(text.slice(0, LINKED_CHARACTERS)).slice(0, MAX_WORDS)

/** Names that a text marks by their spelling. */
export const ownMentions = (text: string): readonly string[] => mentionedNames(text.slice(0, LINKED_CHARACTERS))

/**
 * Origin of an edge: explicit, names in texts, vectors (which relinking by names must keep), reference fields of a fact, or a statement.
 */
export const EDGE_ORIGINS = { no: 0, fromNames: 1, fromVectors: 2, fromFields: 3, fromStatement: 4 } as const

/** Derived edges have stable ids, so that repairs and concurrent writers create each once. */
const derivedEdgeId = (from: string, type: string, to: string): string => `auto-${sha256(`${from}\0${type}\0${to}`).slice(0, 32)}`

/** An edge that follows from the text or vector of a fact. */
export const derivedEdge = (
  ends: Pick<Edge, 'owner' | 'from' | 'type' | 'to'> & { readonly toKind: 'fact' | 'entity'; readonly weight: number },
  index: Instant,
): Edge => ({
  ...ends,
  id: derivedEdgeId(ends.from, ends.type, ends.to),
  fromKind: 'fact',
  confidence: 1,
  trust: null,
  scope: 'local',
  properties: { auto_linked: true },
  factId: null,
  createdAt: index,
  validUntil: null,
  version: 1,
})
