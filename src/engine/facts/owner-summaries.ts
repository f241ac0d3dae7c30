import type { Environment } from '../environment.js'
import { listFacts } from './list-facts.js'

interface OwnerSummary {
  readonly owner: string
  readonly facts: number
  readonly oldestAt: number
  readonly newestAt: number
}

/** Owners with facts that the caller may read, by name; `total` counts all owners. */
export async function summariseOwners(
  env: Environment,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly owners: readonly OwnerSummary[]; readonly total: number }> {
  const names = (await env.graph.owners()).toSorted()
  const owners: OwnerSummary[] = []
  for (const owner of names.slice(offset, offset + limit)) {
    const { facts, total } = await listFacts(env, { owner, limit: 1, offset: 0 })
    const [newest] = facts
    if (newest === undefined) continue
    const [oldest = newest] = (await listFacts(env, { owner, limit: 1, offset: total - 1 })).facts
    owners.push({ owner, facts: total, oldestAt: oldest.recordedAt, newestAt: newest.recordedAt })
  }
  return { owners, total: names.length }
}
