import { findOwnerAccess } from '../../core/access/access-filter.js'
import type { Fact, Scope } from '../../core/facts/fact.js'
import { refusal } from '../../core/input/refusal.js'
import { cardSummary, MIN_SURE } from '../../core/statements/card-text.js'
import { normalUri } from '../../core/statements/uri.js'
import { type SanitiserMode, sanitised } from '../../core/text/sanitiser.js'
import { toMemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import type { Card, CardKey } from '../engine-services.js'
import type { Environment } from '../environment.js'
import { isCard } from './cards.js'
import { gardenNamed } from './new-statement.js'
import { ownerOf, type StatementCaller } from './speaker.js'

interface CardQuery {
  readonly entity: string
  /** The scope of the newest facts unless given. */
  readonly scope?: Scope | undefined
  readonly garden?: string | undefined
  readonly force: boolean
}

export interface ReadCard extends Card {
  readonly text: string
  readonly summary: string
  readonly warnings: readonly string[]
}

/** A card with sanitised texts, because stored text is data. */
export const asRead = (card: Card, mode: SanitiserMode): ReadCard => ({
  ...card,
  ...sanitised(typeof card.fact.value === 'string' ? card.fact.value : '', mode),
  summary: sanitised(cardSummary(card.fact.subject ?? '', card.facts, card.contradictions.length), mode).text,
})

/** Returned if building a requested card exceeded the wait: the facts it would contain. */
export interface CardFallback {
  readonly entity: string
  readonly scope: Scope
  readonly facts: readonly Fact[]
}

/** As many facts as a stale card lists. */
const MAX_RAW = 10

/** The card of an entity, if the caller has access to its scope. */
export async function readCard(context: Context, speaker: StatementCaller, query: CardQuery): Promise<ReadCard | CardFallback> {
  const { cards } = context.services
  const owner = ownerOf(context, speaker)
  const entity = normalUri(query.entity)
  const into = findOwnerAccess(speaker.principal.reach, owner)
  const unknown = (): Error =>
    refusal(
      'card_not_found',
      `Nothing is known of ${entity.slice(0, 200)} for a card, or it is not made yet`,
      'Assert facts about it, or ask again in a moment.',
    )
  if (into === undefined) throw unknown()
  // A missing and an inaccessible garden are indistinguishable.
  const garden = await gardenNamed(context, owner, query.garden).catch((failure: unknown) => {
    throw toMemoryError(failure).reason === 'garden_not_found' ? unknown() : failure
  })
  const scope = query.scope ?? garden?.scope ?? (await newestScope(context, owner, entity))
  const known = (['local', 'team', 'company', 'public'] as const).find((known) => known === scope)
  const card =
    known === undefined
      ? null
      : await cards.read({ owner, entity, scope: known, garden: garden?.slug ?? null }, into, { force: query.force })
  if (card !== null && !isCard(card) && card.timedOut && known !== undefined) {
    const facts = await rawFacts(context, { owner, entity, scope: known, garden: garden?.slug ?? null })
    if (facts.length > 0) return { entity, scope: known, facts }
  }
  if (!isCard(card)) throw unknown()
  return asRead(card, context.settings.statements.sanitiser)
}

async function rawFacts(env: Environment, key: CardKey): Promise<readonly Fact[]> {
  const wanted = { ...key, plain: false, at: env.clock.now(), leastConfidence: MIN_SURE }
  return (await env.statements.statements(wanted, { limit: MAX_RAW })).items
}

async function newestScope(env: Environment, owner: string, entity: string): Promise<string | undefined> {
  const page = await env.statements.statements({ owner, entity, garden: null, plain: false, at: env.clock.now() }, { limit: 1 })
  return page.items[0]?.scope
}
