import { randomUUID } from 'node:crypto'
import type { Fact, Instant } from '../../core/facts/fact.js'
import { isValidAt, withStatus } from '../../core/facts/validity.js'
import { digestOf, openCursor, sealCursor } from '../../core/input/cursor.js'
import { refusal } from '../../core/input/refusal.js'
import type { Change } from '../../core/journal/change.js'
import { isDisputable } from '../../core/statements/contradiction.js'
import { statementOf, type TypedValue } from '../../core/statements/statement.js'
import {
  BETWEEN_RELATION,
  RESOLVED_STATUS,
  RESOLVES_RELATION,
  STATUS_RELATION,
  sidesOf,
  systemFact,
  UNRESOLVED_STATUS,
} from '../../core/statements/statement-effects.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { callerOf } from './list.js'
import { prepareStatement, unprocessable } from './new-statement.js'
import { ownerOf, type StatementCaller } from './speaker.js'

type ConflictStatus = typeof UNRESOLVED_STATUS | typeof RESOLVED_STATUS

export interface Conflict {
  readonly id: string
  readonly sides: readonly [Fact, Fact]
  readonly status: ConflictStatus
  /** The fact that resolved it. */
  readonly resolvedBy: string | null
  readonly detectedAt: Instant
}

const PAGE_SIZE = 200

/** The current state of a conflict: it ends with either of its facts, resolved or not. */
async function conflictOf(env: Environment, between: Fact): Promise<Conflict | undefined> {
  const { store, statements } = env
  const facts = await store.facts(sidesOf(between))
  const [older, newer] = [...facts].sort((a, b) => a.recordedAt - b.recordedAt || (a.id < b.id ? -1 : 1))
  if (older === undefined || newer === undefined || between.subject === null) return undefined
  const at = env.clock.now()
  const query = { owner: between.owner, entity: between.subject, at, system: true }
  const { items } = await statements.statements({ ...query, relation: STATUS_RELATION }, { limit: 1 })
  const [resolves] = (await statements.statements({ ...query, relation: RESOLVES_RELATION }, { limit: 1 })).items
  const isOpen =
    items[0]?.value === UNRESOLVED_STATUS && [older, newer].every((side) => isDisputable(side) && isValidAt(side, { at, present: true }))
  return {
    id: between.subject,
    sides: [older, newer],
    status: isOpen ? UNRESOLVED_STATUS : RESOLVED_STATUS,
    resolvedBy: typeof resolves?.value === 'string' ? resolves.value : null,
    detectedAt: between.recordedAt,
  }
}

interface ConflictList {
  readonly conflicts: readonly Conflict[]
  readonly cursor: string | null
}

/** Newest first. A conflict with a hidden fact does not exist for the caller. */
export async function listConflicts(
  env: Environment,
  speaker: StatementCaller,
  query: { readonly status?: ConflictStatus | undefined; readonly cursor?: string | undefined; readonly limit: number },
): Promise<ConflictList> {
  const { statements } = env
  const key = await statements.cursorKey()
  const digest = digestOf({ of: 'conflicts', who: callerOf(speaker), status: query.status ?? null })
  const opened = query.cursor === undefined ? undefined : openCursor(query.cursor, key, digest)
  let before = typeof opened?.at === 'number' && typeof opened.key === 'number' ? { at: opened.at, key: opened.key } : undefined
  const found: Conflict[] = []
  const wanted = { owner: ownerOf(env, speaker), relation: BETWEEN_RELATION, at: env.clock.now(), system: true }
  for (;;) {
    // Reads one by one when the page is nearly full, so that it ends at the last conflict shown.
    const limit = Math.min(PAGE_SIZE, query.limit - found.length)
    const page = await statements.statements(wanted, { limit, ...(before === undefined ? {} : { before }) })
    for (const between of page.items) {
      const conflict = await conflictOf(env, between)
      if (conflict !== undefined && (query.status === undefined || conflict.status === query.status)) found.push(conflict)
    }
    const { next } = page
    if (next === null) return { conflicts: found, cursor: null }
    before = { at: next.at, key: Number(next.key) }
    if (found.length >= query.limit) return { conflicts: found, cursor: sealCursor({ d: digest, ...before }, key) }
  }
}

export interface Resolution {
  readonly id: string
  readonly winner: string | null
  readonly note: string | undefined
  readonly value: TypedValue | undefined
}

async function lookUpConflict(
  env: Environment,
  speaker: StatementCaller,
  id: string,
): Promise<{ readonly between: Fact; readonly conflict: Conflict }> {
  const entity = id.startsWith('stigmem:conflict:') ? id : `stigmem:conflict:${id}`
  const query = { owner: ownerOf(env, speaker), entity, relation: BETWEEN_RELATION, at: env.clock.now(), system: true }
  const [between] = (await env.statements.statements(query, { limit: 1 })).items
  const conflict = between === undefined ? undefined : await conflictOf(env, between)
  if (between === undefined || conflict === undefined)
    throw refusal('conflict_not_found', `There is no conflict ${id.slice(0, 200)}`, 'GET /v1/conflicts lists them.')
  return { between, conflict }
}

/** A conflict by its id. One with a side that the caller may not read does not exist for the caller. */
export const findConflict = async (env: Environment, speaker: StatementCaller, id: string): Promise<Conflict> =>
  (await lookUpConflict(env, speaker, id)).conflict

/** Resolves a conflict: one statement supersedes both facts, whose contents stay unchanged. */
export async function resolveConflict(context: Context, speaker: StatementCaller, { id, winner, note, value }: Resolution): Promise<Fact> {
  const resolved = await retryOnConflict(async () => {
    const { store, statements } = context
    const { between, conflict } = await lookUpConflict(context, speaker, id)
    const { owner } = between
    const entity = conflict.id
    const query = { owner, entity, at: context.clock.now(), system: true }
    if (conflict.status === RESOLVED_STATUS)
      throw new MemoryError('conflict', 'This conflict is resolved already', {
        reason: 'conflict_resolved',
        hint: 'GET /v1/conflicts shows what settled it.',
      })
    const chosen = conflict.sides.find((side) => side.id === winner)
    if (winner !== null && chosen === undefined)
      throw unprocessable(
        'Invalid winning_fact_id: it is neither of the two',
        `Give ${conflict.sides.map((side) => side.id).join(' or ')}.`,
      )
    const [first] = conflict.sides
    const settled = value ?? (chosen === undefined ? undefined : statementOf(chosen).value)
    if (settled === undefined) throw unprocessable('Give winning_fact_id, or new_value')
    const { relation, entity: about } = statementOf(first)
    const make = await prepareStatement(context, speaker, {
      ...{ entity: about, relation, value: settled, confidence: 1, scope: first.scope, garden: first.garden ?? undefined, reason: note },
    })
    const open = (await statements.statements({ ...query, relation: STATUS_RELATION }, { limit: 1 })).items
    const [status] = await store.facts(open.map((conflict) => conflict.id))
    let fact: Fact | undefined
    await store.commit({ actor: speaker.actor, owners: [owner] }, (now): readonly Change[] => {
      const resolution = make(now)
      fact = resolution
      const replaced = (member: Fact): Change => ({
        op: 'fact.put',
        fact: { ...withStatus(member, 'superseded', now), supersededBy: resolution.id, updatedAt: now, version: member.version + 1 },
        reason: note ?? 'conflict resolved',
      })
      const noted = (said: string, as: string): Change => ({
        op: 'fact.put',
        fact: systemFact(between, { entity, relation: as, value: said, key: randomUUID() }, now),
      })
      return [
        ...conflict.sides.map(replaced),
        ...(status === undefined ? [] : [replaced(status)]),
        { op: 'fact.put', fact: resolution, ...(note === undefined ? {} : { reason: note }) },
        noted(RESOLVED_STATUS, STATUS_RELATION),
        noted(resolution.id, RESOLVES_RELATION),
      ]
    })
    const stored = fact === undefined ? undefined : (await store.facts([fact.id]))[0]
    if (stored === undefined) throw new MemoryError('internal', 'The resolution was not stored.')
    await context.embedding.now([stored.id], [stored])
    return stored
  })
  context.services.cards.wake()
  return resolved
}

/** The ids among these that a stronger statement contradicts. */
export const contradictedAmong = ({ statements, clock }: Environment, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  statements.contradicted(ids, clock.now())
