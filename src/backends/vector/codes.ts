/**
 * 16 bits per component, which is exact enough for ranking: component i is `(256 * high[i] + low[i]) * scale`. The upper bytes are stored
 * together and form the 8-bit copy that scans read.
 */
export interface VectorCodes {
  readonly high: Int8Array
  readonly low: Int8Array
  readonly scale: number
}

const MAX_CODE = 127 * 256

export function toCodes(vector: Float32Array): VectorCodes {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const scale = largest / MAX_CODE || 1
  const high = new Int8Array(vector.length)
  const low = new Int8Array(vector.length)
  for (let i = 0; i < vector.length; i++) {
    const code = Math.round((vector[i] ?? 0) / scale)
    // The lower byte is -128 to 127, so rounding half down keeps it in range.
    const upper = Math.ceil(code / 256 - 0.5)
    high[i] = upper
    low[i] = Math.min(127, code - upper * 256)
  }
  return { high, low, scale }
}

export function fromCodes({ high, low, scale }: VectorCodes): Float32Array {
  const vector = new Float32Array(high.length)
  for (let i = 0; i < vector.length; i++) vector[i] = ((high[i] ?? 0) * 256 + (low[i] ?? 0)) * scale
  return vector
}

export const toBytes = ({ high, low }: VectorCodes): Uint8Array => {
  const bytes = new Uint8Array(high.length * 2)
  bytes.set(new Uint8Array(high.buffer), 0)
  bytes.set(new Uint8Array(low.buffer), high.length)
  return bytes
}

/** The inverse of `toBytes`. */
export const fromBytes = (bytes: Uint8Array, scale: number): VectorCodes => {
  const size = bytes.byteLength / 2
  return {
    high: new Int8Array(bytes.buffer, bytes.byteOffset, size),
    low: new Int8Array(bytes.buffer, bytes.byteOffset + size, size),
    scale,
  }
}
