/** A vector with one byte per component, stored with a passage: component i is about `codes[i] * scale`. */
interface RoughCodes {
  readonly codes: Int8Array
  readonly scale: number
}

const SCALE_BYTES = 4

export function packRough(vector: Float32Array): Uint8Array {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const scale = largest / 127
  const bytes = new Uint8Array(SCALE_BYTES + vector.length)
  new DataView(bytes.buffer).setFloat32(0, scale, true)
  if (scale > 0) for (let i = 0; i < vector.length; i++) bytes[SCALE_BYTES + i] = Math.round((vector[i] ?? 0) / scale) & 0xff
  return bytes
}

export function unpackRough(bytes: Uint8Array): RoughCodes {
  return {
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, bytes.byteLength - SCALE_BYTES),
    scale: new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true),
  }
}
