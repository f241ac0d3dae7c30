/** A process with its own clock that shares a store with others. */
export interface Teller {
  /** Sets its clock off by this number of seconds. */
  setClock(offsetSeconds: number): Promise<void>
  store(content: string): Promise<string>
  end(id: string): Promise<boolean>
  remove(id: string): Promise<boolean>
  /** Ids returned by a search for a word, by recall and by the list of valid memories. */
  search(word: string): Promise<readonly string[]>
  recall(word: string): Promise<readonly string[]>
  valid(): Promise<readonly string[]>
  /** Stored instants that are after the clock of this process. */
  late(): Promise<readonly string[]>
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Correct, behind and ahead, by small and large amounts. */
export const OFFSETS: readonly number[] = [
  0,
  0,
  0,
  1,
  -1,
  60,
  -60,
  20 * HOUR,
  -20 * HOUR,
  3 * DAY,
  -3 * DAY,
  73 * 365 * DAY,
  -20 * 365 * DAY,
]

export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A unique word per fact, of letters only, so that every search treats it as one. */
const wordOf = (seed: number, nth: number): string =>
  `q${[...(seed * 1000 + nth).toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}z`

/**
 * One random history: the processes store, end and delete facts while their clocks change. Returns what went wrong: an acknowledged fact
 * that some process does not find, or an ended one that is still found.
 */
export async function tellHistory(tellers: readonly Teller[], seed: number, steps: number): Promise<readonly string[]> {
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)]
  const living = new Map<string, string>()
  const over = new Map<string, string>()
  const wrong: string[] = []
  const check = async (teller: Teller, id: string, word: string): Promise<void> => {
    const there = living.has(id)
    for (const way of ['search', 'recall'] as const)
      if ((await teller[way](word)).includes(id) !== there)
        wrong.push(
          `seed ${seed}: ${id} (${word}) is ${there ? 'not found' : 'still found'} by ${way} of process ${tellers.indexOf(teller)}`,
        )
  }
  for (let i = 0; i < steps; i++) {
    const teller = pick(tellers)
    if (teller === undefined) break
    if (next() < 0.4) await teller.setClock(pick(OFFSETS) ?? 0)
    const known = pick([...living])
    const what = next()
    if (known === undefined || what < 0.55) {
      const word = wordOf(seed, i)
      living.set(await teller.store(`The note ${word} was taken.`), word)
    } else {
      const [id, word] = known
      const done = what < 0.85 ? await teller.end(id) : await teller.remove(id)
      if (!done) wrong.push(`seed ${seed}: ${id} was there, but ending it answered that it was not`)
      living.delete(id)
      over.set(id, word)
    }
    const requested = pick([...living, ...over])
    const asking = pick(tellers)
    if (requested !== undefined && asking !== undefined) await check(asking, ...requested)
  }
  // In the end, with correct clocks, all processes must agree.
  for (const teller of tellers) await teller.setClock(0)
  for (const teller of tellers) {
    const valid = new Set(await teller.valid())
    for (const id of living.keys()) if (!valid.has(id)) wrong.push(`seed ${seed}: ${id} is missing from the list of what is valid`)
    for (const id of over.keys()) if (valid.has(id)) wrong.push(`seed ${seed}: ${id} is over and listed as valid`)
    for (const late of await teller.late()) wrong.push(`seed ${seed}: ${late} lies after the moment it is read`)
  }
  const [first] = tellers
  if (first !== undefined) for (const [id, word] of [...living, ...over]) await check(first, id, word)
  return wrong
}
