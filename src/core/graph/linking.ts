import { sha256 } from '../encoding/hash.js'
import type { Instant } from '../facts/fact.js'
import type { Edge } from './edge.js'
import { mentionedNames, nameWords } from './names.js'

/** Longer texts are linked by their beginning: a hub of everything links to nothing. */
const MAX_WORDS = 2000
export const LINKED_CHARACTERS = MAX_WORDS * 8
/** What so many things are called tells none of them. */
export const MAX_LINKED_ENTITIES = 500

/** The words of a text among which known names are looked for. Cut before it is split: splitting is the dear part of a long text. */
export const linkedWords = (text: string): readonly string[] => nameWords(text.slice(0, LINKED_CHARACTERS)).slice(0, MAX_WORDS)

/** The names that a text shows to be names by how they are written. */
export const ownMentions = (text: string): readonly string[] => mentionedNames(text.slice(0, LINKED_CHARACTERS))

/** How an edge came about: by someone, from names in texts, from vectors, which names must not take back, from what a fact refers to, or from the statement that it is. */
export const DERIVED = { no: 0, fromNames: 1, fromVectors: 2, fromFields: 3, fromStatement: 4 } as const

/** A derived edge has a stable id, so that repairs and parallel writers make it once. */
const derivedEdgeId = (from: string, type: string, to: string): string => `auto-${sha256(`${from}\0${type}\0${to}`).slice(0, 32)}`

/** An edge from a fact that nobody has made: it follows from the fact's text or vector. */
export const derivedEdge = (
  ends: Pick<Edge, 'owner' | 'from' | 'type' | 'to'> & { readonly toKind: 'fact' | 'entity'; readonly weight: number },
  at: Instant,
): Edge => ({
  ...ends,
  id: derivedEdgeId(ends.from, ends.type, ends.to),
  fromKind: 'fact',
  confidence: 1,
  trust: null,
  scope: 'local',
  properties: { auto_linked: true },
  factId: null,
  createdAt: at,
  validUntil: null,
  version: 1,
})
