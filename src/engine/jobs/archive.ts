import { isGone } from '../../core/facts/lifecycle.js'
import { withStatus } from '../../core/facts/validity.js'
import type { Change } from '../../core/journal/change.js'
import { isAutomatic } from '../edges/relations.js'
import { retryOnConflict } from '../facts/revise.js'
import type { JobPage, JobStep } from './job-step.js'

const PAGE_SIZE = 100

/** Archives expired facts without explicit relations. */
export const archiveExpired: JobStep = async (env, { owner, actor, progress }): Promise<JobPage> => {
  const after = progress.after ?? 0
  const at = env.clock.now()
  const page = await env.graph.expiredFacts(owner, { at, after, limit: PAGE_SIZE })
  const archived = await retryOnConflict(async () => {
    const ids = page.map(({ fact }) => fact.id)
    const held = new Set<string>()
    for (const edge of await env.store.edges({ owner, nodes: ids, limit: 100_000 })) {
      if (isAutomatic(edge) || edge.validUntil !== null) continue
      held.add(edge.from).add(edge.to)
    }
    const facts = (await env.store.facts(ids)).filter((fact) => isGone(fact, at) && !held.has(fact.id))
    if (facts.length === 0) return 0
    await env.store.commit({ actor, owners: [owner] }, (now) =>
      facts.map(
        (fact): Change => ({
          op: 'fact.put',
          fact: { ...withStatus(fact, 'archived', now), updatedAt: now, version: fact.version + 1 },
          reason: 'expired',
        }),
      ),
    )
    return facts.length
  })
  const last = page[page.length - 1]
  return {
    progress: {
      after: last?.rid ?? after,
      checked: (progress.checked ?? 0) + page.length,
      archived: (progress.archived ?? 0) + archived,
    },
    done: page.length < PAGE_SIZE,
  }
}
