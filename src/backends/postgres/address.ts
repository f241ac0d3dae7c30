import { MemoryError } from '../../errors.js'

/** A URL without its password, for messages. */
export function shownAddress(url: string): string {
  const bare = url.replace(/\?.*$/s, '')
  return bare.replace(/\/\/([^:@/]*):[^@/]*@/, '//$1:***@')
}

export interface Address {
  readonly connectionString: string
  /** Schema of the tables; by default the first one in the user's search path. */
  readonly schema: string | undefined
}

/** Removes mneme's own parameter `schema` from a URL; the rest is passed to the driver. */
export function readAddress(url: string): Address {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch (cause) {
    throw new MemoryError('invalid_input', `"${shownAddress(url)}" is not a database URL.`, {
      hint: 'Write postgres://user:password@host:5432/database; characters such as @ or / in a password are percent-encoded.',
      cause,
    })
  }
  const schema = parsed.searchParams.get('schema') ?? undefined
  parsed.searchParams.delete('schema')
  if (schema !== undefined && !/^[a-z_][a-z0-9_]*$/.test(schema))
    throw new MemoryError('invalid_input', `Invalid schema in the database URL: "${schema}".`, {
      hint: 'Use small letters, digits and underscores.',
    })
  return { connectionString: parsed.toString(), schema }
}
