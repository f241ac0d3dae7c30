import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Pipe } from '../../contracts/operation.js'
import { printable, printableJson } from '../printable.js'

/** The streams of one run, so that a test can stand in for a person. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly outputIsTerminal: boolean
  readonly errorIsTerminal: boolean
  /** Columns of a line of text; `DEFAULT_WIDTH` unless given. */
  readonly width?: number
  /** Whether text may be coloured. */
  readonly colours?: boolean
  /** Fires when the person asks for an end; the signals of this process unless given. */
  readonly interrupted?: AbortSignal
  out(text: string): void | Promise<void>
  err(text: string): void
}

export const DEFAULT_WIDTH = 100

/** The same streams for text that holds what others wrote. */
export const escapeOutput = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (text) => terminal.out(printable(text)),
  err: (text) => terminal.err(printable(text)),
})

const FIRST_BYTE_MS = 1000

/** All of stdin, however long it takes. */
export async function readAll(terminal: Terminal): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of terminal.input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** What was piped in without being announced: a parent that leaves an empty pipe open must not hang the command. */
export async function readPiped(terminal: Terminal): Promise<string | undefined> {
  if (!(await hasInput(terminal))) return undefined
  const text = await readAll(terminal)
  return text.trim() === '' ? undefined : text
}

/** Whether anything is piped in. A pipe that stays silent is closed. */
async function hasInput({ input }: Terminal): Promise<boolean> {
  if (input.isTTY) return false
  const ready = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), FIRST_BYTE_MS)
    for (const event of ['readable', 'end', 'error']) {
      input.once(event, () => {
        clearTimeout(timer)
        resolve(event !== 'error')
      })
    }
  })
  if (!ready) input.destroy()
  return ready && input.readableLength > 0
}

/** One line that is rewritten in place; silent unless a person is watching. */
export function progressLine(terminal: Terminal): { show(done: number, total: number | null, message: string): void; clear(): void } {
  let shown = false
  return {
    show(done, total, message) {
      if (!terminal.errorIsTerminal) return
      shown = true
      terminal.err(`\r\u001b[2K${total === null ? `${done}` : `${done}/${total}`} ${printable(message)}`)
    },
    clear() {
      if (shown) terminal.err('\r\u001b[2K')
    },
  }
}

/** Standard input by lines and standard output as it is, for operations that move more than an answer. */
export function pipeOf(terminal: Terminal): Pipe & { written(): boolean } {
  let written = false
  return {
    async write(text) {
      written = true
      await terminal.out(terminal.outputIsTerminal ? printableJson(text) : text)
    },
    hasInput: () => hasInput(terminal),
    lines: () => createInterface({ input: terminal.input, crlfDelay: Number.POSITIVE_INFINITY }),
    written: () => written,
  }
}

/** Asks a person who is at the terminal; a script that is not is taken at its word. */
export async function confirms(terminal: Terminal, question: string): Promise<boolean> {
  if (terminal.input.isTTY !== true || !terminal.outputIsTerminal) return true
  terminal.err(`${printable(question)} [y/N] `)
  const lines = createInterface({ input: terminal.input, crlfDelay: Number.POSITIVE_INFINITY })
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  return /^y(?:es)?$/i.test(answer.trim())
}
