import { findOwnerAccess } from '../../core/access/access-filter.js'
import type { Fact, Instant, Scope } from '../../core/facts/fact.js'
import { digestOf, openCursor, sealCursor } from '../../core/input/cursor.js'
import { parseInstant } from '../../core/input/input.js'
import { refusal } from '../../core/input/refusal.js'
import { CONTENT_RELATION, SYSTEM_NAMESPACE } from '../../core/statements/statement.js'
import { factIdIn, normalUri } from '../../core/statements/uri.js'
import { fromHlc } from '../../core/time/hlc.js'
import type { StatementQuery } from '../../ports/statements.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { gardenNamed } from './new-statement.js'
import { ownerOf, type StatementCaller } from './speaker.js'

interface ListQuery {
  readonly entity?: string | undefined
  readonly relation?: string | undefined
  readonly source?: string | undefined
  readonly scope?: Scope | undefined
  readonly minConfidence?: number | undefined
  /** A time, or a position in the order of all statements. */
  readonly after?: string | undefined
  readonly includeContradicted?: boolean | undefined
  readonly includeExpired?: boolean | undefined
  readonly garden?: string | undefined
  readonly attested?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

interface StatementList {
  readonly facts: readonly Fact[]
  readonly contradicted: ReadonlySet<string>
  readonly total: number
  readonly cursor: string | null
}

/** Statements, newest first; ended and contradicted ones only on request. */
export async function listStatements(context: Context, speaker: StatementCaller, query: ListQuery): Promise<StatementList> {
  const { statements } = context
  const { cursor, limit, ...filters } = query
  const at = context.clock.now()
  const wanted = await statementQuery(context, speaker, query, at)
  const key = await statements.cursorKey()
  const digest = digestOf({ of: 'facts', who: callerOf(speaker), ...withoutUndefined(filters) })
  const place = cursor === undefined ? undefined : placeIn(openCursor(cursor, key, digest))
  const page = await statements.statements(wanted, { limit, ...(place === undefined ? {} : { before: place }) })
  const { next } = page
  return {
    facts: page.items,
    contradicted: await statements.contradicted(
      page.items.map(({ id }) => id),
      at,
    ),
    total: await totalOf(context, speaker, wanted),
    cursor: next === null ? null : sealCursor({ d: digest, at: next.at, key: next.key }, key),
  }
}

/** Counting stops here; the list then reports a lower bound. */
export const MAX_COUNTED = 10_000
const TOTAL_KEPT: Instant = 5e6
const MAX_KEPT = 1000

async function totalOf(context: Context, { principal }: StatementCaller, wanted: StatementQuery): Promise<number> {
  const { statements } = context
  const { totals } = context.services
  const { at, ...filters } = wanted
  const commit = await statements.lastCommit(wanted.owner)
  const key = JSON.stringify([filters, principal.reach])
  const before = totals.get(key)
  if (before !== undefined && before.commit === commit && before.until > at) return before.total
  const total = await statements.countStatements(wanted, MAX_COUNTED)
  if (totals.size >= MAX_KEPT) totals.clear()
  totals.set(key, { total, until: at + TOTAL_KEPT, commit })
  return total
}

/** Identifies the caller, because a cursor is valid for its caller only. */
export const callerOf = ({ principal }: StatementCaller): string => principal.key ?? `${principal.name}/${principal.owner ?? ''}`

const withoutUndefined = (
  filters: Readonly<Record<string, string | number | boolean | undefined>>,
): Record<string, string | number | boolean> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))

const placeIn = ({ at, key }: Readonly<Record<string, unknown>>): { readonly at: Instant; readonly key: number } => {
  if (typeof at === 'number' && typeof key === 'number') return { at, key }
  throw refusal('invalid_cursor', 'Invalid cursor')
}

async function statementQuery(env: Environment, speaker: StatementCaller, query: ListQuery, now: Instant): Promise<StatementQuery> {
  const owner = ownerOf(env, speaker)
  const entity = query.entity === undefined ? undefined : normalUri(query.entity)
  const own = entity === undefined ? undefined : factIdIn(entity)
  const relation = query.relation?.trim()
  const garden = query.garden === undefined ? undefined : await gardenAsked(env, speaker, owner, query.garden)
  return {
    owner,
    at: now,
    ...(own === undefined ? (entity === undefined ? {} : { entity }) : { ids: [own], plain: true }),
    ...(relation === undefined ? {} : relation === CONTENT_RELATION ? { plain: true } : { relation }),
    ...(query.source === undefined ? {} : { source: normalUri(query.source, 'source') }),
    ...(query.scope === undefined ? {} : { scope: query.scope }),
    ...(garden === undefined ? {} : { garden }),
    ...(query.attested === undefined ? {} : { attested: query.attested }),
    ...(query.minConfidence === undefined ? {} : { leastConfidence: query.minConfidence }),
    ...(query.after === undefined
      ? {}
      : { since: fromHlc(query.after) ?? parseInstant(query.after, 'Invalid after: must be a time or an HLC') }),
    ended: query.includeExpired === true,
    contradicted: query.includeContradicted === true,
    // System facts are returned only if requested by name.
    ...([entity, relation].some(
      (name) => name?.startsWith(SYSTEM_NAMESPACE) === true && !name.startsWith('stigmem://') && !isPlainName(name),
    )
      ? { system: true }
      : {}),
  }
}

/** Names in the reserved namespace that clients may use. */
const isPlainName = (name: string): boolean => name === 'stigmem:ttl' || name.startsWith('stigmem:rel:')

/** Reports a garden that the caller cannot access as an error. */
async function gardenAsked(env: Environment, speaker: StatementCaller, owner: string, withoutUndefined: string): Promise<string> {
  const found = await gardenNamed(env, owner, withoutUndefined)
  const into = findOwnerAccess(speaker.principal.reach, owner)
  if (found === null || into === undefined || (into.gardens !== 'all' && !into.gardens.includes(found.slug)))
    throw refusal(
      'access_denied',
      'This key does not let you look into that garden',
      'Ask an administrator of the garden to add you as a member.',
    )
  return found.slug
}
