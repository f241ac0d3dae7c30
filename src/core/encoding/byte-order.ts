/** Code units from here on do not stand in the order of their bytes. */
const BEYOND = /[\ud800-\uffff]/

/** The order of texts by their bytes, as every database keeps them; negative where the first comes first. */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0
  if (BEYOND.test(a) || BEYOND.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}
