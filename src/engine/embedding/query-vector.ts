import { type MemoryError, toMemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

export interface QueryVector {
  /** Undefined without a model or if it failed. */
  readonly vector: Float32Array | undefined
  /** Why vectors are missing although a model is configured; null otherwise. */
  readonly degraded: string | null
}

export const NO_VECTOR: QueryVector = { vector: undefined, degraded: null }

/** A missing model does not fail a query, but the result states it. */
export async function embedQueryOrDegrade(env: Environment, text: string, signal: AbortSignal): Promise<QueryVector> {
  if (env.embedder.disabled) return NO_VECTOR
  try {
    return { vector: await env.embedding.query(text, signal), degraded: null }
  } catch (error) {
    const known = toMemoryError(error)
    if (known.code !== 'unavailable') throw known
    return { vector: undefined, degraded: `Found by words and links only, not by meaning. ${problemOf(known)}` }
  }
}

/** The model failure behind a failed query. */
export const problemOf = (error: MemoryError): string =>
  typeof error.details.problem === 'string' ? error.details.problem : [error.message, error.hint].filter(Boolean).join(' ')
