import type { Mode } from './server.js'
import type { EvalSet, Withheld } from './sets.js'

/** One configuration of the product: how it is asked, what of the recipe is off, what its caller does not say. */
export interface Rung {
  readonly name: string
  readonly mode: Mode
  readonly recipe: Readonly<Record<string, unknown>> | null
  readonly withheld: Withheld
}

const everything: Withheld = {}

export const ladder: readonly Rung[] = [
  { name: 'lexical', mode: 'lexical', recipe: { context: false }, withheld: everything },
  { name: 'dense', mode: 'vector', recipe: null, withheld: everything },
  {
    name: 'fused',
    mode: 'recall',
    recipe: { context: false, author: false, links: false, namedSubject: false },
    withheld: everything,
  },
  { name: '+ context', mode: 'recall', recipe: { author: false, links: false, namedSubject: false }, withheld: everything },
  { name: '+ author', mode: 'recall', recipe: { links: false, namedSubject: false }, withheld: everything },
  { name: '+ links', mode: 'recall', recipe: { namedSubject: false }, withheld: everything },
  { name: '+ named subject', mode: 'recall', recipe: null, withheld: everything },
  { name: 'without session', mode: 'recall', recipe: null, withheld: { session: true } },
  { name: 'without author', mode: 'recall', recipe: null, withheld: { author: true } },
  { name: 'without title', mode: 'recall', recipe: null, withheld: { title: true } },
]

/** A rung that withholds a field the set does not have would measure the same thing twice. */
export function rungsFor(set: EvalSet): readonly Rung[] {
  const has = (field: 'session' | 'author' | 'title') => set.memories.some((memory) => memory[field] !== null)
  return ladder.filter(({ withheld }) => {
    const fields = (['session', 'author', 'title'] as const).filter((field) => withheld[field])
    return fields.every(has)
  })
}
