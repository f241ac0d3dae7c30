import { refusal } from '../input/refusal.js'

/** Maximum length of a URI. */
const MAX_BYTES = 2048
const CONTROLS = /\p{Cc}/u
const HALF_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u

/** Ids of this store are case-sensitive, so the part after these prefixes is kept. */
const OWN_PREFIXES = ['mneme:fact/', 'mneme:entity/'] as const
const FORMAL_PREFIX = 'stigmem://'

/** The stored and compared form of an entity: lower case, no white space; idempotent. An informal one (`user:alice`) stays informal. */
export function normalUri(text: string, field = 'entity'): string {
  const trimmed = text.trim()
  if (trimmed === '') throw refusal('invalid_entity_uri', `Invalid ${field}: must not be empty`)
  if (Buffer.byteLength(trimmed) > MAX_BYTES)
    throw refusal('invalid_entity_uri', `Invalid ${field}: ${Buffer.byteLength(trimmed)} bytes, at most ${MAX_BYTES} are allowed`)
  if (CONTROLS.test(trimmed)) throw refusal('invalid_entity_uri', `Invalid ${field}: must not contain control characters`)
  if (HALF_PAIR.test(trimmed))
    throw refusal('invalid_entity_uri', `Invalid ${field}: holds half of a surrogate pair; send well-formed Unicode`)
  const own = OWN_PREFIXES.find((prefix) => trimmed.toLowerCase().startsWith(prefix))
  return own === undefined ? trimmed.toLowerCase().replace(/\s+/gu, '-') : own + trimmed.slice(own.length)
}

/** True for `stigmem://authority/type/id`. Other forms are accepted with a deprecation notice. */
export const isFormal = (uri: string): boolean => uri.startsWith(FORMAL_PREFIX)

/** The last part of its path, as a readable name. */
export function displayName(uri: string): string {
  const path = uri.replace(/\/+$/u, '')
  const slash = path.lastIndexOf('/')
  return path.slice((slash >= 0 ? slash : path.lastIndexOf(':')) + 1) || path
}

/** The type in a formal URI. */
export const typeInUri = (uri: string): string | null => (isFormal(uri) ? (uri.slice(FORMAL_PREFIX.length).split('/')[1] ?? null) : null)

const [OWN_FACT, OWN_ENTITY] = OWN_PREFIXES

export const factUri = (id: string): string => `${OWN_FACT}${id}`
export const entityUri = (id: string): string => `${OWN_ENTITY}${id}`
export const factIdIn = (uri: string): string | undefined => (uri.startsWith(OWN_FACT) ? uri.slice(OWN_FACT.length) : undefined)
export const entityIdIn = (uri: string): string | undefined => (uri.startsWith(OWN_ENTITY) ? uri.slice(OWN_ENTITY.length) : undefined)
