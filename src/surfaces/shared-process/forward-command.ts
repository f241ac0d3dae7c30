import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { CHUNK_CHARS, encodeFrame, readFrames } from './frames.js'

/** The streams of the forwarding process. */
interface ForwardIo {
  readonly input: Readable & { readonly isTTY?: boolean }
  out(text: string): void
  err(text: string): void
  /** Calls back when the user interrupts. */
  onInterrupt(interrupt: () => void): void
}

/**
 * `done`: completed. `refused`: not started. `repeat`: interrupted and safe to repeat with the input already read. `unknown`: interrupted
 * with unknown outcome.
 */
type ForwardOutcome =
  | { readonly outcome: 'done'; readonly code: number }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'repeat'; readonly input: Readable & { readonly isTTY?: boolean } }
  | { readonly outcome: 'unknown' }

/** Runs a command in the shared process, on the streams of this one. */
export function forwardCommand(socket: Socket, io: ForwardIo): Promise<ForwardOutcome> {
  const { input } = io
  const read: Buffer[] = []
  let begun: unknown
  let out = ''
  let hasRead = false
  let ended = false

  return new Promise((resolve) => {
    const end = (forwarded: ForwardOutcome): void => {
      socket.off('close', cut)
      socket.destroy()
      input.off('data', pass)
      input.off('end', finish)
      resolve(forwarded)
    }
    const pass = (chunk: Buffer): void => {
      read.push(chunk)
      const text = chunk.toString('base64')
      for (let at = 0; at < text.length; at += CHUNK_CHARS) socket.write(encodeFrame({ in: text.slice(at, at + CHUNK_CHARS) }))
      if (socket.writableNeedDrain) {
        input.pause()
        socket.once('drain', () => input.resume())
      }
    }
    const finish = (): void => {
      ended = true
      socket.write(encodeFrame({ in: null }))
    }
    const cut = (): void => {
      // A call that has not started, only reads, or has an idempotency key can be repeated.
      if (begun === 'unsafe') end({ outcome: 'unknown' })
      else end({ outcome: 'repeat', input: hasRead ? rejoin(read, ended ? undefined : input) : input })
    }
    readFrames(
      socket,
      (frame) => {
        if (typeof frame.out === 'string') out += frame.out
        if (typeof frame.err === 'string') io.err(frame.err)
        if (frame.begun !== undefined) begun = frame.begun
        if (frame.read === true && !hasRead) {
          hasRead = true
          input.on('data', pass)
          input.once('end', finish)
        }
        if (frame.refuse !== undefined) end({ outcome: 'refused' })
        if (typeof frame.exit !== 'number') return
        // Output is held back until the call completes, because a repeated call must not print twice.
        if (out !== '') io.out(out)
        end({ outcome: 'done', code: frame.exit })
      },
      cut,
    )
    socket.once('close', cut)
    io.onInterrupt(() => socket.write(encodeFrame({ cancel: true })))
    socket.resume()
    socket.write(encodeFrame({ go: true }))
  })
}

/** Input already read, followed by the rest of it. */
function rejoin(read: readonly Buffer[], rest: Readable | undefined): Readable & { readonly isTTY?: boolean } {
  const chunks = async function* (): AsyncGenerator<Buffer> {
    yield* read
    if (rest !== undefined) for await (const chunk of rest) yield Buffer.from(chunk)
  }
  return Object.assign(Readable.from(chunks()), { isTTY: false })
}
