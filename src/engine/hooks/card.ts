import { sha256 } from '../../core/encoding/hash.js'
import { type JsonObject, textsIn } from '../../core/encoding/json.js'
import type { Fact } from '../../core/facts/fact.js'
import { type ConversationCard, cardText, EMPTY_CARD, isSubstantial, type Step, updateConversationCard } from '../../core/hooks/card.js'
import { UNSEARCHED_FIELDS } from '../../core/statements/statement.js'
import type { RecordedCall } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { toFact } from '../facts/remember.js'
import { revise } from '../facts/revise.js'
import { actorOf, type ConversationOwners, type HookEvent, sessionOf } from './hook-event.js'

export const CARD_KIND = 'card'
const MAX_FACTS = 50

/** Creates or updates the card of a conversation. */
export async function saveConversationCard(env: Environment, place: ConversationOwners, moment: HookEvent, step: Step): Promise<void> {
  const { conversation, client } = moment
  if (conversation === undefined) return
  const owner = place.project ?? place.person
  const session = sessionOf(conversation)
  const known = await cardOf(env, owner, session)
  const card = known ?? (await begin())
  if (card === undefined) return
  await revise(env, actorOf(client), {
    id: card.id,
    owner,
    change(fact) {
      const before = readCard(fact.metadata)
      const after = updateConversationCard(before, step)
      if (after === before) return undefined
      return { ...fact, ...UNSEARCHED_FIELDS, text: cardText(after), metadata: { ...fact.metadata, card: toJson(after) } }
    },
  })

  /** Creates the card, or returns the one created concurrently. */
  async function begin(): Promise<Fact | undefined> {
    const first = updateConversationCard(EMPTY_CARD, step)
    if (!isSubstantial(first)) return undefined
    const earlier = await createCard(env, moment, owner, session, first)
    if (earlier === undefined) return undefined
    const made = await cardOf(env, owner, session)
    // It was deleted since, so a new one is created.
    if (made === undefined) await createCard(env, moment, owner, session, first, earlier.commit)
    return made
  }
}

/** Returns the earlier call that created it, if any. */
async function createCard(
  env: Environment,
  { client, folder, conversation }: HookEvent,
  owner: string,
  session: string,
  card: ConversationCard,
  inPlaceOf = '',
): Promise<RecordedCall | undefined> {
  let made: Fact | undefined
  const newFact = {
    text: cardText(card),
    owner,
    session,
    kind: 'episodic',
    metadata: {
      captured: CARD_KIND,
      client,
      conversation: conversation ?? '',
      ...(folder === undefined ? {} : { folder }),
      card: toJson(card),
    },
  }
  const key = `card-${sha256(session + inPlaceOf)}`
  const call = { owner, actor: 'hook', key, fingerprint: key }
  const { earlier } = await env.store.commit({ actor: actorOf(client), owners: [owner], call }, (at) => {
    made = { ...toFact(env, newFact, at, { actor: actorOf(client), connection: null }), ...UNSEARCHED_FIELDS }
    return [{ op: 'fact.put', fact: made }]
  })
  return earlier
}

export async function cardOf(env: Environment, owner: string, session: string): Promise<Fact | undefined> {
  const facts = await env.store.listFacts({ owner, session, limit: MAX_FACTS, offset: 0, oldestFirst: true })
  return facts.find(isCard)
}

export const isCard = ({ metadata }: Pick<Fact, 'metadata'>): boolean => metadata.captured === CARD_KIND

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function readCard({ card }: JsonObject): ConversationCard {
  if (typeof card !== 'object' || card === null || Array.isArray(card)) return EMPTY_CARD
  const { task, files, commits, answer } = Object.fromEntries(Object.entries(card))
  return { task: textIn(task), files: textsIn(files), commits: textsIn(commits), answer: textIn(answer) }
}

const toJson = ({ task, files, commits, answer }: ConversationCard): JsonObject => ({
  task,
  files: [...files],
  commits: [...commits],
  answer,
})
