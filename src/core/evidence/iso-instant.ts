import type { Instant } from '../facts/fact.js'

/** ISO 8601 with an explicit offset, as evidence stores instants. */
export const isoInstant = (at: Instant): string => {
  const micros = at % 1e6
  return `${new Date((at - micros) / 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}+00:00`
}
