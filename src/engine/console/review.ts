import { hasSameContent } from '../../core/facts/duplicates.js'
import type { Fact } from '../../core/facts/fact.js'
import { isExpired } from '../../core/facts/lifecycle.js'
import { isCurrentStatus, isValidAt } from '../../core/facts/validity.js'
import { rescaleCosine } from '../../core/recall/statements/stages.js'
import { findRevisions } from '../../core/recall/updates/revisions.js'
import { terms } from '../../core/text/text.js'
import type { Context } from '../context.js'

/** Relation between two facts that a person confirmed as both true; the pair is not listed again. */
export const BOTH_HOLD = 'BOTH_HOLD'

type ReviewKind = 'conflict' | 'candidate' | 'duplicate' | 'quarantine'

/** One question about a fact or a pair; in a pair the older fact comes first. */
export interface ReviewItem {
  readonly kind: ReviewKind
  readonly facts: readonly Fact[]
  /** Similarity of the pair, if that is why it is listed. */
  readonly alike?: number
}

export type ReviewCounts = Readonly<Record<ReviewKind, number>>

/** Limit per kind; later items follow once these are decided. */
const MAX_EACH = 200
const MAX_RIVALS = 6
/** Pairs whose wording is compared, the most similar first: comparing one takes a fraction of a millisecond. */
const MAX_COMPARED_PAIRS = 80

/** Items that need a decision: conflicts, then captured facts, possible duplicates, and quarantined facts. */
async function listReview(context: Context): Promise<readonly ReviewItem[]> {
  const [conflicts, candidates, pairs, quarantined] = await Promise.all([
    findConflicts(context),
    findCandidates(context),
    findSimilarPairs(context),
    findQuarantined(context),
  ])
  const conflictPairs = new Set(conflicts.map(pairKey))
  const others = pairs.filter((item) => !conflictPairs.has(pairKey(item)))
  const ofKind = (kind: ReviewKind): readonly ReviewItem[] => others.filter((item) => item.kind === kind)
  return [...conflicts, ...ofKind('conflict'), ...candidates, ...ofKind('duplicate'), ...quarantined]
}

/** The items, while near duplicates among the facts that were not compared yet are looked for in the background. */
export async function readReview(context: Context): Promise<{ readonly items: readonly ReviewItem[]; readonly isComparing: boolean }> {
  const { linker } = context.services
  linker.wake()
  return { items: await listReview(context), isComparing: linker.isWorking() }
}

export async function countReview(context: Context): Promise<ReviewCounts> {
  const counts = { conflict: 0, candidate: 0, duplicate: 0, quarantine: 0 }
  for (const { kind } of await listReview(context)) counts[kind] += 1
  return counts
}

const pairKey = ({ facts }: Pick<ReviewItem, 'facts'>): string =>
  facts
    .map(({ id }) => id)
    .sort()
    .join(' ')

const byAge = (a: Fact, b: Fact): number => a.recordedAt - b.recordedAt || (a.id < b.id ? -1 : 1)

async function findCandidates({ store, clock }: Context): Promise<readonly ReviewItem[]> {
  const { items } = await store.browse({ statuses: ['candidate'] }, { limit: MAX_EACH })
  const now = clock.now()
  return items
    .filter((fact) => isValidAt(fact, { at: now, present: true }) && fact.quarantine === null)
    .map((fact) => ({ kind: 'candidate', facts: [fact] }))
}

async function findQuarantined({ store }: Context): Promise<readonly ReviewItem[]> {
  const { items } = await store.browse({ quarantine: 'pending' }, { limit: MAX_EACH })
  return items.map((fact) => ({ kind: 'quarantine', facts: [fact] }))
}

/** Current facts of one claim with different contents. */
async function findConflicts(context: Context): Promise<readonly ReviewItem[]> {
  const { store, clock } = context
  const now = clock.now()
  const found: ReviewItem[] = []
  for (const { owner, claim } of await store.rivals({ limit: MAX_EACH })) {
    const rivals = (await store.listFacts({ owner, claim, limit: MAX_RIVALS, offset: 0 })).filter((fact) =>
      isValidAt(fact, { at: now, present: true }),
    )
    const [earlier, later] = differing([...rivals].sort(byAge))
    if (earlier !== undefined && later !== undefined) found.push({ kind: 'conflict', facts: [earlier, later] })
  }
  return withoutSettled(context, found)
}

/** The newest fact of a list sorted by age, and the newest older one with a different content. */
function differing(facts: readonly Fact[]): readonly Fact[] {
  const later = facts[facts.length - 1]
  const earlier = facts.filter((fact) => later !== undefined && !hasSameContent(fact, later))
  const nearest = earlier[earlier.length - 1]
  return later === undefined || nearest === undefined ? [] : [nearest, later]
}

/** Pairs of similar facts: notes of which the later one replaces the earlier one, and near duplicates. */
async function findSimilarPairs(context: Context): Promise<readonly ReviewItem[]> {
  const { store, settings, clock } = context
  const { neighbours, duplicate } = settings.graph.thresholds
  const pairs = await store.alike({ least: Math.min(neighbours, duplicate), limit: MAX_EACH })
  const facts = new Map((await store.facts([...new Set(pairs.flatMap(({ from, to }) => [from, to]))])).map((fact) => [fact.id, fact]))
  const now = clock.now()
  const isOpen = (fact: Fact): boolean =>
    isCurrentStatus(fact.status) && fact.status !== 'candidate' && !isExpired(fact, now) && isValidAt(fact, { at: now, present: true })
  let compared = 0
  const found = pairs.flatMap(({ from, to, weight }): ReviewItem[] => {
    const both = [facts.get(from), facts.get(to)].flatMap((fact) => (fact !== undefined && isOpen(fact) ? [fact] : []))
    const [older, newer] = both.sort(byAge)
    if (older === undefined || newer === undefined) return []
    const pair = { facts: [older, newer], alike: weight }
    if (compared++ < MAX_COMPARED_PAIRS && isRevision(context, older, newer, weight)) return [{ kind: 'conflict', ...pair }]
    return weight < duplicate ? [] : [{ kind: 'duplicate', ...pair }]
  })
  return withoutSettled(context, found)
}

/** True if recall, queried with the text of the older note, would mark it as superseded by the newer one. */
function isRevision({ settings, embedder, clock }: Context, older: Fact, newer: Fact, cosine: number): boolean {
  const results = [older, newer].map((fact, rid) => ({ fact, rid, score: 0, contributions: [], isCode: false }))
  const likeness = (): number => rescaleCosine(cosine, embedder.model.floor)
  const query = { text: older.text, terms: terms(older.text) }
  return findRevisions({ results, likeness, now: clock.now(), query }, settings.recipe.updates).some(
    (revision) => revision.isCertain && revision.newer.id === newer.id,
  )
}

/** Leaves out pairs confirmed as both true. */
async function withoutSettled({ store }: Context, items: readonly ReviewItem[]): Promise<readonly ReviewItem[]> {
  const ids = [...new Set(items.flatMap(({ facts }) => facts.map(({ id }) => id)))]
  if (ids.length === 0) return items
  const edges = await store.edges({ nodes: ids, types: [BOTH_HOLD], limit: 10_000 })
  const settled = new Set(edges.map(({ from, to }) => [from, to].sort().join(' ')))
  return items.filter((item) => !settled.has(pairKey(item)))
}
