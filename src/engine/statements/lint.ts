import { gardenOf } from '../../core/access/garden.js'
import { isDisputable, sameValue } from '../../core/contradiction.js'
import type { Fact, Instant, Scope } from '../../core/fact.js'
import { statementOf, toTimestamp } from '../../core/statement.js'
import { isValidAt } from '../../core/validity.js'
import type { Place } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { ownerOf, type Speaker } from './speaker.js'

export const LINT_CHECKS = ['contradiction', 'stale', 'orphan', 'broken_ref', 'namespacing'] as const
export type LintCheck = (typeof LINT_CHECKS)[number]

export interface LintFinding {
  readonly check: LintCheck
  readonly severity: 'error' | 'warning' | 'info'
  readonly entity: string
  readonly relation: string | null
  readonly facts: readonly string[]
  readonly detail: string
}

export interface LintQuery {
  readonly scope: Scope
  readonly checks: readonly LintCheck[]
  readonly entity?: string | undefined
  readonly relation?: string | undefined
  /** What ends within so long is told, too. */
  readonly lookaheadSeconds: number
}

export interface LintReport {
  readonly findings: readonly LintFinding[]
  readonly checkedAt: Instant
  readonly facts: number
}

const PAGE = 500
const MOST_FINDINGS = 1000
const NAMESPACED = /^[^\s:]+:\S/u

/** What is wrong, or will be, with the statements of a scope. Changes nothing. */
export async function lintStatements(env: Environment, speaker: Speaker, query: LintQuery): Promise<LintReport> {
  const at = env.clock.now()
  const owner = ownerOf(env, speaker)
  const facts = await statementsOf(env, owner, query, at)
  const live = facts.filter((fact) => isValidAt(fact, { at, present: true }))
  const gardens = (await env.backend.store.arrangements({ kind: 'garden', owner })).map(gardenOf)
  const deleted = new Set(gardens.filter((garden) => garden.isDeleted).map(({ slug }) => slug))
  const homeless = live
    .filter((fact) => fact.garden !== null && deleted.has(fact.garden))
    .map((fact) => finding('orphan', 'warning', [fact], `Its garden ${fact.garden} was deleted`))
  const checks: Readonly<Record<LintCheck, () => readonly LintFinding[]>> = {
    contradiction: () => contradictions(live),
    stale: () => stale(facts, at, query.lookaheadSeconds),
    orphan: () => [...orphans(live), ...homeless],
    broken_ref: () => brokenRefs(live),
    namespacing: () => live.filter((fact) => !NAMESPACED.test(statementOf(fact).relation)).map(unnamespaced),
  }
  const isAsked = ({ entity, relation }: LintFinding): boolean =>
    (query.entity === undefined || entity === query.entity) && (query.relation === undefined || relation === query.relation)
  const findings = LINT_CHECKS.filter((check) => query.checks.includes(check)).flatMap((check) => checks[check]())
  return { findings: findings.filter(isAsked).slice(0, MOST_FINDINGS), checkedAt: at, facts: live.length }
}

async function statementsOf(env: Environment, owner: string, { scope }: LintQuery, at: Instant): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for (let before: Place | undefined; ; ) {
    const page = await env.backend.statements.statements(
      { owner, scope, plain: false, at, contradicted: true, ended: true },
      { limit: PAGE, ...(before === undefined ? {} : { before }) },
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
  const said = facts[0] === undefined ? undefined : statementOf(facts[0])
  return {
    ...{ check, severity, entity: entity ?? said?.entity ?? '', relation: entity === undefined ? (said?.relation ?? null) : null },
    ...{ facts: facts.map(({ id }) => id), detail },
  }
}

const grouped = (facts: readonly Fact[], keyOf: (fact: Fact) => string): readonly (readonly Fact[])[] => {
  const groups = new Map<string, Fact[]>()
  for (const fact of facts) {
    const group = groups.get(keyOf(fact))
    if (group === undefined) groups.set(keyOf(fact), [fact])
    else group.push(fact)
  }
  return [...groups.values()]
}

const contradictions = (live: readonly Fact[]): readonly LintFinding[] =>
  grouped(live.filter(isDisputable), ({ subject, predicate, garden }) => JSON.stringify([subject, predicate, garden]))
    .filter(([first, ...rest]) => first !== undefined && rest.some((one) => !sameValue(one, first)))
    .map((group) => finding('contradiction', 'error', group, `${group.length} facts say different things`))

function stale(facts: readonly Fact[], at: Instant, lookaheadSeconds: number): readonly LintFinding[] {
  return facts.flatMap((fact) => {
    if (fact.validUntil === null || fact.validUntil > at + lookaheadSeconds * 1e6) return []
    const when = toTimestamp(fact.validUntil)
    return fact.validUntil <= at
      ? [finding('stale', 'warning', [fact], `It expired at ${when}`)]
      : [finding('stale', 'info', [fact], `It expires at ${when}`)]
  })
}

const targetOf = (fact: Fact): string | undefined => {
  const { value } = statementOf(fact)
  return value.type === 'ref' && typeof value.v === 'string' ? value.v : undefined
}

function orphans(live: readonly Fact[]): readonly LintFinding[] {
  const linked = new Set(live.flatMap((fact) => (targetOf(fact) === undefined ? [] : [statementOf(fact).entity, targetOf(fact)])))
  return grouped(live, (fact) => statementOf(fact).entity)
    .filter(([first]) => first !== undefined && !linked.has(statementOf(first).entity))
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      return [finding('orphan', 'info', group.slice(0, 20), 'Nothing refers to it, and it refers to nothing', statementOf(first).entity)]
    })
}

function brokenRefs(live: readonly Fact[]): readonly LintFinding[] {
  const known = new Set(live.map((fact) => statementOf(fact).entity))
  return live.flatMap((fact) => {
    const target = targetOf(fact)
    return target === undefined || known.has(target) || target.startsWith('mneme:')
      ? []
      : [finding('broken_ref', 'warning', [fact], `Nothing is known of ${target} in this scope`)]
  })
}

const unnamespaced = (fact: Fact): LintFinding =>
  finding('namespacing', 'warning', [fact], `The relation ${statementOf(fact).relation} has no namespace, such as memory:role`)
