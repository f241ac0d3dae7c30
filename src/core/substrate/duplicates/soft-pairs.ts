import type { Fact } from '../../facts/fact.js'
import { type NumberedSet, nearPairs, numberedOverlap, numberedSets } from './near-sets.js'
import {
  isSoftlyCompared,
  MIN_EITHER,
  type SoftMatch,
  type SoftView,
  softEvidence,
  softMatch,
  softSubjects,
  softView,
} from './soft-duplicates.js'

export interface SoftPair extends SoftMatch {
  readonly a: Fact
  readonly b: Fact
}

export interface SoftPairs {
  /** The most similar pairs. */
  readonly pairs: readonly SoftPair[]
  /** Total number. */
  readonly count: number
  /** False if too many facts share words for all of them to be compared. */
  readonly complete: boolean
}

/** Maximum number of pairs returned. */
const MAX_PAIRS = 100
/** Up to this number, comparing all pairs is faster. */
const MIN_SAMPLE = 64
const ROUNDING = 1e-6

interface Sides {
  readonly title: readonly NumberedSet[]
  readonly summary: readonly NumberedSet[]
}

/** All sufficiently similar pairs, best first. Yields regularly. */
export function* softPairs(facts: Iterable<Fact>): Generator<undefined, SoftPairs> {
  const views: SoftView[] = []
  for (const fact of facts) {
    if (isSoftlyCompared(fact)) views.push(softView(fact))
    yield
  }
  const sides = { title: numberedSets(views.map(({ title }) => title)), summary: numberedSets(views.map(({ summary }) => summary)) }
  yield
  const best = bestPairs(views)
  const all = views.map((_, index) => index)
  const alone = yield* eitherNear(sides, all, MIN_EITHER.alone, best.compare)
  let complete = alone
  for (const { members, isFirst } of sharing(views)) {
    const compare = (i: number, j: number): void => {
      // Pairs similar in words alone were visited above.
      if (isFirst(i, j) && isBelow(sides, i, j, MIN_EITHER.alone)) best.compare(i, j)
    }
    if (members.length > MIN_SAMPLE) complete = (yield* eitherNear(sides, members, MIN_EITHER.sharing, compare)) && complete
    else for (const [index, j] of members.entries()) for (const i of members.slice(0, index)) compare(i, j)
    yield
  }
  return { pairs: best.pairs(), count: best.count(), complete }
}

const isBelow = ({ title, summary }: Sides, i: number, j: number, min: number): boolean =>
  overlapOf(title, i, j) < min - ROUNDING && overlapOf(summary, i, j) < min - ROUNDING

const EMPTY_SET = new Int32Array(0)
const overlapOf = (sets: readonly NumberedSet[], i: number, j: number): number =>
  numberedOverlap(sets[i] ?? EMPTY_SET, sets[j] ?? EMPTY_SET)

/** Visits each pair of members whose titles or summaries are similar, once. */
function* eitherNear(
  { title, summary }: Sides,
  members: readonly number[],
  min: number,
  meet: (i: number, j: number) => void,
): Generator<undefined, boolean> {
  const titles = yield* nearPairs(title, members, min, (i, j) => {
    if (overlapOf(title, i, j) >= min - ROUNDING) meet(i, j)
  })
  const summaries = yield* nearPairs(summary, members, min, (i, j) => {
    if (overlapOf(summary, i, j) >= min - ROUNDING && overlapOf(title, i, j) < min - ROUNDING) meet(i, j)
  })
  return titles && summaries
}

interface Group {
  readonly members: readonly number[]
  /** True if the pair shares no earlier group, so that each pair counts once. */
  isFirst(i: number, j: number): boolean
}

/** Groups of facts with the same subject or source. */
function sharing(views: readonly SoftView[]): readonly Group[] {
  const keys = views.map(
    ({ fact }) => new Set([...softSubjects(fact).map((id) => `s ${id}`), ...softEvidence(fact).map((id) => `e ${id}`)]),
  )
  const groups = new Map<string, number[]>()
  for (const [index, own] of keys.entries())
    for (const key of own) {
      const members = groups.get(key)
      if (members === undefined) groups.set(key, [index])
      else members.push(index)
    }
  return [...groups]
    .filter(([, members]) => members.length > 1)
    .map(([key, members]) => ({
      members,
      isFirst: (i, j) => [...(keys[i] ?? [])].find((value) => keys[j]?.has(value)) === key,
    }))
}

function bestPairs(views: readonly SoftView[]) {
  const kept: SoftPair[] = []
  let count = 0
  const shrink = (): void => {
    kept.sort((x, y) => y.score - x.score || compare(x.a.id, y.a.id) || compare(x.b.id, y.b.id))
    kept.length = Math.min(kept.length, MAX_PAIRS)
  }
  return {
    compare(i: number, j: number): void {
      const [earlier, later] = [views[i], views[j]]
      const match = earlier === undefined || later === undefined ? undefined : softMatch(earlier, later)
      if (match === undefined || earlier === undefined || later === undefined) return
      count++
      const [a, b] = earlier.fact.id < later.fact.id ? [earlier.fact, later.fact] : [later.fact, earlier.fact]
      kept.push({ ...match, a, b })
      if (kept.length >= 4 * MAX_PAIRS) shrink()
    },
    count: () => count,
    pairs(): readonly SoftPair[] {
      shrink()
      return kept
    },
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
