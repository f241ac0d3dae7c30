import { z } from 'zod'
import type { Fact } from '../core/facts/fact.js'
import { feedbackIn } from '../core/facts/feedback.js'
import { tagsIn } from '../core/facts/tags.js'
import { endOf } from '../core/facts/validity.js'
import { formatInstant } from '../core/input/input.js'

/** The lifecycle state of a fact, as displayed. */
const LIFE = { active: 'current', candidate: 'candidate', contested: 'contested', stale: 'stale', superseded: 'superseded' } as const
const lifeWord = (status: string): string => Object.entries(LIFE).find(([name]) => name === status)?.[1] ?? 'ended'

const instant = z.string()
export const factShape = z.object({
  id: z.string(),
  owner: z.string(),
  text: z.string(),
  kind: z.string(),
  life: z.string(),
  status: z.string(),
  source: z.string(),
  author: z.string().nullable(),
  title: z.string().nullable(),
  subject: z.string().nullable(),
  predicate: z.string().nullable(),
  session: z.string().nullable(),
  reason: z.string().nullable(),
  scope: z.string(),
  garden: z.string().nullable(),
  confidence: z.number(),
  importance: z.number(),
  event_at: instant,
  valid_from: instant,
  valid_until: instant.nullable(),
  recorded_at: instant,
  updated_at: instant,
  superseded_by: z.string().nullable(),
  version: z.int(),
  tags: z.array(z.string()),
  feedback: z.object({ right: z.int(), wrong: z.int() }),
  /** Lists truncate longer texts. */
  length: z.int(),
})
export type ShownFact = z.output<typeof factShape>

const MAX_LISTED_CHARS = 600

/** A fact as displayed in lists. */
export const toShown = (fact: Fact, whole = false): ShownFact => {
  const end = endOf(fact)
  return {
    ...{ id: fact.id, owner: fact.owner, kind: fact.kind, status: fact.status, source: fact.source, author: fact.author },
    ...{ title: fact.title, subject: fact.subject, predicate: fact.predicate, session: fact.session, reason: fact.reason },
    ...{ scope: fact.scope, garden: fact.garden, confidence: fact.confidence, importance: fact.importance, version: fact.version },
    text: whole ? fact.text : fact.text.slice(0, MAX_LISTED_CHARS),
    length: fact.text.length,
    life: lifeWord(fact.status),
    event_at: formatInstant(fact.eventAt),
    valid_from: formatInstant(fact.validFrom),
    valid_until: end === null ? null : formatInstant(end),
    recorded_at: formatInstant(fact.recordedAt),
    updated_at: formatInstant(fact.updatedAt),
    superseded_by: fact.supersededBy,
    tags: [...tagsIn(fact.metadata)],
    feedback: feedbackIn(fact.metadata),
  }
}
