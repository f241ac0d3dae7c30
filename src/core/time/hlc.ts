import type { Instant } from '../facts/fact.js'

/** Physical and logical time as a sortable text: milliseconds, and the order within them. */
export const toHlc = (now: number): string => `${String(Math.floor(now / 1000)).padStart(13, '0')}.${String(now % 1000).padStart(3, '0')}`

const FORM = /^(\d{13})\.(\d{3})$/u

/** The instant in such a text; undefined if it is invalid. */
export function fromHlc(text: string): Instant | undefined {
  const match = FORM.exec(text)
  return match === null ? undefined : Number(match[1]) * 1000 + Number(match[2])
}
