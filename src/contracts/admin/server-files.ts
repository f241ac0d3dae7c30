import { MemoryError } from '../../errors.js'
import type { Call } from '../operation.js'

/**
 * Requires a caller at the machine for a path. A key opens memories of its owners, while a path opens any file that the server
 * can read or write. Files that the caller uploaded are its own.
 */
export function checkServerFile({ context, uploaded }: Call, path: string): void {
  if (context.principal.proof === 'none' || uploaded?.has(path) === true) return
  throw new MemoryError('forbidden', 'A key may not name files of the server.', {
    hint: 'Upload the file, download the result, or run the command on the machine of the server.',
  })
}
