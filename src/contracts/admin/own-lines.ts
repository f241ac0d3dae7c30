import { open } from 'node:fs/promises'
import { MemoryError } from '../../errors.js'

/** Opened immediately, so that the error of an unreadable file names it. Also reads pipes and devices. */
export async function readLines(path: string): Promise<AsyncIterable<string>> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if ((await handle.stat()).isDirectory()) {
    await handle.close()
    throw new MemoryError('invalid_input', `${path} is a folder.`, { hint: EXPORTED_FILE_HINT })
  }
  return handle.readLines({ encoding: 'utf8' })
}

const EXPORTED_FILE_HINT = 'Give the path of a file that `mneme export` wrote.'

function unreadable(path: string, cause: unknown): MemoryError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new MemoryError('not_found', `There is no file ${path}.`, { hint: EXPORTED_FILE_HINT, cause })
  return new MemoryError('storage', `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
    hint: 'Give yourself the right to read it (`chmod u+r`), or pipe it in: `mneme import < file`.',
    cause,
  })
}
