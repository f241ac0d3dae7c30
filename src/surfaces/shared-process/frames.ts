import type { Socket } from 'node:net'

/** Fits a command line with its environment; bounds what a peer can make this process buffer. */
const MAX_FRAME_BYTES = 1024 * 1024
/** Texts are split into frames of this size. */
export const CHUNK_CHARS = 64 * 1024
const NEWLINE = 0x0a

export type Frame = Readonly<Record<string, unknown>>

export const encodeFrame = (frame: Frame): string => `${JSON.stringify(frame)}\n`

interface FrameReader {
  /** Stops reading frames and returns the bytes received since; the rest of the connection is raw. */
  detach(): void
}

/** Reads JSON objects, one per line. An invalid or oversized line is reported once and ends the reading. */
export function readFrames(socket: Socket, receive: (frame: Frame) => void, refuse: () => void): FrameReader {
  let held: Buffer = Buffer.alloc(0)
  let isOver = false
  const end = (): void => {
    isOver = true
    socket.off('data', take)
  }
  function take(chunk: Buffer): void {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (let at = held.indexOf(NEWLINE); at >= 0 && !isOver; at = held.indexOf(NEWLINE)) {
      const frame = at > MAX_FRAME_BYTES ? undefined : parseFrame(held.subarray(0, at))
      held = held.subarray(at + 1)
      if (frame === undefined) {
        end()
        refuse()
      } else receive(frame)
    }
    if (isOver || held.length <= MAX_FRAME_BYTES) return
    end()
    refuse()
  }
  socket.on('data', take)
  return {
    detach() {
      end()
      socket.pause()
      if (held.length > 0) socket.unshift(held)
      held = Buffer.alloc(0)
    },
  }
}

function parseFrame(line: Buffer): Frame | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
