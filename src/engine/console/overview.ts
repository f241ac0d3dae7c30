import type { Fact, Instant } from '../../core/facts/fact.js'
import { type CountedFacets, countFacets } from '../../core/facts/fact-facets.js'
import { DAY_US } from '../../core/facts/lifecycle.js'
import type { JournalEntry } from '../../core/journal/change.js'
import type { Delivery } from '../../ports/deliveries.js'
import type { Bucket } from '../../ports/facets.js'
import type { Counts } from '../../ports/store.js'
import type { Context } from '../context.js'
import { readStatus, type Status } from '../maintenance/status.js'
import { countReview, type ReviewCounts } from './review.js'

const WEEK_FACTS = 8
const MAX_DELIVERIES = 2000

export interface Overview {
  readonly counts: Counts
  readonly facets: CountedFacets
  readonly growth: readonly Bucket[]
  readonly week: { readonly facts: readonly Fact[]; readonly learned: number; readonly ended: number }
  readonly review: ReviewCounts
  readonly toldToday: readonly Delivery[]
  readonly lastWrite: JournalEntry | undefined
  readonly status: Status
}

/** Counts and health of the memory in one result. Days start in the caller's time zone. */
export async function readOverview(
  context: Context,
  { days, dayStart }: { readonly days: number; readonly dayStart: Instant },
): Promise<Overview> {
  const { store, deliveries } = context
  const weekAgo = dayStart - 6 * DAY_US
  const [cells, growth, page, review, delivered, [lastWrite], status] = await Promise.all([
    store.facets({}),
    store.histogram({}, { from: dayStart - (days - 1) * DAY_US, until: dayStart + DAY_US, width: DAY_US }),
    store.browse({ recordedFrom: weekAgo }, { limit: WEEK_FACTS }),
    countReview(context),
    deliveries.list({ since: dayStart, limit: MAX_DELIVERIES }),
    store.journal({ newestFirst: true, limit: 1 }),
    readStatus(context),
  ])
  const recent = growth.filter(({ at }) => at >= weekAgo)
  const sum = (total: 'learned' | 'ended'): number => recent.reduce((all, bucket) => all + bucket[total], 0)
  return {
    counts: status.counts,
    facets: countFacets(cells, {}),
    growth,
    week: { facts: page.items, learned: sum('learned'), ended: sum('ended') },
    review,
    toldToday: delivered,
    lastWrite,
    status,
  }
}
