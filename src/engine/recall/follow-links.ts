import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { computeHubLimit, findLinkedFacts, type Link, type NamePosting } from '../../core/recall/signals/links.js'
import type { Retrieval } from './retrieval.js'

/** Linked facts beyond this many, weakest first, are not ranked. */
const MAX_LINKED = 300
const MAX_FOLLOWED_NAMES = 80

/** Facts one hop from the best results. */
export async function followLinks(
  { view, recipe, lexical, owner, namesInQuery }: Retrieval,
  ranked: readonly ScoredCandidate[],
): Promise<ReadonlyMap<number, Link>> {
  const seeds = ranked.slice(0, recipe.seeds)
  const mentions = await view.links.mentions(seeds.map((seed) => seed.header.rid))
  const names = new Set<string>()
  for (const { header } of seeds) {
    if (header.subject !== null) names.add(header.subject)
    for (const name of mentions.get(header.rid) ?? []) if (names.size < MAX_FOLLOWED_NAMES) names.add(name)
  }
  if (names.size === 0) return new Map()
  const postings = new Map<string, NamePosting>()
  for (const posting of await view.links.postings(owner, [...names], computeHubLimit(lexical.documents)))
    postings.set(posting.name, posting)
  const links = findLinkedFacts(
    seeds.map((scored) => ({ scored, mentions: mentions.get(scored.header.rid) ?? [] })),
    postings,
    lexical.documents,
    recipe,
    new Set(namesInQuery),
  )
  return new Map([...links].sort((a, b) => b[1].strength - a[1].strength).slice(0, MAX_LINKED))
}
