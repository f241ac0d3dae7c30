import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Embedder } from '../../src/ports/embedder.js'

const keyBytes = 32

export interface VectorCache {
  readonly dimensions: number
  readonly size: number
  get(text: string): Float32Array | null
  /** Vectors in the order of the texts; what is missing is computed and kept. */
  embed(texts: readonly string[], purpose: 'query' | 'passage'): Promise<readonly Float32Array[]>
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * An append-only file of records: hash of the text, then the vector. A record cut short by a killed run is dropped
 * before the first append, so that any number of runs can be interrupted and resumed.
 */
export function openVectorCache(cacheFolder: string, modelId: string, dimensions: number, compute: Embedder | null): VectorCache {
  const path = join(cacheFolder, 'vectors', `${modelId.replace(/[^\w.-]/g, '_')}.bin`)
  mkdirSync(dirname(path), { recursive: true })
  const recordBytes = keyBytes + dimensions * 4
  const known = new Map<string, Float32Array>()
  let torn: number | null = null
  if (existsSync(path)) {
    const file = readFileSync(path)
    const whole = file.length - (file.length % recordBytes)
    if (whole < file.length) torn = whole
    for (let at = 0; at < whole; at += recordBytes) {
      const vector = new Float32Array(dimensions)
      Buffer.from(vector.buffer).set(file.subarray(at + keyBytes, at + recordBytes))
      known.set(file.toString('hex', at, at + keyBytes), vector)
    }
  }
  const keep = (text: string, vector: Float32Array) => {
    const key = keyOf(text)
    known.set(key, vector)
    if (torn !== null) truncateSync(path, torn)
    torn = null
    appendFileSync(path, Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]))
  }
  const get = (text: string) => known.get(keyOf(text)) ?? null
  return {
    dimensions,
    get size() {
      return known.size
    },
    get,
    async embed(texts, purpose) {
      const found: Float32Array[] = []
      for (const text of texts) {
        const cached = get(text)
        if (cached) {
          found.push(cached)
          continue
        }
        if (!compute) throw new Error('The vector cache lacks a text and no model was opened to compute it')
        const [vector] = await compute.embed([text], { purpose })
        if (!vector) throw new Error('The model returned no vector')
        keep(text, vector)
        found.push(vector)
      }
      return found
    },
  }
}
