import { toBaselineAccess } from '../../core/access/access-filter.js'
import { hasSameContent, outlives } from '../../core/facts/duplicates.js'
import type { Fact } from '../../core/facts/fact.js'
import { DAY_US } from '../../core/facts/lifecycle.js'
import { withStatus } from '../../core/facts/validity.js'
import type { Change } from '../../core/journal/change.js'
import { isGoverned } from '../../core/substrate/objects/stated-words.js'
import type { View } from '../../ports/view.js'
import { resolveAsOf } from '../as-of.js'
import { isAutomatic } from '../edges/relations.js'
import type { Environment } from '../environment.js'
import { findFact, retryOnConflict } from '../facts/revise.js'
import { withView } from '../with-view.js'
import type { JobPage, JobStep } from './job-step.js'

const PAGE_SIZE = 50
/** Limit per run; the next run continues. */
const MAX_FACTS = 1000
const MAX_GROUP = 10
/** Older facts were compared when they were new. */
const COMPARED_PERIOD_US = DAY_US

/** Compares new facts with older ones. A fact with the same content ends in favour of the oldest one, which takes over its relations. */
export const deduplicate: JobStep = async (env, { owner, actor, progress }): Promise<JobPage> => {
  const after = progress.after ?? 0
  const done = { checked: progress.checked ?? 0, merged: progress.merged ?? 0 }
  const at = env.clock.now()
  const page = await env.graph.uncheckedFacts(owner, { at, since: at - COMPARED_PERIOD_US, after, limit: PAGE_SIZE })
  const vectors = await withView(env, owner, (view) => view.vectors.vectors(page.map((placed) => placed.rid)))
  let merged = 0
  const unlike: Fact[] = []
  for (const { rid, fact } of page) {
    // Governed facts are decided by their writers.
    if (isGoverned(fact)) {
      unlike.push(fact)
      continue
    }
    const vector = vectors.get(rid)
    // Facts without a vector are compared by a later run.
    if (vector === undefined) continue
    const primary = await oldestTwin(env, fact, rid, vector)
    if (primary === undefined) unlike.push(fact)
    else {
      await retryOnConflict(() => settle(env, actor, fact, primary))
      merged++
    }
  }
  await env.graph.noteCompared(owner, unlike, at)
  const last = page[page.length - 1]
  const totals = { checked: done.checked + page.length, merged: done.merged + merged }
  return { progress: { after: last?.rid ?? after, ...totals }, done: page.length < PAGE_SIZE || totals.checked >= MAX_FACTS }
}

async function oldestTwin(env: Environment, fact: Fact, rid: number, vector: Float32Array): Promise<Fact | undefined> {
  const twins = async (view: View): Promise<ReadonlyMap<number, string>> => {
    const near = await view.vectors.search(vector, { ...resolveAsOf(env.clock), before: rid }, MAX_GROUP, 'whole')
    return view.rows.idsOf(near.filter((hit) => hit.score >= env.settings.graph.thresholds.duplicate).map((hit) => hit.rid))
  }
  const ids = await withView(env, fact.owner, twins, toBaselineAccess(fact.owner))
  const facts = await env.store.facts([...ids].sort((a, b) => a[0] - b[0]).map(([, id]) => id))
  return facts.find((other) => !isGoverned(other) && hasSameContent(other, fact) && outlives(other, fact))
}

/** Ends a fact in favour of its duplicate and moves its relations. */
async function settle(env: Environment, actor: string, seen: Fact, primary: Fact): Promise<void> {
  const fact = await findFact(env, seen.id, seen.owner)
  if (fact === undefined || fact.version !== seen.version) return
  const edges = await env.store.edges({ owner: fact.owner, nodes: [fact.id], limit: 10_000 })
  const taken = await env.store.edges({ owner: fact.owner, nodes: [primary.id], limit: 10_000 })
  await env.store.commit({ actor, owners: [fact.owner] }, (now) => {
    const compared: Fact = { ...fact, dedupAt: now, version: fact.version + 1 }
    const ended: Fact = { ...withStatus(compared, 'superseded', now), supersededBy: primary.id, updatedAt: now }
    const moved = edges.flatMap((edge): Change[] => {
      const next = {
        ...edge,
        from: edge.from === fact.id ? primary.id : edge.from,
        to: edge.to === fact.id ? primary.id : edge.to,
        version: edge.version + 1,
      }
      const there = next.from === next.to || taken.some((held) => held.from === next.from && held.to === next.to && held.type === next.type)
      return there || isAutomatic(edge) ? [] : [{ op: 'edge.put', edge: next, reason: `moved to ${primary.id}` }]
    })
    return [{ op: 'fact.put', fact: ended, reason: `duplicate of ${primary.id}` }, ...moved]
  })
}
