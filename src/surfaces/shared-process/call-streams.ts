import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Terminal } from '../cli/terminal.js'
import type { SharedCall } from './client-call.js'
import { CHUNK_CHARS, encodeFrame, type Frame, readFrames } from './frames.js'

/** Limit of unread output; beyond it, the call waits. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024

interface CallStreams {
  readonly terminal: Terminal
  /** Announces the effect of the call, in case it is interrupted. */
  begin(effect: 'read' | 'keyed' | 'unsafe'): void
  refuse(): void
  exit(code: number): void
  /** From here on, the connection carries raw bytes. */
  detach(): void
}

/** The streams of a command that runs here for a client. */
export function openCallStreams({ socket, ...call }: SharedCall): CallStreams {
  const interruption = new AbortController()
  const send = (frame: Frame): void => void (socket.destroyed || socket.write(encodeFrame(frame)))
  const input = Object.assign(
    new Readable({
      // Sent only when something reads, because the client may be at a terminal.
      read: () => send({ read: true }),
    }),
    { isTTY: call.inputIsTerminal },
  )
  const write = async (name: 'out' | 'err', text: string): Promise<void> => {
    for (let at = 0; at < text.length; at += CHUNK_CHARS) {
      send({ [name]: text.slice(at, at + CHUNK_CHARS) })
      if (socket.writableLength > MAX_UNSENT_BYTES) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
  }
  const reader = readFrames(
    socket,
    (frame) => {
      if (frame.cancel === true) interruption.abort()
      if (frame.in === null) input.push(null)
      else if (typeof frame.in === 'string') input.push(Buffer.from(frame.in, 'base64'))
    },
    () => socket.destroy(),
  )
  socket.once('close', () => {
    interruption.abort()
    input.destroy()
  })
  input.on('error', () => undefined)
  socket.resume()
  return {
    terminal: {
      input,
      outputIsTerminal: call.outputIsTerminal,
      errorIsTerminal: call.errorIsTerminal,
      ...(call.width === undefined ? {} : { width: call.width }),
      colours: call.colours,
      interrupted: interruption.signal,
      out: (text) => write('out', text),
      err: (text) => void write('err', text),
    },
    begin: (effect) => send({ begun: effect }),
    refuse: () => void socket.end(encodeFrame({ refuse: true })),
    exit: (code) => void socket.end(encodeFrame({ exit: code })),
    detach: reader.detach,
  }
}
