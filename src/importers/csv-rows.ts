import { toUtf8 } from './text-lines.js'

interface CsvRow {
  readonly cells: readonly string[]
  /** Line on which the row begins. */
  readonly line: number
  readonly problem?: string
}

const MAX_ROW_CHARS = 16 * 1024 * 1024
const MAX_CELLS = 1000
const SEPARATORS = [',', ';', '\t'] as const

/** Rows of a table separated by commas, semicolons or tabs, as the first line has it. Quoted cells may hold line ends. */
export async function* csvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const decoder = new TextDecoder()
  const parser = new CsvParser()
  for await (const chunk of toUtf8(chunks)) yield* parser.feed(decoder.decode(chunk, { stream: true }))
  yield* parser.feed(decoder.decode())
  yield* parser.end()
}

class CsvParser {
  #separator: string | undefined
  #before = ''
  #cells: string[] = []
  #cell = ''
  #chars = 0
  #quoted = false
  #wasQuote = false
  #line = 1
  #begins = 1;

  *feed(chunk: string): Generator<CsvRow> {
    let text = chunk
    if (this.#separator === undefined) {
      this.#before += text
      if (!this.#before.includes('\n') && this.#before.length < MAX_ROW_CHARS) return
      text = this.#begin()
    }
    for (const char of text) yield* this.#take(char)
  }

  *end(): Generator<CsvRow> {
    if (this.#separator === undefined) for (const char of this.#begin()) yield* this.#take(char)
    if (this.#quoted && !this.#wasQuote) yield { cells: [], line: this.#begins, problem: 'a quoted cell is not closed' }
    else if (this.#cells.length > 0 || this.#cell !== '') yield* this.#row()
  }

  #begin(): string {
    const first = this.#before.split('\n', 1)[0] ?? ''
    const count = (separator: string): number => first.split(separator).length
    this.#separator = [...SEPARATORS].sort((a, b) => count(b) - count(a))[0] ?? ','
    const text = this.#before
    this.#before = ''
    return text
  }

  *#take(char: string): Generator<CsvRow> {
    if (char === '\n') this.#line++
    if (++this.#chars > MAX_ROW_CHARS) this.#cell = ''
    if (this.#quoted) {
      if (this.#wasQuote) {
        this.#wasQuote = false
        if (char === '"') {
          this.#cell += char
          return
        }
        this.#quoted = false
      } else {
        if (char === '"') this.#wasQuote = true
        else this.#cell += char
        return
      }
    }
    if (char === '"' && this.#cell === '') this.#quoted = true
    else if (char === this.#separator) this.#close()
    else if (char === '\n') yield* this.#row()
    else if (char !== '\r') this.#cell += char
  }

  #close(): void {
    if (this.#cells.length < MAX_CELLS) this.#cells.push(this.#cell)
    this.#cell = ''
  }

  *#row(): Generator<CsvRow> {
    this.#close()
    const row = { cells: this.#cells, line: this.#begins }
    const tooLong = this.#chars > MAX_ROW_CHARS
    this.#cells = []
    this.#chars = 0
    this.#quoted = false
    this.#wasQuote = false
    this.#begins = this.#line
    yield tooLong ? { ...row, cells: [], problem: 'a row is too long' } : row
  }
}
