import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { sha256 } from '../encoding/hash.js'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../encoding/json.js'
import { refusal } from './refusal.js'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Cursors are padded to multiples of this, so that the length reveals nothing about the position. */
const STEP_BYTES = 64
const MAX_CURSOR_CHARS = 32_768

const keyOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Identifies a query and its caller: a cursor continues that query only. */
export const digestOf = (question: Json): string => sha256(canonicalJson(question)).slice(0, 32)

const invalid = (): Error =>
  refusal('invalid_cursor', 'Invalid cursor: it was issued for a different query', 'Start again without a cursor.')

/** Opaque to clients and bound to its query. A position counts facts that the caller may not read, so it is encrypted, not only signed. */
export function sealCursor(payload: JsonObject, secret: string): string {
  const plain = Buffer.from(canonicalJson(payload))
  const padded = Buffer.alloc(Math.ceil(plain.length / STEP_BYTES) * STEP_BYTES, ' ')
  plain.copy(padded)
  // Derived from the payload: the same position gives the same cursor, and no two positions share a nonce.
  const nonce = createHmac('sha256', secret).update(padded).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(secret), nonce)
  const sealed = Buffer.concat([nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()])
  return wrapped(sealed)
}

const wrapped = (sealed: Buffer): string => Buffer.from(canonicalJson({ c: sealed.toString('base64url') })).toString('base64url')

export function openCursor(cursor: string, secret: string, digest: string): JsonObject {
  if (cursor.length > MAX_CURSOR_CHARS || !/^[\w-]+$/u.test(cursor)) throw invalid()
  const { c } = parsed(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (typeof c !== 'string') throw invalid()
  const sealed = Buffer.from(c, 'base64url')
  // Another encoding of the same bytes is rejected, too.
  if (sealed.length < NONCE_BYTES + TAG_BYTES || wrapped(sealed) !== cursor) throw invalid()
  const payload = parsed(unsealed(sealed, secret))
  if (payload.d !== digest) throw invalid()
  return payload
}

function unsealed(sealed: Buffer, secret: string): string {
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    throw invalid()
  }
}

function parsed(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // Any failure is reported below as an invalid cursor.
  }
  throw invalid()
}
