import { randomBytes } from 'node:crypto'

/**
 * Node 22 reads a text only up to its first NUL, though it stores all of it. There, statements are wrapped so that such a text
 * comes as bytes behind a mark, and is made a text again here. Texts without one, which are nearly all, come as they are.
 */
const MARK = randomBytes(16)

const decoder = new TextDecoder()

/** A statement whose result can be wrapped: others answer no texts that someone wrote. */
const WRAPPED = /^\s*(?:SELECT|WITH)\b/i

export interface Column {
  readonly name: string
  /** As declared; null for what is computed. */
  readonly type: string | null
}

/** The statement that answers the same rows with whole texts, or undefined where none can be cut. */
export function wholeTexts(statement: string, columns: readonly Column[]): string | undefined {
  if (!WRAPPED.test(statement) || !columns.some(mayBeText)) return undefined
  const names = columns.map((_, at) => `c${at}`)
  const mark = `x'${MARK.toString('hex')}'`
  const values = columns.map((column, at) =>
    mayBeText(column)
      ? `iif(typeof(c${at}) = 'text' AND instr(c${at}, char(0)), CAST(${mark} || CAST(c${at} AS BLOB) AS BLOB), c${at})`
      : `c${at}`,
  )
  return `WITH whole(${names.join(', ')}) AS (${statement}) SELECT ${values.join(', ')} FROM whole`
}

const mayBeText = ({ type }: Column): boolean => type === null || !/INT|REAL|BLOB/i.test(type)

/** The text that the wrapped statement answered as bytes; any other value as it is. */
export function unmarked(value: unknown): unknown {
  if (!(value instanceof Uint8Array) || value.byteLength < MARK.length) return value
  for (let i = 0; i < MARK.length; i++) if (value[i] !== MARK[i]) return value
  return decoder.decode(value.subarray(MARK.length))
}
