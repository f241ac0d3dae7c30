import { createPublicKey, verify } from 'node:crypto'
import { sha256 } from '../encoding/hash.js'

/** The id of a node is derived from its key, so it cannot be forged. */
export const nodeIdOf = (publicKey: string): string => `mneme-${sha256(Buffer.from(publicKey, 'base64url')).slice(0, 32)}`

/** 32 bytes in base64url. */
export const isPublicKey = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/u.test(text)

/** True if the holder of the key signed this text. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
