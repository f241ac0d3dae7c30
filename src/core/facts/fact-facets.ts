import type { FactStatus } from './fact.js'

/** The values of facts by which a person narrows a list down. */
const FACET_NAMES = ['owner', 'status', 'kind', 'source', 'author'] as const
type FacetName = (typeof FACET_NAMES)[number]

interface Cell {
  readonly owner: string
  readonly status: FactStatus
  readonly kind: string
  readonly source: string
  readonly author: string | null
  readonly count: number
}

type ChosenValues = { readonly [F in FacetName]?: readonly (string | null)[] | undefined }

export interface FacetCount {
  readonly value: string | null
  readonly count: number
}

export interface CountedFacets {
  /** Facts that have one of the chosen values in every facet. */
  readonly total: number
  /** By facet: its values, those of most facts first, under what is chosen in the other facets. */
  readonly facets: Readonly<Record<FacetName, readonly FacetCount[]>>
}

/** Counts each facet under the filters of the other facets, so that its counts predict the result of choosing another value. */
export function countFacets(cells: readonly Cell[], chosen: ChosenValues): CountedFacets {
  const counts = new Map(FACET_NAMES.map((name) => [name, new Map<string | null, number>()]))
  let total = 0
  for (const cell of cells) {
    const missed = FACET_NAMES.filter((name) => chosen[name]?.includes(cell[name]) === false)
    if (missed.length === 0) total += cell.count
    for (const name of missed.length === 0 ? FACET_NAMES : missed.length === 1 ? missed : []) {
      const known = counts.get(name)
      known?.set(cell[name], (known.get(cell[name]) ?? 0) + cell.count)
    }
  }
  const listed = (name: FacetName): readonly FacetCount[] =>
    [...(counts.get(name) ?? [])]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
  return {
    total,
    facets: {
      owner: listed('owner'),
      status: listed('status'),
      kind: listed('kind'),
      source: listed('source'),
      author: listed('author'),
    },
  }
}
