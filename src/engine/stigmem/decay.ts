import { randomUUID } from 'node:crypto'
import type { ControlRecord } from '../../core/access/control-record.js'
import type { JsonObject } from '../../core/encoding/json.js'
import type { Fact, Scope } from '../../core/facts/fact.js'
import { isCurrentStatus } from '../../core/facts/validity.js'
import { refusal } from '../../core/input/refusal.js'
import type { Change } from '../../core/journal/change.js'
import { computeDecay, DECAY, type DecayMode, type DecayPolicy, policyFor, policyOf } from '../../core/statements/decay.js'
import { retracted } from '../../core/statements/statement-effects.js'
import { MemoryError } from '../../errors.js'
import type { PageCursor } from '../../ports/store.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { LEASE_US } from '../lease-durations.js'
import { ownerOf, type StatementCaller } from './speaker.js'

const PAGE_SIZE = 200
/** A longer sweep continues after the response. */
export const MAX_BATCH_SIZE = 100_000

interface DecaySweep {
  readonly owner: string
  readonly scope?: Scope | undefined
  readonly mode?: DecayMode | undefined
  readonly policy?: string | undefined
}

interface SweepCount {
  readonly evaluated: number
  readonly retracted: number
  readonly reduced: number
  readonly policies: readonly string[]
}

interface StoredPolicy extends DecayPolicy {
  /** True for policies from the configuration, which callers cannot change. */
  readonly configured: boolean
}

/** Configured policies first, then stored ones. */
export async function listPolicies(env: Environment, owner: string): Promise<readonly StoredPolicy[]> {
  const configured = env.settings.statements.policies.map((data, i) =>
    policyOf(typeof data.id === 'string' ? data.id : `configured-${i + 1}`, data),
  )
  const made = (await env.store.arrangements({ kind: 'policy', owner })).map((record) => policyOf(publicId(record), record.data))
  return [...configured.map((policy) => ({ ...policy, configured: true })), ...made.map((policy) => ({ ...policy, configured: false }))]
}

/** Records of different owners never share an id, so a chosen id is stored as the name. */
const publicId = ({ id, name }: ControlRecord): string => name ?? id

/** Stores a policy under the given id, or a new one. */
export async function createPolicy(
  env: Environment,
  speaker: StatementCaller,
  data: JsonObject,
  chosenId?: string | undefined,
): Promise<DecayPolicy> {
  const recordId = randomUUID()
  const id = chosenId ?? recordId
  const owner = ownerOf(env, speaker)
  if ((await listPolicies(env, owner)).some((policy) => policy.id === id))
    throw new MemoryError('conflict', `Policy ${id} already exists.`, {
      reason: 'already_exists',
      hint: 'Choose another id, or delete that policy first.',
    })
  await env.store.commit({ actor: speaker.actor, owners: [owner] }, (now) => [
    {
      op: 'arrangement.put',
      arrangement: { kind: 'policy', id: recordId, owner, name: chosenId ?? null, data, createdAt: now, updatedAt: now, version: 1 },
    },
  ])
  return policyOf(id, data)
}

export async function deletePolicy(env: Environment, speaker: StatementCaller, id: string): Promise<void> {
  const owner = ownerOf(env, speaker)
  const known = (await env.store.arrangements({ kind: 'policy', owner })).find((record) => publicId(record) === id)
  if (known === undefined) throw refusal('policy_not_found', `There is no policy ${id.slice(0, 200)}`, 'GET /v1/decay/policies lists them.')
  await env.store.commit({ actor: speaker.actor, owners: [owner] }, () => [
    { op: 'arrangement.delete', kind: 'policy', id: known.id, owner },
  ])
}

interface SweepPage extends SweepCount {
  readonly next: PageCursor | null
}

/** Processes one page: all changes are in one commit, each fact with its edge. Idempotent. */
export async function sweepPage(
  env: Environment,
  actor: string,
  sweep: DecaySweep,
  policies: readonly DecayPolicy[],
  before: PageCursor | undefined,
): Promise<SweepPage> {
  const { statements, store } = env
  const filter = {
    owner: sweep.owner,
    plain: false,
    contradicted: true,
    at: env.clock.now(),
    ...(sweep.scope === undefined ? {} : { scope: sweep.scope }),
  }
  const { items, next } = await statements.statements(filter, { limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) })
  const done = { evaluated: 0, retracted: 0, reduced: 0, policies: new Set<string>() }
  await retryOnConflict(async () => {
    Object.assign(done, { evaluated: 0, retracted: 0, reduced: 0 })
    const facts = (
      await store.facts(
        items.map(({ id }) => id),
        sweep.owner,
      )
    ).filter((fact) => isCurrentStatus(fact.status))
    const now = env.clock.now()
    const changes: ((at: number) => Change)[] = []
    for (const fact of facts) {
      const policy = policyFor(policies, fact)
      if (policy === undefined) continue
      done.evaluated++
      const fading = computeDecay(fact, policy, now)
      if (fading === undefined) continue
      done.policies.add(policy.id)
      if (fading.to === 'nothing') done.retracted++
      else done.reduced++
      if ((sweep.mode ?? policy.mode) === 'dry_run') continue
      changes.push((committedAt) => ({ op: 'fact.put', fact: faded(fact, fading.to, committedAt), reason: DECAY }))
    }
    if (changes.length > 0)
      await store.commit({ actor, owners: [sweep.owner] }, (committedAt) => changes.map((change) => change(committedAt)))
  })
  return { ...done, policies: [...done.policies], next }
}

const faded = (fact: Fact, to: number | 'nothing', at: number): Fact =>
  to === 'nothing' ? retracted(fact, at) : { ...fact, confidence: to, updatedAt: at, version: fact.version + 1 }

/** The policies of a sweep; a requested mode replaces that of each policy. */
async function policiesOf(env: Environment, { owner, mode, policy }: DecaySweep): Promise<readonly DecayPolicy[]> {
  const all = await listPolicies(env, owner)
  const chosen = policy === undefined ? all : all.filter(({ id }) => id === policy)
  if (policy !== undefined && chosen.length === 0)
    throw refusal('policy_not_found', `There is no policy ${policy.slice(0, 200)}`, 'GET /v1/decay/policies lists them.')
  return mode === undefined || mode === 'dry_run' ? chosen : chosen.map((policy) => ({ ...policy, mode }))
}

interface SweepReport extends SweepCount {
  readonly sweptAt: number
  readonly isDry: boolean
  /** True if the sweep continues after the response. */
  readonly isRunning: boolean
}

export const EMPTY_REPORT: SweepCount = { evaluated: 0, retracted: 0, reduced: 0, policies: [] }

/** Runs a decay sweep over the caller's owner; cards are updated afterwards. */
export async function sweepAsCaller(context: Context, speaker: StatementCaller, sweep: Omit<DecaySweep, 'owner'>): Promise<SweepReport> {
  const report = await sweepStatements(context, speaker.actor, { ...sweep, owner: ownerOf(context, speaker) })
  context.services.cards.wake()
  return report
}

/** Applies decay policies page by page under a lease. */
async function sweepStatements(env: Environment, actor: string, sweep: DecaySweep): Promise<SweepReport> {
  const policies = await policiesOf(env, sweep)
  const filter = { owner: sweep.owner, plain: false, contradicted: true, ended: true, at: env.clock.now() }
  const within = sweep.scope === undefined ? filter : { ...filter, scope: sweep.scope }
  const size = await env.statements.countStatements(within, MAX_BATCH_SIZE + 1)
  const sweptAt = env.clock.now()
  const isDry = sweep.mode === 'dry_run'
  const work = sweepUnderLease(env, actor, sweep, policies)
  if (size <= MAX_BATCH_SIZE) return { ...(await work), sweptAt, isDry, isRunning: false }
  void work.catch((error: unknown) => env.log.warn('a sweep of fading statements stopped', { failure: String(error) }))
  return { ...EMPTY_REPORT, sweptAt, isDry, isRunning: true }
}

async function sweepUnderLease(env: Environment, actor: string, sweep: DecaySweep, policies: readonly DecayPolicy[]): Promise<SweepCount> {
  const { jobs } = env
  const until = (): number => env.clock.now() + LEASE_US.sweep
  const lease = await jobs.take('sweep', `${sweep.owner}/${sweep.scope ?? '*'}`, env.ids.mint(), env.clock.now(), until())
  if (lease === undefined)
    throw new MemoryError('conflict', 'A sweep of this scope is running already', {
      reason: 'sweep_running',
      hint: 'Try again when it has ended.',
    })
  let count = EMPTY_REPORT
  let failure: string | null = null
  try {
    for (let before: PageCursor | undefined; ; ) {
      const page = await sweepPage(env, actor, sweep, policies, before)
      count = {
        evaluated: count.evaluated + page.evaluated,
        retracted: count.retracted + page.retracted,
        reduced: count.reduced + page.reduced,
        policies: [...new Set([...count.policies, ...page.policies])],
      }
      if (page.next === null || !(await jobs.renew(lease, until(), { evaluated: count.evaluated }))) return count
      before = page.next
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    await jobs.release(lease, env.clock.now(), failure)
  }
}
