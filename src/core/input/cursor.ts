import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { sha256 } from '../encoding/hash.js'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../encoding/json.js'
import { refusal } from './refusal.js'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Lengths come in steps of this, so that a length tells nothing of a place. */
const STEP_BYTES = 64
const MAX_CURSOR_CHARS = 32_768

const keyOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Stands for a question and who asked it: a cursor goes on with that question alone. */
export const digestOf = (question: Json): string => sha256(canonicalJson(question)).slice(0, 32)

const invalid = (): Error =>
  refusal(
    'invalid_cursor',
    'Invalid cursor: it does not belong to this question',
    'Begin again without a cursor, with the same parameters.',
  )

/**
 * Opaque to clients, and of no use with other parameters. A place is numbered among all facts, also those that whoever asks
 * may not see, so it is not only signed: nobody can read it.
 */
export function sealCursor(said: JsonObject, secret: string): string {
  const plain = Buffer.from(canonicalJson(said))
  const padded = Buffer.alloc(Math.ceil(plain.length / STEP_BYTES) * STEP_BYTES, ' ')
  plain.copy(padded)
  // Made from what is said: the same place is the same cursor, and no two places share a nonce.
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
  // A second way to write the same bytes is a changed cursor, too.
  if (sealed.length < NONCE_BYTES + TAG_BYTES || wrapped(sealed) !== cursor) throw invalid()
  const said = parsed(unsealed(sealed, secret))
  if (said.d !== digest) throw invalid()
  return said
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
    // Said below: whatever is wrong with it, it is none of ours.
  }
  throw invalid()
}
