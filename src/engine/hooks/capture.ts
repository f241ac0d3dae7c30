import { sha256 } from '../../core/encoding/hash.js'
import { computeContentKey } from '../../core/facts/duplicates.js'
import type { Fact, NewFact } from '../../core/facts/fact.js'
import { withoutBlocks } from '../../core/hooks/cleaning.js'
import { type CapturedStatement, statementsIn } from '../../core/hooks/statements.js'
import { secretsIn } from '../../core/secrets/scan.js'
import { UNSEARCHED_FIELDS } from '../../core/statements/statement.js'
import { words } from '../../core/text/text.js'
import type { RecordedCall } from '../../ports/store.js'
import { resolveAsOf } from '../as-of.js'
import type { Environment } from '../environment.js'
import { checkNewFact, toFact } from '../facts/remember.js'
import { entriesOf } from '../history/entries.js'
import { withView } from '../with-view.js'
import { ACTOR_PREFIX, actorOf, type ConversationOwners, type HookEvent, sessionOf } from './hook-event.js'

export const CAPTURED_KINDS: Readonly<Record<CapturedStatement['sort'], 'semantic' | 'procedural'>> = {
  remember: 'semantic',
  decision: 'semantic',
  rule: 'procedural',
  preference: 'procedural',
}
const MAX_TURN_CHARS = 4000
const MAX_COMPARED_FACTS = 20

/** Stores explicit statements of a person as candidates with provenance. Returns the number of new ones. */
export async function captureStatements(env: Environment, place: ConversationOwners, moment: HookEvent): Promise<number> {
  const { prompt, conversation } = moment
  if (prompt === undefined || conversation === undefined) return 0
  let kept = 0
  for (const { text, sort, ofPerson } of statementsIn(prompt)) {
    const owner = ofPerson ? place.person : (place.project ?? place.person)
    const newFact = { text, owner, kind: CAPTURED_KINDS[sort], status: 'candidate', ...provenance(moment, conversation, sort) } as const
    if (await storeOnce(env, moment.client, newFact)) kept += 1
  }
  return kept
}

/** Stores turns if configured, for a limited time. */
export async function captureTurn(
  env: Environment,
  place: ConversationOwners,
  moment: HookEvent,
  author: 'user' | 'assistant',
  text: string,
): Promise<boolean> {
  const { conversation } = moment
  const { mode, turnDays } = env.settings.capture
  if (mode !== 'turns' || conversation === undefined) return false
  const plain = withoutSecrets(withoutBlocks(text)).slice(0, MAX_TURN_CHARS).trim()
  if (plain === '') return false
  const turnOrigin = provenance(moment, conversation, 'turn')
  const newFact = {
    ...turnOrigin,
    text: plain,
    owner: place.project ?? place.person,
    kind: 'episodic',
    author,
    ttlDays: turnDays,
  }
  return storeOnce(env, moment.client, newFact, author === 'user' ? UNSEARCHED_FIELDS : {})
}

const withoutSecrets = (text: string): string =>
  text
    .split('\n')
    .filter((line) => secretsIn(line).length === 0)
    .join('\n')

const provenance = (
  { client, folder }: HookEvent,
  conversation: string,
  captured: string,
): Pick<NewFact, 'author' | 'session' | 'metadata'> => ({
  author: 'user',
  session: sessionOf(conversation),
  metadata: { captured, client, conversation, ...(folder === undefined ? {} : { folder }) },
})

/**
 * Stores a fact unless its owner has it, also if it is repeated in another conversation or sent by two installations at once. The
 * idempotency key decides between processes.
 */
async function storeOnce(env: Environment, client: string, newFact: NewFact, kept: Partial<Fact> = {}): Promise<boolean> {
  const owner = newFact.owner ?? env.settings.defaultOwner
  const actor = actorOf(client)
  checkNewFact(env, newFact)
  const draft = toFact(env, newFact, env.clock.now(), { actor, connection: null })
  const wording = computeContentKey(draft)
  if (await isKnown(env, draft, wording)) return false
  // A deleted statement may be stored again, and turns are distinct per conversation.
  const fingerprint = sha256(`${wording}\0${newFact.kind === 'episodic' ? newFact.session : ''}`)
  const commit = (key: string | undefined) => {
    let fact: Fact | undefined
    const decide = (at: number) => {
      fact = { ...toFact(env, newFact, at, { actor, connection: null }), ...kept }
      return [{ op: 'fact.put' as const, fact }]
    }
    const call = key === undefined ? undefined : { owner, actor: 'hook', key, fingerprint }
    return env.store.commit({ actor, owners: [owner], call }, decide).then(({ earlier }) => ({ fact, earlier }))
  }
  const first = await commit(`capture-${fingerprint}`)
  if (first.earlier !== undefined && (await isStillThere(env, first.earlier))) return false
  const stored = first.earlier === undefined ? first : await commit(undefined)
  if (stored.fact === undefined) return false
  // A prompt waits for the commit, not for the vector.
  void env.embedding.now([stored.fact.id])
  return true
}

/** True if facts of an earlier call still exist. */
async function isStillThere(env: Environment, earlier: RecordedCall): Promise<boolean> {
  const entries = await entriesOf(env.store, earlier, MAX_COMPARED_FACTS)
  return (await env.store.facts(entries.map(({ target }) => target))).length > 0
}

/** Whether an owner has a current fact of this wording. */
export function isStoredAlready(env: Environment, newFact: NewFact): Promise<boolean> {
  const draft = toFact(env, newFact, env.clock.now(), { actor: ACTOR_PREFIX, connection: null })
  return isKnown(env, draft, computeContentKey(draft))
}

async function isKnown(env: Environment, draft: Fact, wording: string): Promise<boolean> {
  const ids = await withView(env, draft.owner, async (view) => {
    const rids = await view.words.phrase(words(draft.text).slice(0, 12), MAX_COMPARED_FACTS)
    return [...(await view.rows.idsOf(rids)).values()]
  })
  if (ids.length === 0) return false
  const { at } = resolveAsOf(env.clock)
  const alive = (fact: Fact): boolean =>
    (fact.validUntil === null || fact.validUntil > at) && (fact.expiresAt === null || fact.expiresAt > at)
  const facts = await env.store.facts(ids)
  return facts.some(
    (fact) =>
      alive(fact) &&
      computeContentKey({ ...fact, author: draft.author }) === wording &&
      (draft.kind !== 'episodic' || fact.session === draft.session),
  )
}
