/** Which characters a step takes, by code point. */
export type Accepts = (point: number) => boolean

/** A pattern as a list of these, one after another. */
export type GlobPart =
  | { readonly takes: 'one' | 'any'; readonly accepts: Accepts }
  /** One of several lists. */
  | { readonly takes: 'either'; readonly choices: readonly (readonly GlobPart[])[] }

export interface GlobMatcher {
  matches(text: string): boolean
  /** Characters of the pattern: what a character of the text costs at most. */
  readonly size: number
}

const SLASH = 0x2f

export const anything: Accepts = () => true
export const inName: Accepts = (point) => point !== SLASH

/** One given character. */
export function exactly(character: string): GlobPart {
  const wanted = character.codePointAt(0)
  return { takes: 'one', accepts: (point) => point === wanted }
}

/** Nothing, or whole folders with their slash. */
export const FOLDERS: GlobPart = { takes: 'either', choices: [[], [{ takes: 'any', accepts: anything }, exactly('/')]] }

interface Place {
  /** Undefined where the pattern forks without taking a character. */
  readonly accepts: Accepts | undefined
  /** Places to go on at, after the character if one is taken. */
  readonly next: number[]
}

/** A set of places that the text read so far can have led to; the ones that follow it are found on first need. */
interface State {
  readonly places: readonly number[]
  readonly next: Map<number, State>
}

/** Places kept in known states. Beyond it they are forgotten, so that a hostile text costs time in its length, and no memory. */
const MOST_KEPT = 100_000

/**
 * Follows all ways through the pattern at once, never one after another: the time is at most pattern times text, and for
 * what was seen before one look-up for each character.
 */
export function compileGlob(parts: readonly GlobPart[]): GlobMatcher {
  const places: Place[] = []
  const first = layOut(parts, addPlace(places, undefined, []), places)
  const last = 0
  let states = new Map<string, State>()
  let kept = 0

  const stateOf = (from: Iterable<number>): State => {
    const reached = closure(from, places)
    const key = reached.join(' ')
    const known = states.get(key)
    if (known !== undefined) return known
    kept += reached.length + 1
    if (kept > MOST_KEPT) {
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

/** Laid out from the end, so that each place knows what follows; answers where the parts begin. */
function layOut(parts: readonly GlobPart[], then: number, places: Place[]): number {
  let next = then
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]
    if (part === undefined) continue
    if (part.takes === 'one') next = addPlace(places, part.accepts, [next])
    else if (part.takes === 'either') {
      const after = next
      next = addPlace(
        places,
        undefined,
        part.choices.map((choice) => layOut(choice, after, places)),
      )
    } else {
      const fork: number[] = [next]
      next = addPlace(places, undefined, fork)
      fork.push(addPlace(places, part.accepts, [next]))
    }
  }
  return next
}

/** The places that take a character, and the end, as far as forks lead to them; in ascending order. */
function closure(from: Iterable<number>, places: readonly Place[]): readonly number[] {
  const seen = new Set(from)
  const reached: number[] = []
  for (const at of seen) {
    const place = places[at]
    if (place === undefined) continue
    if (place.accepts === undefined && place.next.length > 0) for (const next of place.next) seen.add(next)
    else reached.push(at)
  }
  return reached.sort((a, b) => a - b)
}
