import type { JsonObject } from '../../core/encoding/json.js'
import { LIFECYCLE_STATES, type LifecycleState } from '../../core/facts/lifecycle.js'
import { checkMetadata, checkString } from '../../core/input/input.js'
import type { Context } from '../../engine/context.js'
import { MemoryError } from '../../errors.js'
import { nullToUndefined } from './shapes.js'

/** Error texts of this contract; the invariants are checked again when stored. */
const invalid = (message: string): MemoryError => new MemoryError('invalid_input', message)

const OWNER = /^[A-Za-z0-9_@-]{1,256}$/u
const RELATION = /^[A-Za-z0-9_]{1,256}$/u
/** From the year 2255 on, microseconds are not exact. */
const LAST_MILLISECOND = 9_000_000_000_000

export function ownerOf(context: Context, owner: string | null | undefined): string {
  if (owner === null || owner === undefined) return context.settings.defaultOwner
  if (!OWNER.test(owner)) throw invalid('Invalid owner_id format (use alphanumeric, -, _, @)')
  return owner
}

export function textOf(context: Context, text: string | null | undefined, field = 'text'): string {
  if (text === null || text === undefined || text.trim() === '') throw invalid(`${field} must not be empty`)
  checkString(text, field)
  const most = context.settings.graph.maxTextLength
  if (text.length > most && [...text].length > most) throw invalid(`${field === 'text' ? 'Text' : field} too long (max ${most} chars)`)
  return text
}

const MAX_SOURCE = 1000

/** The short origin of a node; undefined if empty. */
export function sourceOf(source: string | null | undefined): string | undefined {
  if (source === null || source === undefined || source === '') return undefined
  checkString(source, 'source')
  if (source.length > MAX_SOURCE) throw invalid(`source too long (max ${MAX_SOURCE} chars)`)
  return source
}

export function metadataOf(context: Context, metadata: JsonObject | null | undefined, field = 'metadata'): JsonObject | undefined {
  if (metadata === null || metadata === undefined) return undefined
  const most = context.settings.maxMetadataBytes
  if (Buffer.byteLength(JSON.stringify(metadata)) > most)
    throw invalid(`${field === 'metadata' ? 'Metadata' : field} too large (max ${most} bytes)`)
  checkMetadata(metadata, field, most)
  return metadata
}

export function ttlOf(context: Context, days: number | null | undefined): number | undefined {
  if (days === null || days === undefined) return undefined
  const { minTtlDays, maxTtlDays } = context.settings.graph
  if (!(days > minTtlDays && days <= maxTtlDays)) throw invalid(`TTL must be between ${minTtlDays} and ${maxTtlDays} days`)
  return days
}

/** Milliseconds on the wire, microseconds inside. */
export function expiryOf(
  context: Context,
  expiresAt: number | null | undefined,
  options: { readonly future: boolean },
): number | undefined {
  if (expiresAt === null || expiresAt === undefined) return undefined
  if (expiresAt < 0 || expiresAt > LAST_MILLISECOND)
    throw invalid(`expires_at must be from 0 to ${LAST_MILLISECOND} (milliseconds since 1970)`)
  if (options.future && expiresAt * 1000 <= context.clock.now())
    throw invalid('expires_at must lie in the future (milliseconds since 1970)')
  return expiresAt * 1000
}

export function lifeOf(status: string | null | undefined): LifecycleState | undefined {
  if (status === null || status === undefined) return undefined
  const life = LIFECYCLE_STATES.find((known) => known === status)
  if (life === undefined) throw invalid('status must be one of: active, archived, outdated')
  return life
}

export function relationTypeOf(type: string): string {
  if (!RELATION.test(type)) throw invalid('Invalid relation_type format (use alphanumeric, _)')
  return type
}

export function thresholdOf(value: number | null | undefined, field: string, fallback: number): number {
  if (value === null || value === undefined) return fallback
  if (!(value >= 0 && value <= 1)) throw invalid(`${field} must be between 0 and 1`)
  return value
}

export function limitOf(value: number | null | undefined, fallback: number, most = 1000): number {
  const limit = nullToUndefined(value) ?? fallback
  if (limit < 1) throw invalid('limit must be at least 1')
  return Math.min(limit, most)
}
