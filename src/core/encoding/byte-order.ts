/** From here on, the order of UTF-16 units differs from that of UTF-8 bytes. */
const BEYOND = /[\ud800-\uffff]/

/** Compares texts by their UTF-8 bytes, as databases do. */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0
  if (BEYOND.test(a) || BEYOND.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}
