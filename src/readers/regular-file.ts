import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const CHUNK = 16_384

/**
 * The bytes of an ordinary file; null when there is none to read. A pipe, a socket or a device of that name is no file:
 * opening it must not wait and reading it must end, so that what it is is asked before and its size is never trusted.
 */
export async function readRegularFile(
  path: string,
  options: { readonly maxBytes: number; readonly followLinks: boolean },
): Promise<Buffer | 'too_large' | null> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  try {
    const file = await open(path, O_RDONLY | O_NONBLOCK | (options.followLinks ? 0 : O_NOFOLLOW))
    try {
      if (!(await file.stat()).isFile()) return null
      const chunks: Buffer[] = []
      for (let at = 0; at <= options.maxBytes; ) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at)
        if (bytesRead === 0) return Buffer.concat(chunks)
        chunks.push(buffer.subarray(0, bytesRead))
        at += bytesRead
      }
      return 'too_large'
    } finally {
      await file.close()
    }
  } catch (failure) {
    // Missing, a folder or a link of that name, or not ours to read.
    if (failure instanceof Error && 'code' in failure) return null
    throw failure
  }
}
