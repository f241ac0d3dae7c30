import type { Fact } from '../../core/fact.js'
import { titleOf } from '../../core/governed/objects.js'
import { isSoftlyCompared, type SoftHit, softDuplicatesOf } from '../../core/governed/soft-duplicates.js'
import { OWN_WORDS } from '../../core/recall/recipe.js'
import { queryTerms } from '../../core/text.js'
import type { Environment } from '../environment.js'
import { momentOf } from '../moment.js'
import { withView } from '../with-view.js'

/** Facts whose words are compared closely: whatever is alike enough is among the first of them. */
const CANDIDATES = 100
const READ_CHARACTERS = 2000

/** Knowledge that may say the same as one that was just written. */
export async function possibleDuplicates(env: Environment, fact: Fact): Promise<readonly SoftHit[]> {
  if (!isSoftlyCompared(fact)) return []
  const terms = queryTerms(`${titleOf(fact)} ${fact.text.slice(0, READ_CHARACTERS)}`)
  const ids = await withView(env.backend, fact.owner, async (view) => {
    const { hits } = await view.words.search(terms, momentOf(env.clock, undefined), CANDIDATES, OWN_WORDS)
    return [...(await view.rows.idsOf(hits.map(({ rid }) => rid))).values()]
  })
  const others = await env.backend.store.facts(ids.filter((id) => id !== fact.id))
  return softDuplicatesOf(
    fact,
    others.filter(({ owner }) => owner === fact.owner),
  )
}
