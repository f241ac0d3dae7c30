/** Which characters a step takes, by code point. */
export type Accepts = (point: number) => boolean

/** A pattern as a list of these, one after another. */
export type GlobPart =
  | { readonly takes: 'one' | 'any'; readonly accepts: Accepts }
  /** Nothing, or whole folders with their slash. */
  | { readonly takes: 'folders' }
  /** One of several lists. */
  | { readonly takes: 'either'; readonly choices: readonly (readonly GlobPart[])[] }

export interface GlobMatcher {
  matches(text: string): boolean
  /** Characters of the pattern: what a character of the text costs at most. */
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

interface Place {
  /** Undefined where the pattern forks without taking a character. */
  readonly accepts: Accepts | undefined
  /** Places to go on at, after the character if one is taken. */
  readonly next: number[]
  /** Whoever stands here need not stand above the one and up to the other: all that those lead to, this leads to. */
  covers?: { readonly above: number; readonly upTo: number }
}

/** A set of places that the text read so far can have led to; the ones that follow it are found on first need. */
interface State {
  readonly places: readonly number[]
  readonly next: Map<number, State>
}

/** Places kept in known states. Beyond it they are forgotten, so that a hostile text costs time in its length, and no memory. */
const MAX_KEPT = 100_000

/**
 * Follows all ways through the pattern at once, never one after another: the time is at most pattern times text, and for
 * what was seen before one look-up for each character.
 */
export function compileGlob(parts: readonly GlobPart[]): GlobMatcher {
  const places: Place[] = []
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
    for (const at of state.places) {
      const place = places[at]
      if (place?.accepts?.(point) === true) after.push(...place.next)
    }
    const next = stateOf(after)
    // A state that was forgotten may still be held by the caller; what it learns goes with it.
    if (state.next.size < 256) state.next.set(point, next)
    return next
  }

  return {
    size: places.length,
    matches(text) {
      let state = stateOf([first])
      for (let at = 0; at < text.length; ) {
        const point = text.codePointAt(at) ?? 0
        at += point > 0xffff ? 2 : 1
        state = state.next.get(point) ?? stepFrom(state, point)
        if (state.places.length === 0) return false
      }
      return state.places.includes(last)
    },
  }
}

function addPlace(places: Place[], accepts: Accepts | undefined, next: number[]): number {
  places.push({ accepts, next })
  return places.length - 1
}

/** A loop of places, by the one that takes a character. */
interface Loop {
  readonly begin: number
  readonly take: number
}

function addLoop(places: Place[], accepts: Accepts, next: number): Loop {
  const fork: number[] = [next]
  const begin = addPlace(places, undefined, fork)
  const take = addPlace(places, accepts, [begin])
  fork.push(take)
  return { begin, take }
}

/** Laid out from the end, so that each place knows what follows; answers where the part begins, and its loop if it is one. */
function layOutPart(part: GlobPart, next: number, places: Place[]): { readonly begin: number; readonly take?: number } {
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
 * A star can take all that led to it once more. So of the stars in a name only the last that was reached counts, and one
 * that crosses folders makes everything before it needless: without this, the ways to follow would be as many as there
 * are stars. Folders in the middle do so where a slash stands before them.
 */
function layOutPattern(parts: readonly GlobPart[], last: number, places: Place[]): number {
  let next = last
  let open: { readonly place: Place | undefined; readonly above: number; readonly crosses: boolean }[] = []
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

/** The places that take a character, and the end, as far as forks lead to them and no other covers them; in ascending order. */
function closure(from: Iterable<number>, places: readonly Place[]): readonly number[] {
  const seen = new Set(from)
  const reached: number[] = []
  for (const at of seen) {
    const place = places[at]
    if (place === undefined) continue
    if (place.accepts === undefined && place.next.length > 0) for (const next of place.next) seen.add(next)
    else reached.push(at)
  }
  reached.sort((a, b) => a - b)
  const kept: number[] = []
  let covered: { readonly above: number; readonly upTo: number }[] = []
  for (const at of reached) {
    covered = covered.filter(({ upTo }) => upTo >= at)
    if (covered.some(({ above }) => at > above)) continue
    kept.push(at)
    const covers = places[at]?.covers
    if (covers !== undefined) covered.push(covers)
  }
  return kept
}
