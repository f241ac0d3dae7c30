import { isAllowed, type Principal } from '../../core/access/access-filter.js'
import { attested, HISTORY, trustOf } from '../../core/access/attestation.js'
import type { Scope } from '../../core/facts/fact.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'

/** The caller of a stigmem operation and its name in the journal. */
export interface StatementCaller {
  readonly principal: Principal
  readonly actor: string
}

export const ownerOf = (env: Environment, { principal }: Pick<StatementCaller, 'principal'>): string =>
  principal.owner ?? env.settings.defaultOwner

/** True if the caller may retract facts of a source: it is the source, or an administrator. */
export const mayRetractFor = ({ principal }: StatementCaller, source: string): boolean =>
  principal.proof === 'none' || isAllowed(principal, 'admin') || principal.entity === source || principal.sources.includes(source)

/** Trust is recomputed at most this often. */
const TRUST_KEPT_US = 60e6
/** In a longer history, the newest statements suffice. */
const MAX_COUNTED = 1000

const MAX_KNOWN = 10_000

/**
 * Trust in a source within a scope; null if the source is unknown. It is shown with every fact, so it is computed from facts that every
 * reader of the scope may read, up to a time that is independent of writes.
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
