import {
  byCodeScore,
  CODE_RECIPE,
  type CodeRecipe,
  inOrder,
  liftCallees,
  namesAsked,
  type RankedCode,
  rankCode,
} from '../../core/code-rank.js'
import { splitIdentifiers } from '../../core/identifiers.js'
import { pathGlob } from '../../core/path-glob.js'
import type { Weights } from '../../core/recall/recipe.js'
import type { Passage } from '../../core/source.js'
import { queryTerms } from '../../core/text.js'
import { toMemoryError } from '../../errors.js'
import type { CodePool } from '../../ports/code-index.js'
import type { Environment } from '../environment.js'
import { walkCode } from './code-graph.js'
import { requireProject } from './project-state.js'

export interface CodeSearchQuery {
  readonly text: string
  readonly limit: number
  readonly project?: string | undefined
  readonly language?: string | undefined
  /** A pattern such as `src/**` + `/*.ts`. */
  readonly path?: string | undefined
  readonly kind?: string | undefined
  readonly recipe?: CodeRecipe | undefined
  readonly signal: AbortSignal
}

export interface FoundCode extends Pick<RankedCode, 'rid' | 'score' | 'vector' | 'lexical' | 'graph'> {
  readonly passage: Passage
  readonly cosine: number | null
  /** Id of the passage that lifted this one, and the name it uses. */
  readonly via: { readonly passage: string; readonly name: string } | null
}

/** Passages of code that answer a question, best first. Works without a model: words and sketches are always there. */
export async function searchCode(env: Environment, query: CodeSearchQuery): Promise<readonly FoundCode[]> {
  const recipe = query.recipe ?? CODE_RECIPE
  const pool = await poolOf(env, query)
  const words = splitIdentifiers(query.text)
  const vector = recipe.denseWeight > 0 ? await queryVector(env, words, query.signal) : undefined
  const answer = await env.backend.code.search({
    terms: queryTerms(query.text),
    fields: recipe.fields,
    vector,
    sketch: env.sketcher.query(words, vector),
    names: namesAsked(query.text),
    pool,
    limit: recipe.candidates,
  })
  const floor = env.embedder.model.floor
  let ranked = rankCode(answer.candidates, floor, recipe)
  if (recipe.linkGain > 0) {
    const seeds = [...ranked].sort(byCodeScore).slice(0, recipe.seeds)
    const links = (
      await env.backend.code.links(
        seeds.map((seed) => seed.rid),
        'outgoing',
      )
    ).filter((link) => link.kind !== 'imports')
    const known = new Set(ranked.map((one) => one.rid))
    const missing = [...new Set(links.map((link) => link.to))].filter((rid) => !known.has(rid))
    if (missing.length > 0) ranked = rankCode([...answer.candidates, ...(await answer.also(missing))], floor, recipe)
    liftCallees(ranked, links, recipe)
  }
  return withPassages(
    env,
    inOrder(
      ranked.filter((one) => one.score > 0),
      recipe,
    ).slice(0, query.limit),
  )
}

async function poolOf(env: Environment, query: CodeSearchQuery): Promise<CodePool> {
  const source = query.project === undefined ? undefined : await requireProject(env.backend, query.project)
  return {
    sources: source === undefined ? undefined : [source.id],
    language: query.language?.toLowerCase(),
    kind: query.kind?.toLowerCase(),
    path: query.path === undefined ? undefined : pathGlob(query.path),
  }
}

/** A model that cannot be had is no reason to answer nothing. */
async function queryVector(env: Environment, text: string, signal: AbortSignal): Promise<Float32Array | undefined> {
  try {
    return await env.vectoriser.query(text, signal)
  } catch (error) {
    const known = toMemoryError(error)
    if (known.code === 'unavailable') return undefined
    throw known
  }
}

async function withPassages(env: Environment, best: readonly RankedCode[]): Promise<readonly FoundCode[]> {
  const rids = new Set(best.flatMap((one) => (one.via === null ? [one.rid] : [one.rid, one.via.rid])))
  const passages = new Map((await env.backend.code.passages([...rids])).map((one) => [one.rid, one.passage]))
  return best.flatMap((one) => {
    const passage = passages.get(one.rid)
    if (passage === undefined) return []
    const lifting = one.via === null ? undefined : passages.get(one.via.rid)
    const via = one.via === null || lifting === undefined ? null : { passage: lifting.id, name: one.via.name }
    return [
      {
        rid: one.rid,
        score: one.score,
        vector: one.vector,
        lexical: one.lexical,
        graph: one.graph,
        cosine: one.cosine ?? one.sketch,
        passage,
        via,
      },
    ]
  })
}

const WALK_SEEDS = 20
const MOST_WEIGHED = 50

/** Code for `recall`: the same search, with a walk over the code's own links as a signal of its own. */
export async function recallCode(
  env: Environment,
  query: CodeSearchQuery,
  weights: Weights | null,
): Promise<{ readonly results: readonly FoundCode[]; readonly nodes: number }> {
  const weighed = weights === null ? query : { ...query, limit: Math.max(query.limit, MOST_WEIGHED), recipe: withWeights(weights) }
  const found = await searchCode(env, weighed)
  const top = found[0]?.score ?? 0
  const seeds = found.slice(0, WALK_SEEDS).map((one): [number, number] => [one.rid, top > 0 ? one.score / top : 0])
  const walk = weights?.ppr === 0 ? { scores: new Map<number, number>(), nodes: 0 } : await walkCode(env, new Map(seeds))
  const results = found.map((one) => {
    const share = walk.scores.get(one.rid) ?? 0
    const graph = Math.max(one.graph, share)
    return weights === null
      ? { ...one, graph }
      : { ...one, graph, score: weights.vector * one.vector + weights.bm25 * one.lexical + weights.ppr * share }
  })
  return { results: results.sort((a, b) => b.score - a.score || a.rid - b.rid).slice(0, query.limit), nodes: walk.nodes }
}

/** Fixed weights leave no room for what the tuned order adds of its own. */
function withWeights({ vector, bm25 }: Weights): CodeRecipe {
  const dense = vector + bm25 === 0 ? 0.5 : vector / (vector + bm25)
  return { ...CODE_RECIPE, denseWeight: dense, sketchWeight: dense, nameBoost: 0, linkGain: 0 }
}
