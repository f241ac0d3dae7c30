import { type Fact, IMPLICIT_SESSION } from './fact.js'

/** The fields that tell a turn of a conversation from a note. */
export type Spoken = Pick<Fact, 'owner' | 'session' | 'author'>

/**
 * Returns a predicate for turns of a conversation: facts of a named session, and facts of several authors over one connection.
 * Facts of a single author over a connection are notes.
 */
export function createTurnPredicate(facts: readonly Spoken[]): (fact: Spoken) => boolean {
  const authors = new Map<string, Set<string | null>>()
  const keyOf = ({ owner, session }: Spoken): string => `${owner}\0${session}`
  for (const fact of facts) authors.set(keyOf(fact), (authors.get(keyOf(fact)) ?? new Set<string | null>()).add(fact.author))
  return (fact) => fact.session !== null && (!fact.session.startsWith(IMPLICIT_SESSION) || (authors.get(keyOf(fact))?.size ?? 0) > 1)
}
