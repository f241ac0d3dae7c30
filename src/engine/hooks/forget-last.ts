import type { Fact } from '../../core/facts/fact.js'
import type { JournalEntry } from '../../core/journal/change.js'
import { plainWords } from '../../core/text/text.js'
import type { Environment } from '../environment.js'
import { forget } from '../facts/revise.js'
import { isCard } from './card.js'
import { ACTOR_PREFIX } from './hook-event.js'

const PAGE_SIZE = 500
const MAX_PAGES = 20
/** Facts of one prompt are stored within this time. */
const AT_ONCE = 5e6
/** A card is truncated, so only the first words of a statement are compared. */
const TELLING_WORDS = 4

/** Deletes the statements captured from the last prompt that contained any. Returns them. */
export async function forgetLast(env: Environment, actor: string): Promise<readonly Fact[]> {
  const last = await lastCaptured(env)
  const gone: Fact[] = []
  for (const fact of [...last, ...(await cardsThatTell(env, last))])
    if (await forget(env, actor, { id: fact.id, owner: fact.owner, reason: 'mneme forget --last' })) gone.push(fact)
  return gone
}

/** The card of the conversation if it repeats a statement. */
async function cardsThatTell(env: Environment, last: readonly Fact[]): Promise<readonly Fact[]> {
  const session = last[0]?.session
  if (session === undefined || session === null) return []
  const cards = (await env.store.listFacts({ session, limit: PAGE_SIZE, offset: 0, oldestFirst: true })).filter(isCard)
  const phrases = last.map(({ text }) => plainWords(text).slice(0, TELLING_WORDS).join(' '))
  return cards.filter(({ text }) => phrases.some((phrase) => plainWords(text).join(' ').includes(phrase)))
}

async function lastCaptured(env: Environment): Promise<readonly Fact[]> {
  let beyond: JournalEntry | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const entries = await env.store.journal({ newestFirst: true, limit: PAGE_SIZE, ...(beyond === undefined ? {} : { beyond }) })
    const ids = entries.filter(({ actor }) => actor.startsWith(ACTOR_PREFIX)).map(({ target }) => target)
    const facts = (await env.store.facts([...new Set(ids)])).filter((fact) => typeof fact.metadata.captured === 'string' && !isCard(fact))
    const [newest] = [...facts].sort((a, b) => b.recordedAt - a.recordedAt)
    if (newest !== undefined)
      return facts.filter((fact) => fact.session === newest.session && newest.recordedAt - fact.recordedAt <= AT_ONCE)
    beyond = entries.at(-1)
    if (beyond === undefined) return []
  }
  return []
}
