/** Numbers that look random and are the same for every run. */
export interface SeededRandom {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to a bound. */
  below(bound: number): number
  pick<T>(from: readonly T[]): T
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    pick(from) {
      const chosen = from[below(from.length)]
      if (chosen === undefined) throw new RangeError('nothing to pick from')
      return chosen
    },
  }
}
