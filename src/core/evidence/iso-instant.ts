import type { Instant } from '../facts/fact.js'

/** ISO 8601 with an explicit offset, as evidence stores instants. */
export const isoInstant = (now: Instant): string => {
  const micros = now % 1e6
  return `${new Date((now - micros) / 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}+00:00`
}
