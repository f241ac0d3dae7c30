import type { JsonObject } from '../encoding/json.js'
import type { Fact, Instant, Scope } from '../facts/fact.js'
import { isStatement, isSystemForm, SYSTEM_NAMESPACE } from './statement.js'

export const DECAY_MODES = ['retract', 'confidence', 'dry_run'] as const
export type DecayMode = (typeof DECAY_MODES)[number]

/** By which rule statements fade. */
export interface DecayPolicy {
  readonly id: string
  /** A relation, a namespace (`ns:*`) or `*`. */
  readonly relation: string
  readonly scope: Scope | null
  readonly mode: DecayMode
  /** How long they are kept, for those that end at once. */
  readonly ttlSeconds: number | null
  readonly halfLifeSeconds: number | null
  /** What their confidence does not fall below. */
  readonly leastConfidence: number
  readonly exempt: readonly string[]
}

/** Why a change was made, as the journal has it; by it edges learn when they were last swept. */
export const DECAY = 'decay'

/** A smaller step is not worth a change. */
const MIN_STEP = 0.001
/** What says how things stand to each other does not fade. */
const REIFIED = 'rel:'

const matches = (pattern: string, relation: string): boolean =>
  pattern === '*' || pattern === relation || (pattern.endsWith('*') && relation.startsWith(pattern.slice(0, -1)))

/** More of a name before less of it, one scope before all. */
const precision = ({ relation, scope }: DecayPolicy): number =>
  (relation.endsWith('*') ? relation.length - 1 : 1e6 + relation.length) * 2 + (scope === null ? 0 : 1)

/** The rule for a statement: the most specific that matches; undefined where it does not fade. */
export function policyFor(policies: readonly DecayPolicy[], fact: Fact): DecayPolicy | undefined {
  const relation = fact.predicate ?? ''
  if (!isStatement(fact) || isSystemForm(fact.form) || relation.startsWith(SYSTEM_NAMESPACE) || relation.startsWith(REIFIED))
    return undefined
  const [policy] = policies
    .filter((one) => matches(one.relation, relation) && (one.scope === null || one.scope === fact.scope))
    .sort((a, b) => precision(b) - precision(a))
  return policy?.exempt.some((pattern) => matches(pattern, relation)) === true ? undefined : policy
}

/** Half of it is left after each half-life. */
export const applyDecay = (confidence: number, elapsedSeconds: number, halfLifeSeconds: number, least: number): number =>
  Math.max(Math.min(least, confidence), confidence * Math.exp((-Math.LN2 / halfLifeSeconds) * Math.max(0, elapsedSeconds)))

export type DecayOutcome = { readonly to: 'nothing' } | { readonly to: number }

/** What becomes of a statement now; undefined where nothing does. It follows from what was asserted and when, so that doing it twice is doing it once. */
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

/** A policy as it is kept; what is missing is not said. */
export function policyOf(id: string, data: JsonObject): DecayPolicy {
  const scope = (['local', 'team', 'company', 'public'] as const).find((one) => one === data.scope)
  return {
    id,
    relation: typeof data.relation === 'string' ? data.relation : '*',
    scope: scope ?? null,
    mode: DECAY_MODES.find((mode) => mode === data.mode) ?? 'confidence',
    ttlSeconds: numberIn(data, 'ttl_s'),
    halfLifeSeconds: numberIn(data, 'half_life_s'),
    leastConfidence: numberIn(data, 'min_confidence') ?? 0,
    exempt: Array.isArray(data.exempt_relations) ? data.exempt_relations.filter((one) => typeof one === 'string') : [],
  }
}
