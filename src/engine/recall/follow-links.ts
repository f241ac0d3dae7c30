import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { hubLimit, type Link, linkedFacts, type NamePosting, seedsOf } from '../../core/recall/links.js'
import type { Retrieval } from './retrieval.js'

/** Linked facts beyond this many, weakest first, are not looked at. */
const MAX_LINKED = 300
const MAX_NAMES = 80

/** Facts one hop from the best results. */
export async function followLinks(
  { view, recipe, lexical, owner, namesInQuery: asked }: Retrieval,
  scored: readonly ScoredCandidate[],
): Promise<ReadonlyMap<number, Link>> {
  const seeds = seedsOf(scored, recipe)
  const mentions = await view.links.mentions(seeds.map((seed) => seed.sketch.rid))
  const names = new Set<string>()
  for (const seed of seeds) {
    if (seed.sketch.subject !== null) names.add(seed.sketch.subject)
    for (const name of mentions.get(seed.sketch.rid) ?? []) if (names.size < MAX_NAMES) names.add(name)
  }
  if (names.size === 0) return new Map()
  const postings = new Map<string, NamePosting>()
  for (const posting of await view.links.postings(owner, [...names], hubLimit(lexical.documents))) postings.set(posting.name, posting)
  const links = linkedFacts(
    seeds.map((one) => ({ scored: one, mentions: mentions.get(one.sketch.rid) ?? [] })),
    postings,
    lexical.documents,
    recipe,
    new Set(asked),
  )
  return new Map([...links].sort((a, b) => b[1].strength - a[1].strength).slice(0, MAX_LINKED))
}
