import type { Fact, Instant } from '../../core/facts/fact.js'
import type { FactQuery } from '../../ports/store.js'
import { resolveAsOf } from '../as-of.js'
import type { Environment } from '../environment.js'

type FactFilter = Pick<FactQuery, 'text' | 'kind' | 'recordedAfter' | 'recordedBefore'>

const byOwner = (owner: string | undefined) => (owner === undefined ? {} : { owner })

/** One page of facts, newest first, including ended ones, and the total. */
export async function listFacts(
  { store }: Environment,
  {
    owner,
    limit,
    offset,
    ...filter
  }: FactFilter & { readonly owner?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<{ readonly facts: readonly Fact[]; readonly total: number }> {
  const query = { ...byOwner(owner), ...filter }
  return { facts: await store.listFacts({ ...query, limit, offset }), total: await store.countFacts(query) }
}

/** Facts valid now or at an instant, newest first. */
export const listValidFacts = (
  { store, clock }: Environment,
  { owner, at, limit }: { readonly owner?: string | undefined; readonly at?: Instant; readonly limit: number },
): Promise<readonly Fact[]> => store.listFacts({ ...byOwner(owner), validAt: resolveAsOf(clock, at), limit, offset: 0 })
