import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Pipe } from '../../contracts/operation.js'
import { printable, printableJson } from '../printable.js'

/** The streams of one run, replaceable in tests. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly outputIsTerminal: boolean
  readonly errorIsTerminal: boolean
  /** Columns per line; `DEFAULT_WIDTH` by default. */
  readonly width?: number
  /** Whether text may be coloured. */
  readonly colours?: boolean
  /** Aborts when the user interrupts; by default on signals of this process. */
  readonly interrupted?: AbortSignal
  out(text: string): void | Promise<void>
  err(text: string): void
}

export const DEFAULT_WIDTH = 100

/** The same streams, escaping untrusted text. */
export const escapeOutput = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (text) => terminal.out(printable(text)),
  err: (text) => terminal.err(printable(text)),
})

const FIRST_BYTE_MS = 1000

/** Reads stdin to its end. */
export async function readAll(terminal: Terminal): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of terminal.input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads piped input that no argument announced: an open pipe without data must not block the command. */
export async function readPiped(terminal: Terminal): Promise<string | undefined> {
  if (!(await hasInput(terminal))) return undefined
  const text = await readAll(terminal)
  return text.trim() === '' ? undefined : text
}

/** True if input is piped in. A silent pipe is closed. */
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

/** A progress line that is rewritten in place; silent unless at a terminal. */
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

/** Standard input as lines and raw standard output, for operations that stream data. */
export function pipeOf(terminal: Terminal): Pipe & { written(): boolean } {
  let written = false
  return {
    async write(text) {
      written = true
      await terminal.out(terminal.outputIsTerminal ? printableJson(text) : text)
    },
    hasInput: () => hasInput(terminal),
    ask: (question) => ask(terminal, question),
    lines: () => createInterface({ input: terminal.input, crlfDelay: Number.POSITIVE_INFINITY }),
    written: () => written,
  }
}

/** Asks for confirmation at a terminal; scripts are not asked. */
export async function confirms(terminal: Terminal, question: string): Promise<boolean> {
  const answer = await ask(terminal, `${printable(question)} [y/N] `)
  return answer === undefined || /^y(?:es)?$/i.test(answer.trim())
}

/** The line that a person types at a terminal; undefined for scripts. */
async function ask(terminal: Terminal, question: string): Promise<string | undefined> {
  if (terminal.input.isTTY !== true || !terminal.outputIsTerminal) return undefined
  terminal.err(question)
  const lines = createInterface({ input: terminal.input, crlfDelay: Number.POSITIVE_INFINITY })
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  return answer
}
