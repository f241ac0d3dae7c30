import type { Fact } from '../../core/facts/fact.js'
import { resolveAsOf } from '../as-of.js'
import type { Context } from '../context.js'
import { vectorOf } from '../links/similar.js'
import { withView } from '../with-view.js'

interface SimilarFact {
  readonly fact: Fact
  readonly similarity: number
}

/** Current facts of the same owner that are similar to one, best first. */
export async function findSimilar(
  context: Context,
  fact: Fact,
  query: { readonly threshold: number; readonly limit: number },
): Promise<readonly SimilarFact[]> {
  await context.embedding.embedPending()
  const vector = await vectorOf(context, fact, context.signal)
  const [hits, ids] = await withView(context, fact.owner, async (view) => {
    const own = (await view.rows.ridsOf([fact.id])).get(fact.id)
    const pool = { ...resolveAsOf(context.clock), ...(own === undefined ? {} : { except: own }) }
    const near = (await view.vectors.search(vector, pool, query.limit, 'whole')).filter((hit) => hit.score >= query.threshold)
    return [near, await view.rows.idsOf(near.map((hit) => hit.rid))]
  })
  context.services.linker.wake()
  const facts = new Map((await context.store.facts([...ids.values()])).map((hit) => [hit.id, hit]))
  return hits.flatMap((hit) => {
    const similar = facts.get(ids.get(hit.rid) ?? '')
    return similar === undefined ? [] : [{ fact: similar, similarity: hit.score }]
  })
}
