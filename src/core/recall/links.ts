import type { ScoredCandidate } from './candidate.js'
import { byScore } from './fuse.js'
import type { Recipe } from './recipe.js'

/** Who is about a name and who mentions it. */
export interface NamePosting {
  readonly name: string
  readonly subjects: readonly number[]
  readonly mentions: readonly number[]
}

export interface Seed {
  readonly scored: ScoredCandidate
  readonly mentions: readonly string[]
}

export interface Link {
  readonly strength: number
  readonly seed: ScoredCandidate
  readonly name: string
  /** Both only mention the same names; neither is about one of them. */
  readonly shared: boolean
}

/** A weaker link could not move a fact past its neighbours in the list, and hubs make hundreds of them. */
const MIN_STRENGTH = 0.03

/** The results whose links are followed. */
export const seedsOf = (scored: readonly ScoredCandidate[], recipe: Recipe): readonly ScoredCandidate[] =>
  [...scored].sort(byScore).slice(0, recipe.seeds)

/** A name that more facts than this mention says little about any of them. */
export const hubLimit = (documents: number): number => Math.min(60, Math.max(20, Math.ceil(documents / 20)))

/**
 * Facts one hop from the seeds, with the strongest link each: the seed names what the fact is about (the bridge of a
 * question in two steps), the fact names what the seed is about, or both name the same rare things.
 */
export function linkedFacts(
  seeds: readonly Seed[],
  postings: ReadonlyMap<string, NamePosting>,
  documents: number,
  recipe: Recipe,
  asked: ReadonlySet<string> = new Set(),
): ReadonlyMap<number, Link> {
  const best = seeds[0]?.scored.score ?? 0
  const scale = Math.log(Math.max(2, documents))
  const hub = hubLimit(documents)
  const found = new Map<number, Link>()
  const offer = (rid: number, strength: number, seed: ScoredCandidate, name: string, shared = false): void => {
    if (rid === seed.sketch.rid || strength < MIN_STRENGTH) return
    const known = found.get(rid)
    if (known === undefined || known.strength < strength) found.set(rid, { strength, seed, name, shared })
  }
  for (const { scored, mentions } of seeds) {
    const weight = best > 0 ? (scored.score / best) ** recipe.sharpness : 0
    const shared = new Map<number, { sum: number; name: string }>()
    for (const name of mentions) {
      const posting = postings.get(name)
      if (posting === undefined) continue
      const rarity = Math.max(0, Math.log(Math.max(2, documents) / Math.max(1, posting.mentions.length)) / scale)
      const damping = asked.has(name) ? recipe.namedLink : 1
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
    const own = scored.sketch.subject === null ? undefined : postings.get(scored.sketch.subject)
    if (own !== undefined && own.mentions.length <= hub)
      for (const rid of own.mentions) offer(rid, weight * recipe.backLink, scored, own.name)
  }
  return found
}

/** A linked fact rises by what its seed passes on, but never over that seed. */
export function applyLinks(scored: readonly ScoredCandidate[], links: ReadonlyMap<number, Link>, recipe: Recipe): void {
  const base = new Map(scored.map((one) => [one.sketch.rid, one.score]))
  for (const one of scored) {
    const link = links.get(one.sketch.rid)
    if (link === undefined || isCoincidentalLink(link, one)) continue
    const own = base.get(one.sketch.rid) ?? 0
    const lifted = Math.min(own + recipe.linkGain * link.strength, 0.999 * (base.get(link.seed.sketch.rid) ?? 0))
    if (lifted <= own) continue
    one.score = lifted
    one.graph = Math.max(one.graph, link.strength)
    one.via = { seed: link.seed.sketch.id, name: link.name }
  }
}

/** Pieces of code use the same names whatever they do; what is said in one conversation is about the same things. */
const isCoincidentalLink = ({ shared, seed }: Link, lifted: ScoredCandidate): boolean =>
  shared && [seed, lifted].every(({ sketch }) => sketch.isCode && sketch.session === null)
