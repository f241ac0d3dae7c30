type Scalar = string | number | bigint | null | Uint8Array

const LOW_PRIME = 0x01000193
const HIGH_PRIME = 0x85ebca6b

/**
 * A 53-bit checksum over a list of values. Each of two lanes maps states one to one for every input, so a single changed character is
 * always detected. It detects damage, not tampering. `without` is the index of a value to skip.
 */
export function checksum(values: readonly Scalar[], without = -1): number {
  let low = 0x811c9dc5
  let high = 0x2545f491
  for (let place = 0; place < values.length; place++) {
    if (place === without) continue
    const value = values[place] ?? null
    if (value instanceof Uint8Array) {
      low = Math.imul(low ^ 2 ^ (value.length << 8), LOW_PRIME)
      high = Math.imul(high ^ 2 ^ (value.length << 8), HIGH_PRIME)
      for (const byte of value) {
        low = Math.imul(low ^ byte, LOW_PRIME)
        high = Math.imul(high ^ byte, HIGH_PRIME)
        high ^= high >>> 15
      }
      continue
    }
    const text = value === null ? '' : typeof value === 'string' ? value : String(value)
    const kind = value === null ? 0 : typeof value === 'string' ? 1 : 3
    low = Math.imul(low ^ kind ^ (text.length << 8), LOW_PRIME)
    high = Math.imul(high ^ kind ^ (text.length << 8), HIGH_PRIME)
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      low = Math.imul(low ^ unit, LOW_PRIME)
      high = Math.imul(high ^ unit, HIGH_PRIME)
      high ^= high >>> 15
    }
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
