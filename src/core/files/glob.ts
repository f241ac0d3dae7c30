/** True for the code points that a step accepts. */
export type Accepts = (point: number) => boolean

/** One element of a pattern. */
export type GlobPart =
  | { readonly takes: 'one' | 'any'; readonly accepts: Accepts }
  /** Nothing, or whole folders with their slash. */
  | { readonly takes: 'folders' }
  /** One of several alternatives. */
  | { readonly takes: 'either'; readonly choices: readonly (readonly GlobPart[])[] }

export interface GlobMatcher {
  matches(text: string): boolean
  /** Number of states: the maximum cost of one character of the text. */
  readonly size: number
}

const SLASH = 0x2f
const LETTER = 0x61

export const anything: Accepts = () => true
export const inName: Accepts = (point) => point !== SLASH

/** One given character. */
export function exactly(character: string): GlobPart {
  const wanted = character.codePointAt(0)
  return { takes: 'one', accepts: (point) => point === wanted }
}

export const FOLDERS: GlobPart = { takes: 'folders' }

interface GlobState {
  /** Undefined if the pattern forks without consuming a character. */
  readonly accepts: Accepts | undefined
  /** Next states, after the character if one is consumed. */
  readonly next: number[]
  /** Makes other states redundant: everything the states above the one and up to the other lead to, this state leads to. */
  covers?: { readonly above: number; readonly upTo: number }
}

/** A set of pattern states that the text read so far can lead to. Successors are computed on first use. */
interface State {
  readonly places: readonly number[]
  readonly next: Map<number, State>
}

/** Maximum number of cached states. Above it the cache is cleared, so that a hostile text costs linear time and bounded memory. */
const MAX_KEPT = 100_000

/**
 * Simulates all alternatives at once: the time is at most pattern length times text length, and one look-up per character for cached
 * states.
 */
export function compileGlob(parts: readonly GlobPart[]): GlobMatcher {
  const places: GlobState[] = []
  const last = addPlace(places, undefined, [])
  const first = layOutPattern(parts, last, places)
  let states = new Map<string, State>()
  let kept = 0

  const stateOf = (from: Iterable<number>): State => {
    const reached = closure(from, places)
    const key = reached.join(' ')
    const known = states.get(key)
    if (known !== undefined) return known
    kept += reached.length + 1
    if (kept > MAX_KEPT) {
      states = new Map()
      kept = reached.length + 1
    }
    const made: State = { places: reached, next: new Map() }
    states.set(key, made)
    return made
  }

  const stepFrom = (state: State, point: number): State => {
    const after: number[] = []
    for (const index of state.places) {
      const place = places[index]
      if (place?.accepts?.(point) === true) after.push(...place.next)
    }
    const next = stateOf(after)
    // A cleared state may still be held by the caller; its cache goes with it.
    if (state.next.size < 256) state.next.set(point, next)
    return next
  }

  return {
    size: places.length,
    matches(text) {
      let state = stateOf([first])
      for (let offset = 0; offset < text.length; ) {
        const point = text.codePointAt(offset) ?? 0
        offset += point > 0xffff ? 2 : 1
        state = state.next.get(point) ?? stepFrom(state, point)
        if (state.places.length === 0) return false
      }
      return state.places.includes(last)
    },
  }
}

function addPlace(places: GlobState[], accepts: Accepts | undefined, next: number[]): number {
  places.push({ accepts, next })
  return places.length - 1
}

/** A repetition, by the state that consumes a character. */
interface Loop {
  readonly begin: number
  readonly take: number
}

function addLoop(places: GlobState[], accepts: Accepts, next: number): Loop {
  const fork: number[] = [next]
  const begin = addPlace(places, undefined, fork)
  const take = addPlace(places, accepts, [begin])
  fork.push(take)
  return { begin, take }
}

/** Built from the end, so that each state knows its successor. Returns the first state of the part, and its repetition if it is one. */
function layOutPart(part: GlobPart, next: number, places: GlobState[]): { readonly begin: number; readonly take?: number } {
  if (part.takes === 'either') {
    const choices = part.choices.map((choice) => choice.reduceRight((then, inner) => layOutPart(inner, then, places).begin, next))
    return { begin: addPlace(places, undefined, choices) }
  }
  if (part.takes === 'folders') {
    const { begin, take } = addLoop(
      places,
      anything,
      addPlace(places, (point) => point === SLASH, [next]),
    )
    return { begin: addPlace(places, undefined, [next, begin]), take }
  }
  return part.takes === 'any' ? addLoop(places, part.accepts, next) : { begin: addPlace(places, part.accepts, [next]) }
}

const takesSlash = (part: GlobPart): boolean => (part.takes === 'one' || part.takes === 'any' ? part.accepts(SLASH) : true)

/**
 * A star can repeat everything that led to it. So only the last star reached within a name matters, and a star that crosses folders makes
 * all previous states redundant. Without this, the number of active states would grow with the number of stars. Folder wildcards do so only
 * after a slash.
 */
function layOutPattern(parts: readonly GlobPart[], last: number, places: GlobState[]): number {
  let next = last
  let open: { readonly place: GlobState | undefined; readonly above: number; readonly crosses: boolean }[] = []
  const endReach = (which: (crosses: boolean) => boolean): void => {
    for (const { place, above, crosses } of open)
      if (place !== undefined && which(crosses)) place.covers = { above, upTo: places.length - 1 }
    open = open.filter(({ crosses }) => !which(crosses))
  }
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]
    if (part === undefined) continue
    const slash = takesSlash(part)
    if (slash) endReach((crosses) => !crosses)
    const { begin, take } = layOutPart(part, next, places)
    next = begin
    const before = parts[i - 1]
    const covers = part.takes !== 'folders' || (before?.takes === 'one' && before.accepts(SLASH) && !before.accepts(LETTER))
    if (take !== undefined && covers) open.push({ place: places[take], above: places.length - 1, crosses: slash })
  }
  endReach(() => true)
  return next
}

/** The states that consume a character, and the end, reachable through forks and not made redundant by another; in ascending order. */
function closure(from: Iterable<number>, places: readonly GlobState[]): readonly number[] {
  const seen = new Set(from)
  const reached: number[] = []
  for (const index of seen) {
    const place = places[index]
    if (place === undefined) continue
    if (place.accepts === undefined && place.next.length > 0) for (const next of place.next) seen.add(next)
    else reached.push(index)
  }
  reached.sort((a, b) => a - b)
  const kept: number[] = []
  let covered: { readonly above: number; readonly upTo: number }[] = []
  for (const index of reached) {
    covered = covered.filter(({ upTo }) => upTo >= index)
    if (covered.some(({ above }) => index > above)) continue
    kept.push(index)
    const covers = places[index]?.covers
    if (covers !== undefined) covered.push(covers)
  }
  return kept
}
