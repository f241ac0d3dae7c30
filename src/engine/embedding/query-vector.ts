import { type MemoryError, toMemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

export interface QueryVector {
  /** None where there is no model, or where it fails. */
  readonly vector: Float32Array | undefined
  /** Why words and links have to answer alone, though a model is configured; null otherwise. */
  readonly degraded: string | null
}

export const NO_VECTOR: QueryVector = { vector: undefined, degraded: null }

/** A model that cannot be had is no reason to answer nothing, but the answer says that it is missing. */
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

/** What is wrong with the model, as far as a failed question tells. */
export const problemOf = (error: MemoryError): string =>
  typeof error.details.problem === 'string' ? error.details.problem : [error.message, error.hint].filter(Boolean).join(' ')
