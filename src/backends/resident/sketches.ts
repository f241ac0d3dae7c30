import type { FactStatus } from '../../core/fact.js'
import type { Sketch } from '../../core/recall/candidate.js'
import { float64, grow, uint8 } from './columns.js'

/** The columns of every fact that ranking looks at, by row number: hundreds are read for each question. */
export class Sketches {
  #ids: (string | undefined)[] = []
  #owners: string[] = []
  #statuses: FactStatus[] = []
  #subjects: (string | null)[] = []
  #authors: (string | null)[] = []
  #sessions: (string | null)[] = []
  #code = uint8()
  #recorded = float64()
  #from = float64()
  #until = float64()
  #expires = float64()
  /** Owners, authors and sessions repeat; one copy of each is enough. */
  #words = new Map<string, string>()

  /** By an estimate of what strings cost. */
  get memoryBytes(): number {
    return this.#ids.length * 110
  }

  put(sketch: Sketch): void {
    const { rid } = sketch
    grow([this.#code, this.#recorded, this.#from, this.#until, this.#expires], rid + 1)
    this.#ids[rid] = sketch.id
    this.#owners[rid] = this.#shared(sketch.owner)
    this.#statuses[rid] = sketch.status
    this.#subjects[rid] = sketch.subject
    this.#authors[rid] = sketch.author === null ? null : this.#shared(sketch.author)
    this.#sessions[rid] = sketch.session === null ? null : this.#shared(sketch.session)
    this.#code.values[rid] = sketch.isCode ? 1 : 0
    this.#recorded.values[rid] = sketch.recordedAt
    this.#from.values[rid] = sketch.validFrom
    this.#until.values[rid] = sketch.validUntil ?? Number.POSITIVE_INFINITY
    this.#expires.values[rid] = sketch.expiresAt ?? Number.POSITIVE_INFINITY
  }

  remove(rid: number): void {
    if (rid < this.#ids.length) this.#ids[rid] = undefined
  }

  get(rid: number): Sketch | undefined {
    const id = this.#ids[rid]
    if (id === undefined) return undefined
    return {
      rid,
      id,
      owner: this.#owners[rid] ?? '',
      subject: this.#subjects[rid] ?? null,
      author: this.#authors[rid] ?? null,
      session: this.#sessions[rid] ?? null,
      isCode: this.#code.values[rid] === 1,
      recordedAt: this.#recorded.values[rid] ?? 0,
      validFrom: this.#from.values[rid] ?? 0,
      validUntil: orNull(this.#until.values[rid]),
      expiresAt: orNull(this.#expires.values[rid]),
      status: this.#statuses[rid] ?? 'active',
    }
  }

  #shared(word: string): string {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    if (this.#words.size > 10_000) this.#words.clear()
    this.#words.set(word, word)
    return word
  }
}

const orNull = (instant: number | undefined): number | null =>
  instant === undefined || instant === Number.POSITIVE_INFINITY ? null : instant
