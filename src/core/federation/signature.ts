import { createPublicKey, verify } from 'node:crypto'
import { sha256 } from '../encoding/hash.js'

/** The id of a node follows from its key, so that nobody can take another's. */
export const nodeIdOf = (publicKey: string): string => `mneme-${sha256(Buffer.from(publicKey, 'base64url')).slice(0, 32)}`

/** 32 bytes as they travel. */
export const isPublicKey = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/u.test(text)

/** Whether the holder of a key signed exactly this text. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
