import { gardenOf } from '../../core/access/garden.js'
import type { Fact, Instant, Scope } from '../../core/facts/fact.js'
import { isValidAt } from '../../core/facts/validity.js'
import { isDisputable, sameValue } from '../../core/statements/contradiction.js'
import { statementOf, toTimestamp } from '../../core/statements/statement.js'
import { normalUri } from '../../core/statements/uri.js'
import type { PageCursor } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'
import { ownerOf, type StatementCaller } from './speaker.js'

export const LINT_CHECKS = ['contradiction', 'stale', 'orphan', 'broken_ref', 'namespacing'] as const
type LintCheck = (typeof LINT_CHECKS)[number]

interface LintFinding {
  readonly check: LintCheck
  readonly severity: 'error' | 'warning' | 'info'
  readonly entity: string
  readonly relation: string | null
  readonly facts: readonly string[]
  readonly detail: string
}

interface LintQuery {
  readonly scope: Scope
  readonly checks: readonly LintCheck[]
  readonly entity?: string | undefined
  readonly relation?: string | undefined
  /** Facts that expire within this time are reported as well. */
  readonly lookaheadSeconds: number
}

interface LintReport {
  readonly findings: readonly LintFinding[]
  readonly checkedAt: Instant
  readonly facts: number
}

const PAGE_SIZE = 500
const MAX_FINDINGS = 1000
const NAMESPACED_RELATION = /^[^\s:]+:\S/u

/** Current and upcoming problems of the statements in a scope. Changes nothing. */
export async function lintStatements(env: Environment, speaker: StatementCaller, options: LintQuery): Promise<LintReport> {
  const query = options.entity === undefined ? options : { ...options, entity: normalUri(options.entity) }
  const at = env.clock.now()
  const owner = ownerOf(env, speaker)
  const facts = await statementsOf(env, owner, query, at)
  const turn = createYieldPoint()
  const live: Fact[] = []
  for (const fact of facts) {
    await turn()
    if (isValidAt(fact, { at, present: true })) live.push(fact)
  }
  const gardens = (await env.store.arrangements({ kind: 'garden', owner })).map(gardenOf)
  const deleted = new Set(gardens.filter((garden) => garden.isDeleted).map(({ slug }) => slug))
  const homeless = (): readonly LintFinding[] =>
    live
      .filter((fact) => fact.garden !== null && deleted.has(fact.garden))
      .map((fact) => finding('orphan', 'warning', [fact], `Its garden ${fact.garden} was deleted`))
  const checks: Readonly<Record<LintCheck, () => readonly LintFinding[] | Promise<readonly LintFinding[]>>> = {
    contradiction: () => contradictions(live, turn),
    stale: () => stale(facts, at, query.lookaheadSeconds),
    orphan: async () => [...(await orphans(live, turn)), ...homeless()],
    broken_ref: () => brokenRefs(live, turn),
    namespacing: () => live.filter((fact) => !NAMESPACED_RELATION.test(fact.predicate ?? '')).map(unnamespaced),
  }
  const isAsked = ({ entity, relation }: LintFinding): boolean =>
    (query.entity === undefined || entity === query.entity) && (query.relation === undefined || relation === query.relation)
  const findings: LintFinding[] = []
  for (const check of LINT_CHECKS) {
    if (!query.checks.includes(check) || findings.length >= MAX_FINDINGS) continue
    const found = await checks[check]()
    findings.push(...found.filter(isAsked).slice(0, MAX_FINDINGS - findings.length))
    await turn()
  }
  return { findings, checkedAt: at, facts: live.length }
}

type YieldPoint = ReturnType<typeof createYieldPoint>

async function statementsOf(env: Environment, owner: string, { scope }: LintQuery, now: Instant): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for (let before: PageCursor | undefined; ; ) {
    const page = await env.statements.statements(
      { owner, scope, plain: false, at: now, contradicted: true, ended: true },
      { limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) },
    )
    facts.push(...page.items.filter(({ status }) => status !== 'retracted' && status !== 'superseded'))
    if (page.next === null) return facts
    before = page.next
  }
}

const finding = (
  check: LintCheck,
  severity: LintFinding['severity'],
  facts: readonly Fact[],
  detail: string,
  entity?: string,
): LintFinding => {
  const statement = facts[0] === undefined ? undefined : statementOf(facts[0])
  return {
    ...{
      check,
      severity,
      entity: entity ?? statement?.entity ?? '',
      relation: entity === undefined ? (statement?.relation ?? null) : null,
    },
    ...{ facts: facts.map(({ id }) => id), detail },
  }
}

async function grouped(facts: readonly Fact[], turn: YieldPoint, keyOf: (fact: Fact) => string): Promise<readonly (readonly Fact[])[]> {
  const groups = new Map<string, Fact[]>()
  for (const fact of facts) {
    await turn()
    const key = keyOf(fact)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
  }
  return [...groups.values()]
}

async function contradictions(live: readonly Fact[], turn: YieldPoint): Promise<readonly LintFinding[]> {
  const keyOf = ({ subject, predicate, garden }: Fact): string => JSON.stringify([subject, predicate, garden])
  const found: LintFinding[] = []
  for (const group of await grouped(live.filter(isDisputable), turn, keyOf)) {
    await turn()
    const [first, ...rest] = group
    if (first !== undefined && rest.some((fact) => !sameValue(fact, first)))
      found.push(finding('contradiction', 'error', group, `${group.length} facts say different things`))
  }
  return found
}

function stale(facts: readonly Fact[], now: Instant, lookaheadSeconds: number): readonly LintFinding[] {
  return facts.flatMap((fact) => {
    if (fact.validUntil === null || fact.validUntil > now + lookaheadSeconds * 1e6) return []
    const when = toTimestamp(fact.validUntil)
    return fact.validUntil <= now
      ? [finding('stale', 'warning', [fact], `It expired at ${when}`)]
      : [finding('stale', 'info', [fact], `It expires at ${when}`)]
  })
}

const targetOf = (fact: Fact): string | undefined => {
  const { value } = statementOf(fact)
  return value.type === 'ref' && typeof value.v === 'string' ? value.v : undefined
}

async function orphans(live: readonly Fact[], turn: YieldPoint): Promise<readonly LintFinding[]> {
  const linked = new Set<string>()
  for (const fact of live) {
    await turn()
    const target = targetOf(fact)
    if (target !== undefined) linked.add(statementOf(fact).entity).add(target)
  }
  const found: LintFinding[] = []
  for (const group of await grouped(live, turn, (fact) => statementOf(fact).entity)) {
    const [first] = group
    if (first === undefined || linked.has(statementOf(first).entity)) continue
    found.push(finding('orphan', 'info', group.slice(0, 20), 'Nothing refers to it, and it refers to nothing', statementOf(first).entity))
  }
  return found
}

async function brokenRefs(live: readonly Fact[], turn: YieldPoint): Promise<readonly LintFinding[]> {
  const known = new Set(live.map((fact) => statementOf(fact).entity))
  const found: LintFinding[] = []
  for (const fact of live) {
    await turn()
    const target = targetOf(fact)
    if (target === undefined || known.has(target) || target.startsWith('mneme:')) continue
    found.push(finding('broken_ref', 'warning', [fact], `Nothing is known of ${target} in this scope`))
  }
  return found
}

const unnamespaced = (fact: Fact): LintFinding =>
  finding('namespacing', 'warning', [fact], `The relation ${statementOf(fact).relation} has no namespace, such as memory:role`)
