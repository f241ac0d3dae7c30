import type { Fact } from '../../../core/facts/fact.js'
import { OWN_WORDS } from '../../../core/recall/recipe/recipe.js'
import {
  isSoftlyCompared,
  type SoftHit,
  type SoftView,
  softDuplicatesOf,
  softView,
} from '../../../core/substrate/duplicates/soft-duplicates.js'
import { titleOf } from '../../../core/substrate/objects/objects.js'
import { evidenceOf, referencesOf } from '../../../core/substrate/objects/references.js'
import { queryTerms } from '../../../core/text/text.js'
import type { LexicalHit } from '../../../ports/view.js'
import { resolveAsOf } from '../../as-of.js'
import type { Environment } from '../../environment.js'
import { createYieldPoint } from '../../event-loop.js'
import { withView } from '../../with-view.js'

/** Limit of facts with common words; those with the largest share are compared. */
const MAX_CANDIDATES = 1000
const MAX_COMPARED = 100
/** The same for facts with a common subject or evidence, which need less similarity. */
const MAX_SHARING_FACTS = 100
const READ_CHARACTERS = 2000

/** Share of common words in all words of a fact and a query, computed from their counts. */
const likeness = ({ terms, length }: LexicalHit, queryLength: number): number => terms / Math.max(1, queryLength + length - terms)

/** Possible duplicates of new facts, by fact. */
export async function possibleDuplicates(env: Environment, facts: readonly Fact[]): Promise<readonly (readonly SoftHit[])[]> {
  const turn = createYieldPoint()
  const known = new Map<string, Fact>()
  const views = new Map<string, SoftView>()
  const viewOf = (fact: Fact): SoftView => {
    const view = views.get(fact.id) ?? softView(fact)
    views.set(fact.id, view)
    return view
  }
  const found: (readonly SoftHit[])[] = []
  for (const fact of facts) {
    await turn()
    const ids = isSoftlyCompared(fact) ? await candidatesOf(env, fact) : []
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0) for (const other of await env.store.facts(unknown)) known.set(other.id, other)
    const others = ids.flatMap((id) => known.get(id) ?? []).filter(({ owner }) => owner === fact.owner)
    found.push(softDuplicatesOf(fact, others, viewOf))
  }
  return found
}

/** Facts that share most of its words, its subject or its evidence. */
async function candidatesOf(env: Environment, fact: Fact): Promise<readonly string[]> {
  const terms = [...new Set(queryTerms(`${titleOf(fact)} ${fact.text.slice(0, READ_CHARACTERS)}`))]
  const worded = await withView(env, fact.owner, async (view) => {
    const { hits } = await view.words.search(terms, resolveAsOf(env.clock, undefined), MAX_CANDIDATES, OWN_WORDS)
    const nearest = [...hits].sort((a, b) => likeness(b, terms.length) - likeness(a, terms.length) || b.score - a.score)
    // The results include the new fact itself.
    return [...(await view.rows.idsOf(nearest.slice(0, MAX_COMPARED + 1).map(({ rid }) => rid))).values()]
  })
  return [...new Set([...worded, ...(await sharingWith(env, fact))])].filter((id) => id !== fact.id)
}

/** Facts with the same subject or source. */
async function sharingWith(env: Environment, fact: Fact): Promise<readonly string[]> {
  const nodes = [...new Set([...referencesOf(fact, 'subject_refs'), ...evidenceOf(fact).map(({ source_id }) => source_id)])]
  if (nodes.length === 0) return []
  const { owner } = fact
  const edges = await env.store.edges({ owner, nodes, direction: 'incoming', types: ['subject', 'evidence'], limit: MAX_SHARING_FACTS })
  return edges.map(({ from }) => from)
}
