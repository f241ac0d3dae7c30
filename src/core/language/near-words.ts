import { terms } from '../text.js'

/** What notes may say where a question names only the kind of thing: "dog" or "cat" for "pet". */
export interface NearWords {
  /** Terms near to those of a question, without these, each once. */
  of(asked: readonly string[]): readonly string[]
}

/** So many are looked for at most: a long question names many kinds, and every word is a list to walk through. */
const MOST = 48

/** Reads a list of `kind member member; kind member`. A kind leads to its members, never one member to another. */
export function parseKinds(list: string): NearWords {
  const members = new Map<string, Set<string>>()
  for (const entry of list.split(/[;\n]/)) {
    const [kind, ...named] = terms(entry)
    if (kind === undefined) continue
    const known = members.get(kind) ?? new Set()
    for (const one of named) if (one !== kind) known.add(one)
    members.set(kind, known)
  }
  return {
    of(asked) {
      const own = new Set(asked)
      const near = new Set<string>()
      for (const term of asked) for (const one of members.get(term) ?? []) if (!own.has(one)) near.add(one)
      return [...near].slice(0, MOST)
    },
  }
}
