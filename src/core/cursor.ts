import { createHmac, timingSafeEqual } from 'node:crypto'
import { sha256 } from './hash.js'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from './json.js'
import { refusal } from './refusal.js'

const SIGNATURE_BYTES = 16
const LONGEST = 8192

const sign = (body: string, key: string): Buffer => createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE_BYTES)

/** Stands for a question and who asked it: a cursor goes on with that question alone. */
export const digestOf = (question: Json): string => sha256(canonicalJson(question)).slice(0, 32)

const invalid = (): Error =>
  refusal(
    'invalid_cursor',
    'Invalid cursor: it does not belong to this question',
    'Begin again without a cursor, with the same parameters.',
  )

/** Opaque to clients: what it says is signed, and of no use with other parameters. */
export function sealCursor(said: JsonObject, key: string): string {
  const body = canonicalJson(said)
  return Buffer.from(canonicalJson({ b: body, s: sign(body, key).toString('hex') })).toString('base64url')
}

export function openCursor(cursor: string, key: string, digest: string): JsonObject {
  if (cursor.length > LONGEST || !/^[\w-]+$/u.test(cursor)) throw invalid()
  const outer = parsed(Buffer.from(cursor, 'base64url').toString('utf8'))
  const { b: body, s: signature } = outer
  if (typeof body !== 'string' || typeof signature !== 'string') throw invalid()
  const given = Buffer.from(signature, 'hex')
  const made = sign(body, key)
  if (given.length !== made.length || !timingSafeEqual(given, made)) throw invalid()
  // A second way to write the same bytes is a changed cursor, too.
  if (sealCursor(parsed(body), key) !== cursor) throw invalid()
  const said = parsed(body)
  if (said.d !== digest) throw invalid()
  return said
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
