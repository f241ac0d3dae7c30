import { constants, createInflate } from 'node:zlib'

/** Text of thousands of pages is less; what is more is a bomb. */
export const MAX_INFLATED_BYTES = 64 * 1024 * 1024
/** A stream within a stream, as the filters of one object allow it. */
const MAX_LAYERS = 4
const STREAM_KEYWORD = Buffer.from('stream')
const ENDSTREAM_KEYWORD = Buffer.from('endstream')
const CHUNK_BYTES = 64 * 1024
/** Maximum output of one LZW code, and of one run length. */
const MAX_LZW_RATIO = 2000
const MAX_RUN_RATIO = 64

/** Whether the streams of a PDF hold more than `most` bytes once they are decompressed. Nothing of them is kept. */
export async function inflatesBeyond(pdf: Buffer, most = MAX_INFLATED_BYTES): Promise<boolean> {
  let left = most
  for (const { from, to, filters } of streamsOf(pdf)) {
    const raw = pdf.subarray(from, to)
    if (filters.includes('/LZWDecode') || filters.includes('/LZW')) left -= Math.min(raw.length, most / MAX_LZW_RATIO + 1) * MAX_LZW_RATIO
    else if (filters.includes('/RunLengthDecode') || filters.includes('/RL')) left -= raw.length * MAX_RUN_RATIO
    else left -= await inflatedSize(raw, left)
    if (left < 0) return true
  }
  return false
}

interface PdfStream {
  readonly from: number
  readonly to: number
  /** The text of the dictionary in front of the stream. */
  readonly filters: string
}

const MAX_DICTIONARY_BYTES = 2048

function* streamsOf(pdf: Buffer): Generator<PdfStream> {
  for (let at = pdf.indexOf(STREAM_KEYWORD); at >= 0; ) {
    const begin = at + STREAM_KEYWORD.length
    const from = pdf[begin] === 13 ? begin + (pdf[begin + 1] === 10 ? 2 : 1) : pdf[begin] === 10 ? begin + 1 : begin
    const end = pdf.indexOf(ENDSTREAM_KEYWORD, from)
    const to = end < 0 ? pdf.length : end
    const head = pdf.subarray(Math.max(0, at - MAX_DICTIONARY_BYTES), at).toString('latin1')
    yield { from, to, filters: head.slice(Math.max(0, head.lastIndexOf('obj'))) }
    at = end < 0 ? -1 : pdf.indexOf(STREAM_KEYWORD, end + ENDSTREAM_KEYWORD.length)
  }
}

/** Bytes that a stream inflates to, over all layers; stops beyond `most`. What is not compressed counts nothing. */
async function inflatedSize(raw: Buffer, most: number): Promise<number> {
  let total = 0
  let data = raw
  for (let layer = 0; layer < MAX_LAYERS && isDeflated(data); layer++) {
    const { size, head } = await inflate(data, most - total)
    total += size
    if (total > most) return total
    data = head
  }
  return total
}

/** By the two bytes that begin it. */
const isDeflated = (data: Buffer): boolean =>
  data.length > 2 && ((data[0] ?? 0) & 15) === 8 && (((data[0] ?? 0) << 8) | (data[1] ?? 0)) % 31 === 0

/** How much comes out, and its beginning, up to which a further layer is looked at. */
function inflate(data: Buffer, most: number): Promise<{ readonly size: number; readonly head: Buffer }> {
  return new Promise((resolve) => {
    const stream = createInflate({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
    const kept: Buffer[] = []
    let size = 0
    const finish = (): void => {
      stream.destroy()
      resolve({ size, head: Buffer.concat(kept) })
    }
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (isDeflated(kept[0] ?? chunk)) kept.push(chunk)
      else if (kept.length === 0) kept.push(chunk.subarray(0, 2))
      if (size > most) finish()
    })
    // What is broken in it ends there for every reader.
    stream.once('end', finish).once('error', finish)
    stream.end(data)
  })
}
