import { sha256 } from '../core/encoding/hash.js'
import { canonicalJson, type Json } from '../core/encoding/json.js'
import { isBlank } from '../core/input/input.js'
import type { Context } from '../engine/context.js'
import { MemoryError } from '../errors.js'
import { ownerNamed } from './authorise.js'
import { isRecord, type WireSchema } from './wire-schema.js'

export const KEY_ARGUMENT = 'idempotency_key'
const MAX_KEY_CHARS = 255

/** Adds the key to the schema of a writing tool; the instructions explain it. */
export const withKey = (schema: WireSchema): WireSchema => ({
  ...schema,
  properties: { ...(isRecord(schema.properties) ? schema.properties : {}), [KEY_ARGUMENT]: { type: 'string' } },
})

/** Separates the key of a call from its input. */
export function takeKey(raw: unknown): { readonly key: string | undefined; readonly input: unknown } {
  if (!isRecord(raw) || Array.isArray(raw)) return { key: undefined, input: raw }
  const { [KEY_ARGUMENT]: key, ...input } = raw
  if (key === undefined) return { key: undefined, input }
  if (typeof key !== 'string' || isBlank(key) || key.length > MAX_KEY_CHARS)
    throw new MemoryError('invalid_input', `Invalid ${KEY_ARGUMENT}: must be text of 1 to ${MAX_KEY_CHARS} characters`, {
      hint: 'Use a random id per call, and the same id for its repetitions.',
    })
  return { key, input }
}

/** Keys are scoped by client and by the owner in the call, or the default owner, so that equal keys do not collide. */
export function callId(call: { readonly context: Context; readonly actor: string }, tool: string, key: string, input: unknown) {
  const text: Json = JSON.parse(JSON.stringify(input))
  return {
    owner: ownerNamed(input) ?? call.context.settings.defaultOwner,
    actor: call.actor,
    key,
    fingerprint: sha256(canonicalJson([tool, text])),
  }
}
