import { attenuateContext, CONTEXT_TURNS } from '../../core/recall/lexical/fields.js'
import { float64, grow, int32 } from '../columns.js'

const NO_SLOT = -1

/** Documents of each session in row order, with the number of context tokens of each. */
export class SessionOrder {
  #previous = int32()
  #next = int32()
  #rid = int32()
  #text = int32()
  #contextLength = float64()
  #fading = float64()
  #tails = new Map<string, number>()
  #sessions: (string | null)[] = []

  get previous(): Int32Array {
    return this.#previous.values
  }

  get next(): Int32Array {
    return this.#next.values
  }

  /** Attenuation of context to and from each document. */
  get fading(): Float64Array {
    return this.#fading.values
  }

  /** Context tokens of each document. */
  get contextLengths(): Float64Array {
    return this.#contextLength.values
  }

  /** Inserts a document into its session, nearly always at the end. Returns the change of the total context length. */
  enter(slot: number, document: { readonly rid: number; readonly session: string | null; readonly tokens: number }): number {
    grow([this.#previous, this.#next, this.#rid, this.#text, this.#contextLength, this.#fading], slot + 1)
    this.#sessions[slot] = document.session
    this.#previous.values[slot] = NO_SLOT
    this.#next.values[slot] = NO_SLOT
    this.#rid.values[slot] = document.rid
    this.#text.values[slot] = document.tokens
    this.#contextLength.values[slot] = 0
    this.#fading.values[slot] = attenuateContext(document.tokens)
    if (document.session === null) return 0
    let before = this.#tails.get(document.session) ?? NO_SLOT
    let after = NO_SLOT
    while (before !== NO_SLOT && (this.#rid.values[before] ?? 0) > document.rid) {
      after = before
      before = this.#previous.values[before] ?? NO_SLOT
    }
    const reached = this.#around(before, after)
    this.#previous.values[slot] = before
    this.#next.values[slot] = after
    if (before !== NO_SLOT) this.#next.values[before] = slot
    if (after !== NO_SLOT) this.#previous.values[after] = slot
    else this.#tails.set(document.session, slot)
    return this.#measure([...reached, slot])
  }

  leave(slot: number): number {
    const session = this.#sessions[slot] ?? null
    if (session === null) return 0
    const before = this.#previous.values[slot] ?? NO_SLOT
    const after = this.#next.values[slot] ?? NO_SLOT
    const reached = this.#around(before, after)
    const own = this.#contextLength.values[slot] ?? 0
    if (before !== NO_SLOT) this.#next.values[before] = after
    if (after !== NO_SLOT) this.#previous.values[after] = before
    else if (before === NO_SLOT) this.#tails.delete(session)
    else this.#tails.set(session, before)
    return this.#measure(reached) - own
  }

  /** The documents whose window includes the position between two neighbours. */
  #around(before: number, after: number): readonly number[] {
    const reached: number[] = []
    for (let i = 0, index = before; i < CONTEXT_TURNS.after && index !== NO_SLOT; i++, index = this.#previous.values[index] ?? NO_SLOT)
      reached.push(index)
    for (let i = 0, index = after; i < CONTEXT_TURNS.before && index !== NO_SLOT; i++, index = this.#next.values[index] ?? NO_SLOT)
      reached.push(index)
    return reached
  }

  /** Recomputes the context lengths of these documents and returns the change. */
  #measure(slots: readonly number[]): number {
    let change = 0
    for (const slot of slots) {
      let tokens = 0
      for (
        let i = 0, index = this.#previous.values[slot] ?? NO_SLOT;
        i < CONTEXT_TURNS.before && index !== NO_SLOT;
        i++, index = this.#previous.values[index] ?? NO_SLOT
      )
        tokens += this.#loan(index)
      for (
        let i = 0, index = this.#next.values[slot] ?? NO_SLOT;
        i < CONTEXT_TURNS.after && index !== NO_SLOT;
        i++, index = this.#next.values[index] ?? NO_SLOT
      )
        tokens += this.#loan(index)
      tokens *= this.#fading.values[slot] ?? 0
      change += tokens - (this.#contextLength.values[slot] ?? 0)
      this.#contextLength.values[slot] = tokens
    }
    return change
  }

  /** Tokens that a document contributes, before attenuation by the receiver's length. */
  #loan(slot: number): number {
    return (this.#text.values[slot] ?? 0) * (this.#fading.values[slot] ?? 0)
  }
}
