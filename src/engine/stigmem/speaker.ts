import { isAllowed, type Principal } from '../../core/access/access-filter.js'
import { attested, HISTORY, trustOf } from '../../core/access/attestation.js'
import type { Scope } from '../../core/facts/fact.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'

/** Who says something, and how the journal names them. */
export interface StatementCaller {
  readonly principal: Principal
  readonly actor: string
}

export const ownerOf = (env: Environment, { principal }: Pick<StatementCaller, 'principal'>): string =>
  principal.owner ?? env.settings.defaultOwner

/** Whether someone may take back what a source said: the source itself, or whoever keeps the place. */
export const mayRetractFor = ({ principal }: StatementCaller, source: string): boolean =>
  principal.proof === 'none' || isAllowed(principal, 'admin') || principal.entity === source || principal.sources.includes(source)

/** Trust is found out this often at most, from what was said before the time began. */
const TRUST_KEPT_US = 60e6
/** Of longer histories the newest tell enough. */
const MAX_COUNTED = 1000

const MAX_KNOWN = 10_000

/**
 * How far whoever speaks is trusted in a scope; null where nobody is known. It is told with every fact, so it follows from
 * what every reader of the scope may read: the scope's own facts, up to a time that does not depend on who wrote when.
 */
export async function trustIn(
  context: Context,
  { principal }: StatementCaller,
  { owner, source, scope }: { readonly owner: string; readonly source: string; readonly scope: Scope },
): Promise<number | null> {
  if (principal.proof === 'none') return null
  const key = JSON.stringify([owner, source, scope, principal.key ?? principal.name])
  const now = context.clock.now()
  const kept = context.services.trust
  const before = kept.get(key)
  if (before !== undefined && before.until > now) return before.trust
  const from = Math.floor(now / TRUST_KEPT_US) * TRUST_KEPT_US
  const trust = trustOf({
    identity: principal.proof === 'key' ? 'key' : 'token',
    history: await context.statements.sourceHistory({ owner, source, scope, after: from - HISTORY, until: from }, MAX_COUNTED),
    authority: principal.mayWrite ? 'token' : isAllowed(principal, 'admin') ? 'admin' : 'none',
    mode: context.settings.statements.attestation,
  })
  if (kept.size > MAX_KNOWN) kept.clear()
  kept.set(key, { until: from + TRUST_KEPT_US, trust })
  return trust
}

export const attestedFor = (env: Environment, { principal }: StatementCaller, source: string): boolean | null =>
  attested(principal, source, env.settings.statements.attestation)
