import type { Embedder } from '../ports/embedder.js'
import { cancelled, NO_CACHE } from './cache.js'
import { normaliseVector } from './normalise-vector.js'

const WORD = /[\p{L}\p{N}]+/gu
// Several positions per word reduce the weight of a collision.
const PLACES_PER_WORD = 4

/** Vectors of hashed words: deterministic, immediate, and similar for texts that share words. They carry no meaning. */
export function openHashEmbedder(dimensions = 384): Embedder {
  return {
    model: { id: `hash-${dimensions}`, dimensions, floor: 0 },
    status: () => ({ state: 'ready', problem: null, cache: NO_CACHE }),
    warm: () => undefined,
    async embed(texts, { signal }) {
      if (signal?.aborted === true) throw cancelled()
      return texts.map((text) => hashVector(text, dimensions))
    },
    close: async () => undefined,
  }
}

export function hashVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const [word] of text.toLowerCase().matchAll(WORD)) addWord(vector, word)
  // A text of punctuation only, or of words that cancel out, still has a unit vector.
  if (vector.every((value) => value === 0)) vector[mix(fnv1a(text)) % dimensions] = 1
  return normaliseVector(vector)
}

function addWord(vector: Float32Array, word: string): void {
  let state = fnv1a(word)
  for (let place = 0; place < PLACES_PER_WORD; place++) {
    state = mix(state + place)
    const index = (state >>> 1) % vector.length
    vector[index] = (vector[index] ?? 0) + (state & 1 ? 1 : -1)
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Spreads every input bit over the whole word, unlike FNV alone. */
function mix(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
