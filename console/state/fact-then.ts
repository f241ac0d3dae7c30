import type { FactAnswer } from '../../src/contracts/console/fact.js'
import { dayOf } from './words.js'

interface FactThen {
  readonly text: string
  readonly life: string
  /** What differs from now, as a sentence. */
  readonly note: string
}

/** A fact as it was at an instant: its text of that day, and whether it held. */
export function factThen({ fact, versions }: Pick<FactAnswer, 'fact' | 'versions'>, at: string): FactThen {
  const then = Date.parse(at)
  const isAfter = (instant: string): boolean => Date.parse(instant) > then
  // Newest first; an entry without a text changed other fields, or is no longer kept.
  const text = versions.find((entry) => entry.text !== null && !isAfter(entry.at))?.text ?? fact.text
  const changed = text === fact.text ? '' : ' Its text was changed since.'
  if (isAfter(fact.valid_from)) return { text, life: 'candidate', note: `It did not hold yet: it holds since ${dayOf(fact.valid_from)}.` }
  if (fact.valid_until !== null && !isAfter(fact.valid_until))
    return {
      text,
      life: fact.life === 'superseded' ? 'superseded' : 'ended',
      note: `It had ended on ${dayOf(fact.valid_until)}.${changed}`,
    }
  const recorded = isAfter(fact.recorded_at) ? `It held, but was recorded only on ${dayOf(fact.recorded_at)}.` : 'It held then.'
  return { text, life: fact.life === 'ended' || fact.life === 'superseded' ? 'current' : fact.life, note: `${recorded}${changed}` }
}
