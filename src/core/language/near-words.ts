import { terms } from '../text.js'

/** What notes may say where a question names only the kind of thing: "dog" or "cat" for "pet". */
export interface NearWords {
  /** Terms near to those of a question, without these, each once. */
  of(asked: readonly string[]): readonly string[]
}

/** So many are looked for at most: a long question names many kinds, and every word is a list to walk through. */
const MOST = 48

/** A stem has the first letters of its word. */
const headOf = (word: string): string => word.slice(0, 2)

/**
 * Reads a list of `kind member member; kind member`. A kind leads to its members, never one member to another. Words are
 * taken to their stems when they are first looked for: a first question would wait for thousands.
 */
export function parseKinds(list: string): NearWords {
  const entries = new Map<string, string[]>()
  for (const entry of list.split(/[;\n]\s*/)) {
    const known = entries.get(headOf(entry)) ?? []
    known.push(entry)
    entries.set(headOf(entry), known)
  }
  const read = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>()
  const membersOf = (term: string): ReadonlySet<string> | undefined => {
    const head = headOf(term)
    const listed = entries.get(head)
    if (listed === undefined) return undefined
    const known = read.get(head) ?? byKind(listed)
    read.set(head, known)
    return known.get(term)
  }
  return {
    of(asked) {
      const own = new Set(asked)
      const near = new Set<string>()
      for (const term of asked) for (const one of membersOf(term) ?? []) if (!own.has(one)) near.add(one)
      return [...near].slice(0, MOST)
    },
  }
}

function byKind(entries: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const members = new Map<string, Set<string>>()
  for (const entry of entries) {
    const [kind, ...named] = terms(entry)
    if (kind === undefined) continue
    const known = members.get(kind) ?? new Set()
    for (const one of named) if (one !== kind) known.add(one)
    members.set(kind, known)
  }
  return members
}
