import type { Candidate, ScoredCandidate } from '../candidate.js'
import type { Recipe } from '../recipe/recipe.js'

/** Facts about a name and facts that mention it. */
export interface NamePosting {
  readonly name: string
  readonly subjects: readonly number[]
  readonly mentions: readonly number[]
}

interface Seed {
  readonly scored: ScoredCandidate
  readonly mentions: readonly string[]
}

export interface Link {
  readonly strength: number
  readonly seed: ScoredCandidate
  readonly name: string
  /** True if both facts only mention the same names, and neither is about one of them. */
  readonly shared: boolean
}

/** Weaker links do not change the order, and hubs have hundreds of them. */
const MIN_STRENGTH = 0.03

/** A name in more facts than this is a hub and is not followed. */
export const computeHubLimit = (documents: number): number => Math.min(60, Math.max(20, Math.ceil(documents / 20)))

/**
 * Facts one hop from the seeds, each with its strongest link: the seed mentions the subject of the fact (the bridge of a
 * multi-hop query), the fact mentions the subject of the seed, or both mention the same rare names.
 */
export function findLinkedFacts(
  seeds: readonly Seed[],
  postings: ReadonlyMap<string, NamePosting>,
  documents: number,
  recipe: Recipe,
  namesInQuery: ReadonlySet<string> = new Set(),
): ReadonlyMap<number, Link> {
  const best = seeds[0]?.scored.score ?? 0
  const scale = Math.log(Math.max(2, documents))
  const hub = computeHubLimit(documents)
  const found = new Map<number, Link>()
  const offer = (rid: number, strength: number, seed: ScoredCandidate, name: string, shared = false): void => {
    if (rid === seed.header.rid || strength < MIN_STRENGTH) return
    const known = found.get(rid)
    if (known === undefined || known.strength < strength) found.set(rid, { strength, seed, name, shared })
  }
  for (const { scored, mentions } of seeds) {
    const weight = Math.exp(recipe.sharpness * (scored.score - best))
    const shared = new Map<number, { sum: number; name: string }>()
    for (const name of mentions) {
      const posting = postings.get(name)
      if (posting === undefined) continue
      const rarity = Math.max(0, Math.log(Math.max(2, documents) / Math.max(1, posting.mentions.length)) / scale)
      const damping = namesInQuery.has(name) ? recipe.namedLink : 1
      if (posting.subjects.length <= hub) for (const rid of posting.subjects) offer(rid, weight * damping * rarity, scored, name)
      if (posting.mentions.length < 2 || posting.mentions.length > hub) continue
      for (const rid of posting.mentions) {
        const entry = shared.get(rid)
        const gain = damping * rarity * rarity
        if (entry === undefined) shared.set(rid, { sum: gain, name })
        else entry.sum += gain
      }
    }
    for (const [rid, { sum, name }] of shared) offer(rid, weight * recipe.sharedNames * Math.min(1, sum), scored, name, true)
    const own = scored.header.subject === null ? undefined : postings.get(scored.header.subject)
    if (own !== undefined && own.mentions.length <= hub)
      for (const rid of own.mentions) offer(rid, weight * recipe.backLink, scored, own.name)
  }
  return found
}

/** A linked fact stays this far below its seed. */
const SEED_DISTANCE = 0.01

/** Value of a link: its strength times the gain, limited so that the fact does not pass its seed. */
export function computeLinkValues(
  candidates: readonly ScoredCandidate[],
  links: ReadonlyMap<number, Link>,
  gain: number,
): readonly number[] {
  const scores = new Map(candidates.map(({ header, score }) => [header.rid, score]))
  return candidates.map((candidate) => {
    const link = links.get(candidate.header.rid)
    if (link === undefined || isCoincidentalLink(link, candidate)) return 0
    const room = (scores.get(link.seed.header.rid) ?? Number.NEGATIVE_INFINITY) - candidate.score - SEED_DISTANCE
    return Math.max(0, Math.min(gain * link.strength, room))
  })
}

/** Two pieces of code share names by coincidence, unless they belong to one conversation. */
const isCoincidentalLink = ({ shared, seed }: Link, linked: Candidate): boolean =>
  shared && [seed, linked].every(({ header }) => header.isCode && header.session === null)
