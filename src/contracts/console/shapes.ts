import { z } from 'zod'
import { FACT_STATUSES } from '../../core/facts/fact.js'
import type { CountedFacets, FacetCount } from '../../core/facts/fact-facets.js'
import { normalName } from '../../core/graph/names.js'
import { formatInstant, parseInstant } from '../../core/input/input.js'
import { plainWords } from '../../core/text/text.js'
import type { Delivery, FactFilter } from '../../engine/console/looked-through.js'
import type { NamedCommit } from '../../engine/history/commits.js'
import { factShape } from '../shown-fact.js'

export const id = z.string().min(1).max(200)
export const ids = z.array(id).min(1).max(200)
export const reason = z.string().max(2000).optional()

export { factShape, type ShownFact, toShown } from '../shown-fact.js'

export const filterShape = z.strictObject({
  q: z.string().max(500).optional().describe('All of these words; the last may be the beginning of one'),
  owner: z.array(z.string()).max(100).optional(),
  status: z.array(z.enum(FACT_STATUSES)).max(10).optional(),
  kind: z.array(z.string()).max(100).optional(),
  source: z.array(z.string()).max(100).optional(),
  author: z.array(z.string().nullable()).max(100).optional(),
  name: z.string().max(300).optional().describe('About or mentioning this name'),
  subject: z.array(z.string().max(300)).max(100).optional().describe('About one of these'),
  from: z.string().optional(),
  until: z.string().optional(),
  as_of: z.string().optional(),
})

export const instantIn = (text: string, field: string): number =>
  parseInstant(text, `Invalid ${field}: use ISO 8601`, (problem) => `Invalid ${field}: ${problem}`)

/** Conditions other than facets, and the values selected in facets. */
export function readFilter({ q, name, subject, from, until, as_of, ...chosen }: z.output<typeof filterShape>): {
  readonly base: FactFilter
  readonly chosen: typeof chosen
  readonly whole: FactFilter
  /** `whole` without what facts are about. */
  readonly anySubject: FactFilter
} {
  const unnamed: FactFilter = {
    ...(q === undefined || q.trim() === '' ? {} : { words: plainWords(q) }),
    ...(name === undefined ? {} : { name }),
    ...(from === undefined ? {} : { recordedFrom: instantIn(from, 'from') }),
    ...(until === undefined ? {} : { recordedUntil: instantIn(until, 'until') }),
    ...(as_of === undefined ? {} : { validAt: { at: instantIn(as_of, 'as_of') } }),
  }
  const values: FactFilter = {
    ...(chosen.owner === undefined ? {} : { owners: chosen.owner }),
    ...(chosen.status === undefined ? {} : { statuses: chosen.status }),
    ...(chosen.kind === undefined ? {} : { kinds: chosen.kind }),
    ...(chosen.source === undefined ? {} : { sources: chosen.source }),
    ...(chosen.author === undefined ? {} : { authors: chosen.author }),
  }
  const base = { ...unnamed, ...(subject === undefined ? {} : { subjects: subject.map(normalName) }) }
  return { base, chosen, whole: { ...base, ...values }, anySubject: { ...unnamed, ...values } }
}

const counted = z.array(z.object({ value: z.string().nullable(), count: z.int() }))
export const facetsShape = z.object({ owner: counted, status: counted, kind: counted, source: counted, author: counted })

export function toFacets({ owner, status, kind, source, author }: CountedFacets['facets']): z.input<typeof facetsShape> {
  const copy = (counts: readonly FacetCount[]) => counts.map((count) => ({ ...count }))
  return { owner: copy(owner), status: copy(status), kind: copy(kind), source: copy(source), author: copy(author) }
}

export const commitShape = z.object({ owner: z.string(), commit: z.string(), first_seq: z.int(), last_seq: z.int() })
/** The result of a write: the changed facts, and the commits that undo it. */
export const doneShape = z.object({ ids: z.array(z.string()), undo: z.array(commitShape), fact: factShape.optional() })

export type DoneAnswer = z.output<typeof doneShape>

export const toCommits = (commits: readonly NamedCommit[]): z.input<typeof commitShape>[] =>
  commits.map(({ owner, commit, firstSeq, lastSeq }) => ({ owner, commit, first_seq: firstSeq, last_seq: lastSeq }))

export const deliveryShape = z.object({
  id: z.string(),
  at: z.string(),
  owner: z.string(),
  client: z.string(),
  conversation: z.string().nullable(),
  kind: z.enum(['start', 'prompt', 'recall']),
  question: z.string().nullable(),
  confidence: z.number().nullable(),
  facts: z.array(z.object({ id: z.string(), relevance: z.number().nullable() })),
})

export const toShownDelivery = (delivery: Delivery): z.input<typeof deliveryShape> => ({
  ...delivery,
  at: formatInstant(delivery.at),
  facts: delivery.facts.map((fact) => ({ ...fact })),
})
