import { createHash } from 'node:crypto'

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** For ids that others have made so before; nothing is kept secret or sealed by it. */
export const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
