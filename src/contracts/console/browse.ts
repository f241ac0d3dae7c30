import { z } from 'zod'
import { countFacets } from '../../core/facts/fact-facets.js'
import { formatInstant } from '../../core/input/input.js'
import type { FactFilter } from '../../engine/console/looked-through.js'
import type { Context } from '../../engine/context.js'
import { operation } from '../operation.js'
import { facetsShape, factShape, filterShape, readFilter, toFacets, toShown } from './shapes.js'

const DAY = 86_400_000_000
const MOST_BUCKETS = 90
const MAX_SUBJECTS = 30

const subjectsShape = z.array(z.object({ value: z.string(), label: z.string(), count: z.int() }))

const output = z.object({
  facts: z.array(factShape),
  next: z.string().nullable(),
  total: z.int().optional(),
  facets: facetsShape.optional(),
  subjects: subjectsShape.optional(),
  histogram: z.array(z.object({ at: z.string(), learned: z.int(), ended: z.int() })).optional(),
  width_days: z.number().optional(),
})
export type BrowseAnswer = z.output<typeof output>

export const browse = operation({
  name: 'browse',
  title: 'Browse',
  description: 'Facts of all owners that match, newest first, page by page; with the counts of facets on request',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: filterShape.extend({
    limit: z.int().min(1).max(200).default(50),
    after: z.string().max(300).optional().describe('Where the page before ended'),
    facets: z.boolean().default(false),
    histogram: z.boolean().default(false),
  }),
  output,
  async run({ context }, { limit, after, facets, histogram, ...filters }) {
    const { base, chosen, whole, anySubject } = readFilter(filters)
    const { store, clock } = context
    const page = await store.browse(whole, { limit, ...(after === undefined ? {} : { after: readPlace(after) }) })
    const counted = facets ? countFacets(await store.facets(base), chosen) : undefined
    const answer = { facts: page.items.map((fact) => toShown(fact)), next: page.next === null ? null : `${page.next.at} ${page.next.key}` }
    const withFacets =
      counted === undefined
        ? answer
        : { ...answer, total: counted.total, facets: toFacets(counted.facets), subjects: await countSubjects(context, anySubject) }
    if (!histogram) return withFacets
    const until = clock.now()
    const { recordedFrom: _, recordedUntil: __, ...untimed } = whole
    const [oldest] = await store.listFacts({ oldestFirst: true, limit: 1, offset: 0 })
    const span = Math.max(DAY, until - (oldest?.recordedAt ?? until))
    const width = Math.max(DAY, Math.ceil(span / MOST_BUCKETS / DAY) * DAY)
    const from = until - Math.ceil(span / width) * width
    const buckets = await store.histogram(untimed, { from, until: until + 1, width })
    return { ...withFacets, histogram: buckets.map((bucket) => ({ ...bucket, at: formatInstant(bucket.at) })), width_days: width / DAY }
  },
})

/** What several facts are about: a list of everything that one fact is about would say nothing. */
async function countSubjects({ store }: Context, filter: FactFilter): Promise<z.input<typeof subjectsShape>> {
  const found = await store.subjects(filter, MAX_SUBJECTS)
  return found.filter(({ count }) => count > 1).map(({ subject, label, count }) => ({ value: subject, label, count }))
}

/** Parses a page position written by this operation. */
function readPlace(text: string): { readonly at: number; readonly key: string } {
  const space = text.indexOf(' ')
  const at = Number(text.slice(0, space))
  return { at: Number.isSafeInteger(at) ? at : 0, key: text.slice(space + 1) }
}
