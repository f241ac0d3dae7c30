import { createHash } from 'node:crypto'

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** For ids that published formats define with SHA-1; not used for security. */
export const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
