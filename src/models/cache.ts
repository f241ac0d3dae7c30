import { createHash } from 'node:crypto'
import { MemoryError } from '../errors.js'
import type { Embedder, EmbedOptions } from '../ports/embedder.js'

const DEFAULT_CACHE_SIZE = 1000

export const NO_CACHE = { hits: 0, misses: 0, size: 0, maxSize: 0 } as const

// Above this length a digest is smaller than the text.
const MAX_PLAIN_KEY_CHARS = 64

/** A model call shared by its callers. It is cancelled when the last of them gives up. */
interface Flight {
  readonly vectors: Promise<readonly Float32Array[]>
  readonly keys: readonly string[]
  readonly controller: AbortController
  waiting: number
}

/** An LRU cache in front of an embedder. A text requested twice concurrently is computed once. */
export function cacheEmbedder(inner: Embedder, maxSize: number = DEFAULT_CACHE_SIZE): Embedder {
  // A Map iterates in insertion order: re-inserting on use keeps the oldest first.
  const entries = new Map<string, Float32Array>()
  const flights = new Map<string, { readonly flight: Flight; readonly index: number }>()
  let hits = 0
  let misses = 0

  const store = (key: string, vector: Float32Array): void => {
    if (maxSize < 1) return
    entries.delete(key)
    entries.set(key, vector.slice())
    if (entries.size <= maxSize) return
    for (const oldest of entries.keys()) {
      entries.delete(oldest)
      break
    }
  }

  const forget = (flight: Flight): void => {
    for (const key of flight.keys) if (flights.get(key)?.flight === flight) flights.delete(key)
  }

  const depart = (missing: ReadonlyMap<string, string>, purpose: EmbedOptions['purpose']): Flight => {
    const keys = [...missing.keys()]
    const controller = new AbortController()
    const vectors = inner.embed([...missing.values()], { purpose, signal: controller.signal })
    const flight: Flight = { vectors, keys, controller, waiting: 0 }
    for (const [index, key] of keys.entries()) flights.set(key, { flight, index })
    vectors.then(
      (computed) => {
        keys.forEach((key, index) => {
          const vector = computed[index]
          if (vector !== undefined) store(key, vector)
        })
        forget(flight)
      },
      () => forget(flight),
    )
    return flight
  }

  return {
    model: inner.model,
    status: () => ({ ...inner.status(), cache: { hits, misses, size: entries.size, maxSize } }),
    warm: () => inner.warm(),
    close: () => inner.close(),
    async embed(texts, { purpose, signal }) {
      if (signal?.aborted === true) throw cancelled()
      const keys = texts.map((text) => keyOf(inner.model.id, purpose, text))
      const found = new Map<string, Float32Array>()
      const joined = new Map<string, { readonly flight: Flight; readonly index: number }>()
      const missing = new Map<string, string>()
      texts.forEach((text, position) => {
        const key = keys[position] ?? ''
        const vector = entries.get(key)
        const shared = flights.get(key)
        if (vector !== undefined) {
          entries.delete(key)
          entries.set(key, vector)
          found.set(key, vector)
        } else if (shared !== undefined) joined.set(key, shared)
        else if (!missing.has(key)) {
          missing.set(key, text)
          misses++
          return
        }
        hits++
      })
      if (missing.size > 0) {
        const flight = depart(missing, purpose)
        for (const [index, key] of flight.keys.entries()) joined.set(key, { flight, index })
      }
      const awaited = new Set([...joined.values()].map(({ flight }) => flight))
      for (const flight of awaited) flight.waiting++
      const results = await arrival([...awaited], forget, signal)
      for (const [key, { flight, index }] of joined) {
        const vector = results.get(flight)?.[index]
        if (vector !== undefined) found.set(key, vector)
      }
      return keys.map((key) => {
        const vector = found.get(key)
        if (vector === undefined) throw new MemoryError('unavailable', `The embedder ${inner.model.id} returned fewer vectors than texts.`)
        // A copy, so that callers cannot change the cached vector.
        return vector.slice()
      })
    },
  }
}

async function arrival(
  awaited: readonly Flight[],
  forget: (flight: Flight) => void,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Flight, readonly Float32Array[]>> {
  let leave = (): void => undefined
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(cancelled())
  })
  signal?.addEventListener('abort', leave, { once: true })
  try {
    const all = Promise.all(awaited.map(async (flight) => [flight, await flight.vectors] as const))
    return new Map(await Promise.race([all, left]))
  } finally {
    signal?.removeEventListener('abort', leave)
    for (const flight of awaited) {
      flight.waiting--
      if (flight.waiting > 0 || signal?.aborted !== true) continue
      // Removed first, so that the next caller does not join a cancelled call.
      forget(flight)
      flight.controller.abort()
    }
  }
}

function keyOf(modelId: string, purpose: EmbedOptions['purpose'], text: string): string {
  const body = text.length > MAX_PLAIN_KEY_CHARS ? createHash('sha256').update(text, 'utf16le').digest('base64') : text
  return `${modelId}\n${purpose}\n${text.length}\n${body}`
}

export function cancelled(): MemoryError {
  return new MemoryError('cancelled', 'The embedding was cancelled by its caller.')
}
