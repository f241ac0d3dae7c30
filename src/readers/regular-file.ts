import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const CHUNK_BYTES = 16_384

/**
 * The bytes of a regular file; null if there is none. Pipes, sockets and devices are excluded before opening, which must not block, and the
 * reported size is not trusted.
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
      for (let index = 0; index <= options.maxBytes; ) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, index)
        if (bytesRead === 0) return Buffer.concat(chunks)
        chunks.push(buffer.subarray(0, bytesRead))
        index += bytesRead
      }
      return 'too_large'
    } finally {
      await file.close()
    }
  } catch (failure) {
    // Absent, a folder or link, or unreadable.
    if (failure instanceof Error && 'code' in failure) return null
    throw failure
  }
}
