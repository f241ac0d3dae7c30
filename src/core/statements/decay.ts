import type { JsonObject } from '../encoding/json.js'
import type { Fact, Instant, Scope } from '../facts/fact.js'
import { isStatement, isSystemForm, SYSTEM_NAMESPACE } from './statement.js'

export const DECAY_MODES = ['retract', 'confidence', 'dry_run'] as const
export type DecayMode = (typeof DECAY_MODES)[number]

/** A decay policy. */
export interface DecayPolicy {
  readonly id: string
  /** A relation, a namespace (`ns:*`) or `*`. */
  readonly relation: string
  readonly scope: Scope | null
  readonly mode: DecayMode
  /** Retention until they end. */
  readonly ttlSeconds: number | null
  readonly halfLifeSeconds: number | null
  /** Confidence does not fall below this. */
  readonly leastConfidence: number
  readonly exempt: readonly string[]
}

/** The reason in journal entries of a sweep. */
export const DECAY = 'decay'

/** Smaller changes are skipped. */
const MIN_STEP = 0.001
/** Relations between statements do not decay. */
const RELATION_PREFIX = 'rel:'

const matches = (pattern: string, relation: string): boolean =>
  pattern === '*' || pattern === relation || (pattern.endsWith('*') && relation.startsWith(pattern.slice(0, -1)))

/** Longer names first, then policies with a scope. */
const precision = ({ relation, scope }: DecayPolicy): number =>
  (relation.endsWith('*') ? relation.length - 1 : 1e6 + relation.length) * 2 + (scope === null ? 0 : 1)

/** The most specific policy that matches a statement; undefined if it does not decay. */
export function policyFor(policies: readonly DecayPolicy[], fact: Fact): DecayPolicy | undefined {
  const relation = fact.predicate ?? ''
  if (!isStatement(fact) || isSystemForm(fact.form) || relation.startsWith(SYSTEM_NAMESPACE) || relation.startsWith(RELATION_PREFIX))
    return undefined
  const [policy] = policies
    .filter((policy) => matches(policy.relation, relation) && (policy.scope === null || policy.scope === fact.scope))
    .sort((a, b) => precision(b) - precision(a))
  return policy?.exempt.some((pattern) => matches(pattern, relation)) === true ? undefined : policy
}

/** Halves with each half-life. */
export const applyDecay = (confidence: number, elapsedSeconds: number, halfLifeSeconds: number, min: number): number =>
  Math.max(Math.min(min, confidence), confidence * Math.exp((-Math.LN2 / halfLifeSeconds) * Math.max(0, elapsedSeconds)))

type DecayOutcome = { readonly to: 'nothing' } | { readonly to: number }

/**
 * The result of decay for a statement; undefined if it does not change. Computed from the asserted confidence and time, so that a repeated
 * run changes nothing.
 */
export function computeDecay(fact: Fact, policy: DecayPolicy, now: Instant): DecayOutcome | undefined {
  const elapsed = (now - fact.eventAt) / 1e6
  if (policy.ttlSeconds !== null && (policy.mode !== 'confidence' || policy.halfLifeSeconds === null))
    return elapsed > policy.ttlSeconds ? { to: 'nothing' } : undefined
  if (policy.halfLifeSeconds === null) return undefined
  const left = applyDecay(fact.assertedConfidence ?? fact.confidence, elapsed, policy.halfLifeSeconds, policy.leastConfidence)
  return fact.confidence - left >= MIN_STEP ? { to: left } : undefined
}

const numberIn = (data: JsonObject, name: string): number | null => {
  const value = data[name]
  return typeof value === 'number' ? value : null
}

/** A policy from its stored form; missing fields are omitted. */
export function policyOf(id: string, data: JsonObject): DecayPolicy {
  const scope = (['local', 'team', 'company', 'public'] as const).find((value) => value === data.scope)
  return {
    id,
    relation: typeof data.relation === 'string' ? data.relation : '*',
    scope: scope ?? null,
    mode: DECAY_MODES.find((mode) => mode === data.mode) ?? 'confidence',
    ttlSeconds: numberIn(data, 'ttl_s'),
    halfLifeSeconds: numberIn(data, 'half_life_s'),
    leastConfidence: numberIn(data, 'min_confidence') ?? 0,
    exempt: Array.isArray(data.exempt_relations) ? data.exempt_relations.filter((relation) => typeof relation === 'string') : [],
  }
}
