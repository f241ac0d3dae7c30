import type { Fact } from '../../core/fact.js'
import { titleOf } from '../../core/governed/objects.js'
import { evidenceOf, referencesOf } from '../../core/governed/references.js'
import { isSoftlyCompared, type SoftHit, softDuplicatesOf } from '../../core/governed/soft-duplicates.js'
import { OWN_WORDS } from '../../core/recall/recipe.js'
import { queryTerms } from '../../core/text.js'
import type { WordHit } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { momentOf } from '../moment.js'
import { withView } from '../with-view.js'

/** Of so many facts that share words, those that share the largest part of theirs are read and compared. */
const CANDIDATES = 2000
const COMPARED = 150
/** The same of those that share a subject or evidence, of which less must be alike. */
const SHARING = 100
const READ_CHARACTERS = 2000

/** The share of common words in all words of a fact and a question of so many, by their numbers alone. */
const likeness = ({ terms, length }: WordHit, asked: number): number => terms / Math.max(1, asked + length - terms)

/** Knowledge that may say the same as one that was just written. */
export async function possibleDuplicates(env: Environment, fact: Fact): Promise<readonly SoftHit[]> {
  if (!isSoftlyCompared(fact)) return []
  const terms = [...new Set(queryTerms(`${titleOf(fact)} ${fact.text.slice(0, READ_CHARACTERS)}`))]
  const ids = await withView(env.backend, fact.owner, async (view) => {
    const { hits } = await view.words.search(terms, momentOf(env.clock, undefined), CANDIDATES, OWN_WORDS)
    const nearest = [...hits].sort((a, b) => likeness(b, terms.length) - likeness(a, terms.length) || b.score - a.score)
    // The new one is among them.
    return [...(await view.rows.idsOf(nearest.slice(0, COMPARED + 1).map(({ rid }) => rid))).values()]
  })
  const sharing = await sharingWith(env, fact)
  const others = await env.backend.store.facts([...new Set([...ids, ...sharing])].filter((id) => id !== fact.id))
  return softDuplicatesOf(
    fact,
    others.filter(({ owner }) => owner === fact.owner),
  )
}

/** Facts about the same, or resting on the same source. */
async function sharingWith(env: Environment, fact: Fact): Promise<readonly string[]> {
  const nodes = [...new Set([...referencesOf(fact, 'subject_refs'), ...evidenceOf(fact).map(({ source_id }) => source_id)])]
  if (nodes.length === 0) return []
  const { owner } = fact
  const edges = await env.backend.store.edges({ owner, nodes, direction: 'incoming', types: ['subject', 'evidence'], limit: SHARING })
  return edges.map(({ from }) => from)
}
