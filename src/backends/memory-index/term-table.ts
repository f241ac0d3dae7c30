const NO_TERM = -1
const INITIAL_CAPACITY = 128

/**
 * Term numbers by hash, in two typed arrays: a Map of numbers this large allocates an object for each, and loading a hundred thousand facts
 * looks up a million.
 */
export class TermTable {
  #hashes = new Int32Array(INITIAL_CAPACITY)
  #numbers = new Int32Array(INITIAL_CAPACITY).fill(NO_TERM)
  #size = 0

  /** Terms are numbered from 0. */
  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    return 8 * this.#hashes.length
  }

  /** -1 for an unknown term. */
  numberOf(hash: number): number {
    return this.#numbers[this.#placeOf(hash | 0)] as number
  }

  add(hash: number): number {
    if (2 * this.#size >= this.#hashes.length) this.#grow()
    const place = this.#placeOf(hash | 0)
    const known = this.#numbers[place] as number
    if (known !== NO_TERM) return known
    this.#hashes[place] = hash | 0
    this.#numbers[place] = this.#size
    return this.#size++
  }

  /** The position of a hash. Half of the positions are free, so probing is short. */
  #placeOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let place = (hash ^ (hash >>> 15)) & mask
    while (this.#numbers[place] !== NO_TERM && this.#hashes[place] !== hash) place = (place + 1) & mask
    return place
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers]
    this.#hashes = new Int32Array(2 * hashes.length)
    this.#numbers = new Int32Array(2 * hashes.length).fill(NO_TERM)
    for (let i = 0; i < hashes.length; i++) {
      if (numbers[i] === NO_TERM) continue
      const place = this.#placeOf(hashes[i] as number)
      this.#hashes[place] = hashes[i] as number
      this.#numbers[place] = numbers[i] as number
    }
  }
}
