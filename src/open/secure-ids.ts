import { randomBytes } from 'node:crypto'
import type { Ids } from '../ports/ids.js'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Random bytes are drawn in bulk, because a call per id costs more than the rest of a write. */
export function createSecureIds(): Ids {
  let pool = Buffer.alloc(0)
  let used = 0
  return {
    mint() {
      let id = ''
      while (id.length < 20) {
        if (used >= pool.length) {
          pool = randomBytes(4096)
          used = 0
        }
        const byte = pool[used++] ?? 255
        // 252 is the largest multiple of 36 in a byte; higher values would favour the first letters.
        if (byte < 252) id += ALPHABET[byte % 36]
      }
      return id
    },
  }
}
