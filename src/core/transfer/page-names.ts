import { sha256 } from '../encoding/hash.js'

const MAX_NAME_CHARS = 80

/** Names that systems keep for themselves. */
const RESERVED_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d|index|memories-.*)$/

/** A text as the name of a file on every system, the same one every time. */
function fileName(text: string): string {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAX_NAME_CHARS)
  return plain === '' || RESERVED_NAMES.test(plain) ? `_${plain}` : plain
}

/** The folder of an owner. Owners whose names yield the same folder are distinguished by a hash. */
export const ownerFolder = (owner: string): string => {
  const name = fileName(owner)
  return name === owner ? name : `${name}-${sha256(owner).slice(0, 6)}`
}

/** Names of the pages of entities: by their name, and by their id as well where another entity has the same. */
export class PageNames {
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  add(id: string, name: string): void {
    const plain = fileName(name)
    const own = this.#taken.has(plain) ? `${plain}-${sha256(id).slice(0, 8)}` : plain
    this.#taken.add(own)
    this.#names.set(id, own)
  }

  of(id: string): string {
    return this.#names.get(id) ?? fileName(id)
  }
}
