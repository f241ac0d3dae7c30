/** From here on, the order of UTF-16 units differs from that of UTF-8 bytes. */
const NEEDS_BYTE_COMPARISON = /[\ud800-\uffff]/

/** Compares texts by their UTF-8 bytes, as databases do. */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0
  if (NEEDS_BYTE_COMPARISON.test(a) || NEEDS_BYTE_COMPARISON.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}
