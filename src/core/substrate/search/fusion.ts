const RRF_K = 60
/** More than any sum of ranks, so that an object titled like the query comes first. */
const NAMED_BONUS = 1

interface RankedStream {
  readonly name: string
  /** Ids, best first. */
  readonly ids: readonly string[]
}

interface FusedHit {
  readonly id: string
  readonly rankScore: number
  readonly ranks: Readonly<Record<string, number>>
}

/** Reciprocal rank fusion. Objects titled like the query come first. */
export function fuseStreams(streams: readonly RankedStream[], isNamed: (id: string) => boolean): readonly FusedHit[] {
  const found = new Map<string, { sum: number; ranks: Record<string, number> }>()
  for (const { name, ids } of streams) {
    for (const [index, id] of ids.entries()) {
      const known = found.get(id) ?? { sum: 0, ranks: {} }
      known.sum += 1 / (RRF_K + index + 1)
      known.ranks[name] = index + 1
      found.set(id, known)
    }
  }
  return [...found]
    .map(([id, { sum, ranks }]) => ({ id, ranks, rankScore: Math.round((sum + (isNamed(id) ? NAMED_BONUS : 0)) * 1e6) / 1e6 }))
    .sort((a, b) => b.rankScore - a.rankScore || byWords(a) - byWords(b) || best(a) - best(b) || (a.id < b.id ? -1 : 1))
}

/** Ties are broken by the lexical rank. */
const byWords = ({ ranks }: FusedHit): number => ranks.lexical ?? Number.MAX_SAFE_INTEGER

const best = ({ ranks }: FusedHit): number => Math.min(...Object.values(ranks))
