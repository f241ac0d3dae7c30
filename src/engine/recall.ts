import type { Fact } from '../core/fact.js'
import { checkSize } from '../core/input.js'
import type { Scored } from '../core/recall/candidate.js'
import { byScore } from '../core/recall/fuse.js'
import { preferNewer } from '../core/recall/newer.js'
import type { Recipe } from '../core/recall/recipe.js'
import { terms as termsOf } from '../core/text.js'
import type { Environment } from './environment.js'
import { rank } from './recall/first-stage.js'
import { type Inquiry, inquire, type RecallQuery } from './recall/inquiry.js'

export type { RecallQuery } from './recall/inquiry.js'

export interface Recalled {
  readonly fact: Fact
  readonly score: number
  readonly cosine: number | null
  readonly vector: number
  readonly lexical: number
  readonly graph: number
  readonly via: Scored['via']
  readonly boosts: Scored['boosts']
}

export interface Recollection {
  readonly results: readonly Recalled[]
  readonly recipe: Recipe
  /** Nodes the graph signal looked at. */
  readonly graphNodes: number
  readonly terms: readonly string[]
  /** Why the model had no part in it, though one is configured; null otherwise. */
  readonly degraded: string | null
}

const LOOKED_BEHIND = 200

/** Facts relevant to a question, best first: plan, both searches, fusion, links, order. */
export async function recall(env: Environment, query: RecallQuery): Promise<Recollection> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  const inquiry = await inquire(env, query)
  const { scored, graphNodes, told } = await rank(inquiry)
  const best = await newestFirst(env, scored.sort(byScore), query.limit)
  const { recipe, terms, degraded } = inquiry
  const top = Math.max(0, ...scored.map((one) => one.cosine ?? 0))
  return { results: relevant(best, { top, terms, told }, inquiry), recipe, graphNodes, terms, degraded }
}

/** A newer statement of the same thing may stand behind the cut: where the best are such statements, more are looked at. */
async function newestFirst(env: Environment, scored: readonly Scored[], limit: number): Promise<readonly Recalled[]> {
  const best = await withFacts(env, scored.slice(0, limit))
  const stated = best.some(({ fact }) => fact.subject !== null && fact.predicate !== null)
  return stated ? preferNewer([...best, ...(await withFacts(env, scored.slice(limit, limit + LOOKED_BEHIND)))]).slice(0, limit) : best
}

/**
 * Where nothing comes close in meaning, only facts with at least a quarter of the question's words are an answer, and
 * those that relations tell of the entities it names.
 */
function relevant(
  results: readonly Recalled[],
  known: { readonly top: number; readonly terms: readonly string[]; readonly told: ReadonlySet<string> },
  { env, recipe }: Inquiry,
): readonly Recalled[] {
  const { top, terms, told } = known
  const { floor } = env.embedder.model
  if ((top - floor) / (1 - floor) >= recipe.minRelevance) return results
  return results.filter(({ fact }) => {
    if (told.has(fact.id)) return true
    const own = new Set(termsOf(`${fact.title ?? ''} ${fact.author ?? ''} ${fact.date ?? ''} ${fact.text}`))
    return terms.length > 0 && terms.filter((term) => own.has(term)).length * 4 >= terms.length
  })
}

async function withFacts(env: Environment, best: readonly Scored[]): Promise<readonly Recalled[]> {
  const facts = new Map((await env.backend.store.facts(best.map((one) => one.sketch.id))).map((fact) => [fact.id, fact]))
  return best.flatMap((one) => {
    const fact = facts.get(one.sketch.id)
    return fact === undefined
      ? []
      : [
          {
            fact,
            score: one.score,
            cosine: one.cosine,
            vector: one.vector,
            lexical: one.lexical,
            graph: one.graph,
            via: one.via,
            boosts: one.boosts,
          },
        ]
  })
}
