import { randomBytes } from 'node:crypto'

/**
 * Node 22 reads a text up to its first NUL only, although the complete text is stored. Statements are wrapped there so that such a text
 * arrives as bytes after a mark, and is decoded here. Texts without NUL arrive as they are.
 */
const WRAPPED_MARK = randomBytes(16)

const decoder = new TextDecoder()

/** Statements whose results are wrapped; others return no user texts. */
const IS_QUERY = /^\s*(?:SELECT|WITH)\b/i

export interface Column {
  readonly name: string
  /** The declared type; null for computed columns. */
  readonly type: string | null
}

/** The statement that returns complete texts, or undefined if none can be truncated. */
export function wholeTexts(statement: string, columns: readonly Column[]): string | undefined {
  if (!IS_QUERY.test(statement) || !columns.some(mayBeText)) return undefined
  const names = columns.map((_, index) => `c${index}`)
  const mark = `x'${WRAPPED_MARK.toString('hex')}'`
  const values = columns.map((column, index) =>
    mayBeText(column)
      ? `iif(typeof(c${index}) = 'text' AND instr(c${index}, char(0)), CAST(${mark} || CAST(c${index} AS BLOB) AS BLOB), c${index})`
      : `c${index}`,
  )
  return `WITH whole(${names.join(', ')}) AS (${statement}) SELECT ${values.join(', ')} FROM whole`
}

const mayBeText = ({ type }: Column): boolean => type === null || !/INT|REAL|BLOB/i.test(type)

/** Decodes a text that arrived as bytes; other values are returned as they are. */
export function unmarked(value: unknown): unknown {
  if (!(value instanceof Uint8Array) || value.byteLength < WRAPPED_MARK.length) return value
  for (let i = 0; i < WRAPPED_MARK.length; i++) if (value[i] !== WRAPPED_MARK[i]) return value
  return decoder.decode(value.subarray(WRAPPED_MARK.length))
}
