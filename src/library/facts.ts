import type { Fact } from '../core/facts/fact.js'
import type { RecallAnswer, RecalledFact } from '../engine/recall/recall.js'
import type { SearchHit } from '../engine/recall/single-index-search.js'

type NullableKey<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T]

/** The same object, in which fields that are null are absent. */
type WithoutNulls<T> = Omit<T, NullableKey<T>> & { readonly [K in NullableKey<T>]?: Exclude<T[K], null> }

/** A stored memory. Fields that it does not have are absent. */
export type MemoryFact = WithoutNulls<Fact>
export type RecalledMemory = Omit<RecalledFact, 'fact' | 'repeats'> & {
  readonly fact: MemoryFact
  readonly repeats: readonly MemoryFact[]
}
export type Recalled = Omit<RecallAnswer, 'results'> & { readonly results: readonly RecalledMemory[] }
export type FoundMemory = Omit<SearchHit, 'fact'> & { readonly fact: MemoryFact }

const isMemoryFact = (fact: Partial<Fact> | MemoryFact): fact is MemoryFact => Object.values(fact).every((value) => value !== null)

export function toMemoryFact(fact: Fact): MemoryFact {
  const kept: Partial<Fact> = Object.fromEntries(Object.entries(fact).filter(([, value]) => value !== null))
  if (isMemoryFact(kept)) return kept
  throw new TypeError('a fact with a field that is null')
}

export const toRecalled = (answer: RecallAnswer): Recalled => ({
  ...answer,
  results: answer.results.map((result) => ({ ...result, fact: toMemoryFact(result.fact), repeats: result.repeats.map(toMemoryFact) })),
})

export const toFound = (hits: readonly SearchHit[]): readonly FoundMemory[] => hits.map((hit) => ({ ...hit, fact: toMemoryFact(hit.fact) }))
