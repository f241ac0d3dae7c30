import pg from 'pg'
import type { Kind } from '../sql/plan/plan.js'

/** A long read in the server's binary format: as text, a vector takes twice the bytes and is hexadecimal. */
export class CopyOut extends pg.Query {
  readonly #kinds: readonly Kind[]
  readonly #visit: (values: readonly unknown[]) => void
  #begun = false
  /** An error of the visitor or of decoding. */
  #failure: unknown

  constructor(text: string, values: readonly unknown[], kinds: readonly Kind[], visit: (values: readonly unknown[]) => void) {
    super(`COPY (${written(text, values)}) TO STDOUT (FORMAT binary)`)
    this.#kinds = kinds
    this.#visit = visit
  }

  get failure(): unknown {
    return this.#failure
  }

  /** Called by the driver. Each row is one message; the first starts with the header of the format. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure !== undefined) return
    try {
      let index = this.#begun ? 0 : SIGNATURE_BYTES + 8 + chunk.readInt32BE(SIGNATURE_BYTES + 4)
      this.#begun = true
      while (index < chunk.length) index = this.#row(chunk, index)
    } catch (error) {
      this.#failure = error
    }
  }

  #row(chunk: Buffer, from: number): number {
    const fields = chunk.readInt16BE(from)
    if (fields === END) return chunk.length
    if (fields !== this.#kinds.length) throw new Error(`a row has ${fields} values, expected ${this.#kinds.length}`)
    const values: unknown[] = []
    let offset = from + 2
    for (const kind of this.#kinds) {
      const length = chunk.readInt32BE(offset)
      offset += 4
      values.push(length < 0 ? null : DECODERS[kind](chunk, offset, length))
      offset += Math.max(0, length)
    }
    this.#visit(values)
    return offset
  }
}

const SIGNATURE_BYTES = 11
const END = -1

const DECODERS: Readonly<Record<Kind, (chunk: Buffer, now: number, length: number) => unknown>> = {
  int: (chunk, index, length) =>
    length === 4 ? chunk.readInt32BE(index) : chunk.readInt32BE(index) * 2 ** 32 + chunk.readUInt32BE(index + 4),
  real: (chunk, index) => chunk.readDoubleBE(index),
  text: (chunk, index, length) => chunk.toString('utf8', index, index + length),
  // The driver reuses the memory of a message.
  bytes: (chunk, index, length) => Uint8Array.prototype.slice.call(chunk, index, index + length),
}

/** COPY has no parameters, so values are inlined. */
function written(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1]
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
    if (typeof value === 'string') return pg.escapeLiteral(value)
    if (Array.isArray(value) && value.every(Number.isSafeInteger)) return `'{${value.join()}}'`
    throw new Error('a long read accepts texts and integers only')
  })
}
