import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { knownHint } from '../errors/known-names.js'
import { MemoryError } from '../errors.js'

/** The settings in the file; none without a file. Unknown keys are rejected, because a misspelt one would have no effect. */
export function readConfigFile(path: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  const content = readOptional(path)
  if (content === undefined) return {}
  let value: unknown
  try {
    // Editors on Windows write a byte order mark, which JSON does not allow.
    value = JSON.parse(content.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new MemoryError('invalid_input', `The config file ${path} is not valid JSON.`, { hint: 'Correct the file or remove it.', cause })
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value)
  if (!parsed.success)
    throw new MemoryError('invalid_input', `The config file ${path} must hold one JSON object.`, { hint: 'Correct the file or remove it.' })
  for (const key of Object.keys(parsed.data)) {
    if (key === 'dataDir')
      throw new MemoryError('invalid_input', `The config file ${path} cannot move the data directory it lies in.`, {
        hint: 'Use --data-dir or MNEME_DATA_DIR.',
      })
    if (known.includes(key)) continue
    throw new MemoryError('invalid_input', `Unknown key "${key}" in the config file ${path}.`, { hint: knownHint(key, known) })
  }
  return parsed.data
}

/** The path does not exist; a missing folder is reported where it is needed. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (typeof code === 'string' && NOT_THERE.has(code)) return undefined
    throw new MemoryError('unavailable', `The config file ${path} cannot be read (${String(code)}).`, {
      hint: code === 'EISDIR' ? 'It is a folder: move it away.' : 'Check its permissions, and those of the folders above it.',
      cause,
    })
  }
}
