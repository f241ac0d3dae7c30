import { setTimeout as delay } from 'node:timers/promises'
import { allowsClass, type OwnerAccess } from '../../core/access/access-filter.js'
import { completeFact, type Fact } from '../../core/facts/fact.js'
import { isCurrentStatus, isValidAt } from '../../core/facts/validity.js'
import { type CardText, cardKey, cardText, contradictionsAmong, MIN_SURE } from '../../core/statements/card-text.js'
import { CARD_RELATION, effectiveConfidence, SYSTEM_NAMESPACE, toStatementText } from '../../core/statements/statement.js'
import { toMemoryError } from '../../errors.js'
import type { StaleCard } from '../../ports/statements.js'
import type { Card, CardKey, Cards, PendingCard } from '../engine-services.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { LEASE_US } from '../lease-durations.js'

export const isCard = (read: Card | PendingCard | null): read is Card => read !== null && 'fact' in read

const CARD_SOURCE = 'system:stigmem:card-generator'
/** Limit of facts in a card. */
const MAX_READ = 400
/** Changes within this time result in one rebuild. */
const GATHER_MS = 2000
const BATCH_SIZE = 50

export function createCards(env: Environment, refreshMs = env.settings.statements.cardWaitMs): Cards {
  const { store, statements, jobs } = env
  const stop = new AbortController()
  let working: Promise<void> | undefined

  const read = async (key: CardKey, into: OwnerAccess): Promise<CardText & { readonly total: number }> => {
    const gardens = key.garden === null ? [] : [key.garden]
    const reach = { owners: [{ ...into, owner: key.owner, scopes: [key.scope], gardens }] }
    const at = env.clock.now()
    const wanted = { owner: key.owner, scope: key.scope, at, reach }
    const found = await statements.strongest({ ...wanted, nodes: [key.entity] }, MAX_READ)
    const facts = (found.get(key.entity) ?? []).filter((fact) => fact.garden === key.garden && isListedInCard(fact))
    const counted = await statements.countStatements({
      ...wanted,
      ...{ entity: key.entity, garden: key.garden, plain: false, contradicted: true, leastConfidence: MIN_SURE },
    })
    // The total includes superseded facts and facts of low trust; a short list was read completely.
    const total = facts.length < MAX_READ ? facts.length : Math.max(facts.length, counted)
    return { ...cardText({ entity: key.entity, refreshedAt: at, facts, total }), total }
  }

  const toCard = (key: CardKey, { text, listed, contradictions }: CardText, at: number, before: Fact | undefined): Fact => {
    const statement = { entity: key.entity, relation: CARD_RELATION, value: { type: 'text', v: text } } as const
    const stated = {
      ...{ id: cardKey(key, env.settings.defaultOwner), owner: key.owner, text: toStatementText(statement), kind: 'semantic', title: null },
      ...{ subject: key.entity, predicate: CARD_RELATION, value: text, author: null, session: null, date: null, scope: key.scope },
      ...{ garden: key.garden, status: 'active' as const, confidence: 1, importance: 1, source: CARD_SOURCE, reason: null, eventAt: at },
      ...{ validFrom: before?.validFrom ?? at, validUntil: null, recordedAt: before?.recordedAt ?? at, updatedAt: at, expiresAt: null },
      ...{ ttlDays: null, supersededBy: null, derivedFrom: [], metadata: {}, autoLink: false, dedupAt: null },
      version: (before?.version ?? 0) + 1,
    }
    return completeFact(stated, {
      ...{ form: 'card', valueType: 'text', assertedConfidence: 1, hlc: before?.hlc ?? null },
      // A card with facts from peers is restricted like these facts.
      receivedFrom: listed.find((fact) => fact.receivedFrom !== null)?.receivedFrom ?? null,
      details: {
        facts: listed.map(({ id, confidence }) => [id, confidence]),
        hashes: listed.flatMap(({ hash }) => hash ?? []),
        contradictions: contradictions.length,
      },
    })
  }

  /** Rebuilds and stores the card under the same key, so that there is one per key. */
  const make = (key: CardKey, known: StaleCard | undefined): Promise<Card | null> =>
    retryOnConflict(async () => {
      const [before] = await store.facts([cardKey(key, env.settings.defaultOwner)], key.owner)
      const made = await read(key, everythingOf(key.owner))
      if (made.listed.length === 0 && before === undefined) return null
      const write = (at: number): Fact => toCard(key, made, at, before)
      let fact = write(env.clock.now())
      if (!env.readOnly)
        await store.commit({ actor: CARD_SOURCE, owners: [key.owner] }, (now) => {
          fact = write(now)
          return [{ op: 'fact.put', fact, reason: 'refreshed' }]
        })
      if (known !== undefined) await statements.clearStaleCard(known)
      const [stored] = await store.facts([fact.id], key.owner)
      return made.listed.length === 0 ? null : { ...whole(made), fact: stored ?? fact }
    })

  const whole = ({ listed, contradictions }: CardText): Omit<Card, 'fact'> => ({
    ...{ isStale: false, timedOut: false, facts: listed, contradictions },
  })

  const staleOf = async ({ owner, entity, scope, garden }: CardKey): Promise<StaleCard | undefined> =>
    (await statements.staleCards({ owner, entity, scope, garden }, 1))[0]

  /** An existing card, unless it is known to be outdated. */
  const served = async (key: CardKey, card: Fact, isStale: boolean, timedOut: boolean): Promise<Card | PendingCard> => {
    const listed = listedIn(card)
    const facts = await store.facts([...listed.keys()], key.owner)
    const at = env.clock.now()
    const isRight = (fact: Fact): boolean => isValidAt(fact, { at, present: true }) && listed.get(fact.id) === fact.confidence
    if (facts.length < listed.size || !facts.every(isRight)) return { divergentFrom: listed, timedOut }
    const now = isStale ? await read(key, everythingOf(key.owner)) : undefined
    if (now !== undefined && now.contradictions.length !== Number(card.details?.contradictions ?? 0))
      return { divergentFrom: listed, timedOut }
    return { fact: card, isStale, timedOut, facts, contradictions: now?.contradictions ?? contradictionsAmong(facts) }
  }

  const refresh = async (): Promise<void> => {
    await delay(GATHER_MS, undefined, { ref: false, signal: stop.signal }).catch(() => undefined)
    if (stop.signal.aborted) return
    const lease = await jobs.take('cards', '*', env.ids.mint(), env.clock.now(), env.clock.now() + LEASE_US.link)
    if (lease === undefined) return
    let failure: string | null = null
    try {
      for (;;) {
        const stale = stop.signal.aborted ? [] : await statements.staleCards({}, BATCH_SIZE)
        for (const card of stale) if (!stop.signal.aborted) await make(card, card)
        if (stale.length < BATCH_SIZE || !(await jobs.renew(lease, env.clock.now() + LEASE_US.link, {}))) return
      }
    } catch (error) {
      failure = toMemoryError(error).message
      throw error
    } finally {
      await jobs.release(lease, env.clock.now(), failure)
    }
  }

  return {
    async read(key, into, { force = false } = {}) {
      if (!allowsClass(into, { scope: key.scope, garden: key.garden, federated: false })) return null
      const [card] = await store.facts([cardKey(key, env.settings.defaultOwner)], key.owner)
      const known = await staleOf(key)
      const isOld = card !== undefined && env.clock.now() - card.eventAt > env.settings.statements.cardSeconds * 1e6
      const isStale = known !== undefined || isOld
      const isMine = (fact: Fact): boolean =>
        allowsClass(into, { scope: fact.scope, garden: fact.garden, federated: fact.receivedFrom !== null })
      if (card !== undefined && !isStale && !force && isMine(card)) {
        // The card was built when no fact was left.
        if (listedIn(card).size === 0) return null
        const kept = await served(key, card, false, false)
        if (isCard(kept)) return kept
      }
      const made = await waitAtMost(make(key, known), refreshMs)
      if (made === 'late')
        return card === undefined || !isMine(card) ? { divergentFrom: null, timedOut: force } : served(key, card, true, force)
      if (made === null || isMine(made.fact)) return made
      // The card contains facts from peers; readers without access get an unstored card without them.
      const own = await read(key, into)
      return own.listed.length === 0 ? null : { ...whole(own), fact: toCard(key, own, env.clock.now(), undefined) }
    },
    wake() {
      if (stop.signal.aborted || env.readOnly) return
      working ??= refresh()
        .catch((error: unknown) => {
          if (!stop.signal.aborted) env.log.warn('card rebuild failed', { failure: toMemoryError(error).message })
        })
        .finally(() => {
          working = undefined
        })
    },
    async close() {
      stop.abort()
      await working
    },
  }
}

const everythingOf = (owner: string): OwnerAccess => ({ owner, scopes: 'all', gardens: 'all', federated: true })

/** True for facts above the confidence limit that are no system facts. */
const isListedInCard = (fact: Fact): boolean =>
  effectiveConfidence(fact) >= MIN_SURE &&
  isCurrentStatus(fact.status) &&
  fact.predicate?.startsWith(SYSTEM_NAMESPACE) !== true &&
  fact.predicate?.startsWith('garden:') !== true

function listedIn({ details }: Fact): ReadonlyMap<string, number> {
  const list = Array.isArray(details?.facts) ? details.facts : []
  return new Map(
    list.flatMap((entry): [string, number][] => {
      const [id, confidence] = Array.isArray(entry) ? entry : []
      return typeof id === 'string' && typeof confidence === 'number' ? [[id, confidence]] : []
    }),
  )
}

/** The work continues after the wait ends. */
async function waitAtMost<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  const late = new AbortController()
  if (ms <= 0) {
    void work.catch(() => undefined)
    return 'late'
  }
  const over = delay(ms, 'late' as const, { ref: false, signal: late.signal }).catch(() => 'late' as const)
  try {
    return await Promise.race([work, over])
  } finally {
    late.abort()
    void work.catch(() => undefined)
  }
}
