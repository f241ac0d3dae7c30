import { setImmediate } from 'node:timers/promises'
import { isValidAt } from '../../core/facts/validity.js'
import type { Candidate, ScoredCandidate } from '../../core/recall/candidate.js'
import { fuse } from '../../core/recall/fuse.js'
import { applyLinks, type Link } from '../../core/recall/links.js'
import type { LexicalMatches } from '../../ports/view.js'
import { followLinks } from './follow-links.js'
import { addWalk, findRelationMatches, runGraphWalk, walkedFacts } from './graph-walk.js'
import { awaitBoth } from './hybrid-search.js'
import { findNamedSubjects, type Retrieval } from './retrieval.js'

export interface Ranking {
  readonly scored: ScoredCandidate[]
  readonly graphNodes: number
  /** Facts that relations tell of the entities the question names. */
  readonly told: ReadonlySet<string>
}

/** Fusion, then what links and the graph add. */
export async function rankFirstStage(inquiry: Retrieval): Promise<Ranking> {
  const { env, view, pool, recipe, lexical, terms, candidateRids: found } = inquiry
  const named = recipe.subjectBoost > 0 ? await findNamedSubjects(inquiry) : { names: new Set<string>(), rids: [] }
  const { author } = inquiry
  const question = {
    at: pool.at,
    cosineFloor: env.embedder.model.floor - recipe.floorMargin,
    author,
    subjects: named.names,
    terms: terms.length,
    exact: exactShare(terms),
    documents: lexical.documents,
    strength: strengthOf(lexical, recipe.evidence),
  }
  const first = await scoreCandidates(inquiry, [...new Set([...found, ...named.rids])])
  const seeds = fuse(first, question, recipe)
  const links = recipe.weights === null && recipe.linkGain > 0 ? await followLinks(inquiry, seeds) : new Map<number, Link>()
  const { walk, entities } = await runGraphWalk(inquiry, seeds)
  const known = new Set(first.map((one) => one.sketch.rid))
  const reached = [...new Set([...links.keys(), ...(await walkedFacts(view, walk))])].filter((rid) => !known.has(rid))
  const scored = reached.length === 0 ? seeds : fuse([...first, ...(await scoreCandidates(inquiry, reached))], question, recipe)
  applyLinks(scored, links, recipe)
  addWalk(scored, walk, recipe)
  return { scored, graphNodes: links.size + walk.nodes, told: entities ? findRelationMatches(walk) : new Set() }
}

const DIGIT = /\p{Nd}/u
const exactShare = (terms: readonly string[]): number => terms.filter((term) => DIGIT.test(term)).length / Math.max(1, terms.length)

/** How much of the question the best match in words holds, where so much rarity counts as all of it. */
function strengthOf({ hits, rarity }: LexicalMatches, evidence: number): number {
  const [best] = hits
  return best === undefined ? 0 : Math.min(1, best.rarity / Math.min(rarity, evidence))
}

/** Both scores for every fact of the list that the pool allows. */
async function scoreCandidates(inquiry: Retrieval, rids: readonly number[]): Promise<readonly Candidate[]> {
  const { view, pool, lexical, near, vector, cosines } = inquiry
  // Settled promises let nobody in between; hundreds of candidates are scored here.
  await setImmediate()
  const unknown = vector === undefined ? [] : rids.filter((rid) => !cosines.has(rid))
  if (vector !== undefined) for (const [rid, cosine] of await view.vectors.similarities(vector, unknown)) cosines.set(rid, cosine)
  const sketches = (await view.links.sketches(rids)).filter((sketch) => isValidAt(sketch, pool))
  const listed = sketches.map(({ rid }) => rid)
  const [words, kindred] = await awaitBoth(lexical.scores(listed), near?.scores(listed))
  return sketches.map((sketch) => {
    const { score = 0, terms = 0, length = 0 } = words.get(sketch.rid) ?? {}
    return {
      sketch,
      cosine: cosines.get(sketch.rid) ?? null,
      bm25: score,
      matches: terms,
      near: kindred?.get(sketch.rid)?.score ?? 0,
      length,
    }
  })
}
