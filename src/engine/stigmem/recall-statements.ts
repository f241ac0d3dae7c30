import { setImmediate } from 'node:timers/promises'
import type { Fact, Scope } from '../../core/facts/fact.js'
import { checkSize } from '../../core/input/input.js'
import { type Packing, packDiverse } from '../../core/recall/statements/packing.js'
import {
  CONTRADICTED_WEIGHT,
  MAX_DERIVATION_DEPTH,
  productOf,
  type Salience,
  salienceOf,
  trustMultiplier,
} from '../../core/recall/statements/salience.js'
import { computeScore, normaliseScores, type StageScores, type StageWeights } from '../../core/recall/statements/stages.js'
import { effectiveConfidence, isStatement } from '../../core/statements/statement.js'
import type { StatementHeader, View } from '../../ports/view.js'
import { resolveAsOf } from '../as-of.js'
import { embedQueryOrDegrade } from '../embedding/query-vector.js'
import type { Environment } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'
import { parentsOf } from './provenance.js'
import { type Candidate, candidatesAbout, candidatesFor } from './statement-candidates.js'

export interface StatementRecallQuery {
  readonly owner: string
  readonly text: string
  readonly budget: number
  /** The cost of a result as it is returned. */
  costOf(result: Omit<RecalledStatement, 'cost'>): number
  readonly depth: number
  readonly weights: StageWeights
  readonly includeLowTrust: boolean
  readonly leastConfidence: number
  readonly lambda: number
  readonly scope?: Scope | undefined
  /** All facts about one entity instead of the best matches. */
  readonly entity?: string | undefined
  readonly relation?: string | undefined
  readonly signal: AbortSignal
}

export interface RecalledStatement {
  readonly fact: Fact
  readonly score: number
  readonly hops: number
  readonly contradicted: boolean
  readonly cost: number
  /** The result from which it was derived. */
  readonly provenanceOf?: string
  readonly norm: StageScores
  readonly salience: Salience
}

export interface StatementAnswer {
  readonly results: readonly RecalledStatement[]
  readonly used: number
  readonly truncated: boolean
  /** Number of scored facts. */
  readonly candidates: number
  readonly degraded: string | null
}

/** A candidate with its maximum value; contradiction is checked only for candidates that may be returned. */
interface RankedStatement {
  readonly header: StatementHeader
  readonly hops: number
  readonly norm: StageScores
  readonly salience: Salience
  readonly bound: number
}

/** For facts that no stage found. */
const ZERO_SCORES: StageScores = { lex: 0, vec: 0, graph: 0 }

/** Limit of followed parents per generation; for others only their existence is reported. */
const MAX_ANCESTORS = 10_000

/** Statements that answer a query within a token budget. */
export async function recallStatements(env: Environment, query: StatementRecallQuery): Promise<StatementAnswer> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  await env.embedding.embedPending()
  const { scope, owner } = query
  const narrow = scope === undefined ? undefined : { owners: [{ owner, scopes: [scope], gardens: 'all', federated: true } as const] }
  const view = await env.view(owner, narrow)
  try {
    return await answerIn({ env, view, query })
  } finally {
    view.close()
  }
}

interface RecallState {
  readonly env: Environment
  readonly view: View
  readonly query: StatementRecallQuery
}

async function answerIn(state: RecallState): Promise<StatementAnswer> {
  const { env, view, query } = state
  const question = embedQueryOrDegrade(env, query.text, query.signal)
  const search = { env, view, query, pool: resolveAsOf(env.clock), vector: question.then(({ vector }) => vector) }
  const candidates = query.entity === undefined ? await candidatesFor(search) : await candidatesAbout(search, query.entity)
  const { degraded } = await question
  const ranked = await rank(state, candidates)
  const { chosen, used, truncated } = await packInTurns(state, ranked)
  const parents = await parentsWithin(state, chosen, ranked, query.budget - used)
  return {
    results: [...chosen, ...parents],
    used: used + parents.reduce((sum, { cost }) => sum + cost, 0),
    truncated,
    candidates: ranked.length,
    degraded,
  }
}

/** For a single entity, the order is by score without diversity. */
const lambdaOf = ({ entity, lambda }: StatementRecallQuery): number => (entity === undefined ? lambda : 1)

async function packInTurns(state: RecallState, ranked: readonly RankedStatement[]): Promise<Packing<RecalledStatement>> {
  const { query, view } = state
  const lambda = lambdaOf(query)
  const vectors = await view.vectors.vectors(lambda < 1 ? ranked.map(({ header }) => header.rid) : [])
  const turn = createYieldPoint()
  const packing = packDiverse<RecalledStatement>(
    ranked.map(({ bound, header }) => ({ bound, vector: vectors.get(header.rid) })),
    query.budget,
    lambda,
  )
  const disputed = new Set<string>()
  for (let step = packing.next([]); ; ) {
    if (step.done === true) return step.value
    await turn()
    const { ask, places } = step.value
    const some = places.flatMap((place) => ranked[place] ?? [])
    if (ask === 'scores') for (const id of await disputedAmong(state, some)) disputed.add(id)
    if (ask === 'content') step = packing.next(await loadRanked(state, some, disputed))
    else step = packing.next(some.map((statement) => scoreOf(statement, disputed)))
  }
}

const byBound = (a: RankedStatement, b: RankedStatement): number =>
  b.bound - a.bound ||
  (a.header.hlc === b.header.hlc ? 0 : (a.header.hlc ?? '') > (b.header.hlc ?? '') ? -1 : 1) ||
  (a.header.id < b.header.id ? -1 : 1)

/** Fuses the stages, then orders the statements by their maximum value. */
async function rank({ env, query }: RecallState, candidates: readonly Candidate[]): Promise<readonly RankedStatement[]> {
  const now = env.clock.now()
  const mostAccesses = candidates.reduce((most, { header }) => Math.max(most, header.accesses), 0)
  const derivations = await derivationsOf(env, query.owner, candidates)
  await setImmediate()
  const norms = normaliseScores(candidates)
  const ranked: RankedStatement[] = []
  for (const [place, { header, hops }] of candidates.entries()) {
    const norm = norms[place] ?? ZERO_SCORES
    const raw = computeScore(norm, query.weights)
    const signs = { now, derivations: derivations.get(header.id) ?? 0, accesses: header.accesses, mostAccesses, contradicted: false }
    const salience = salienceOf(header, signs)
    ranked.push({
      header,
      hops,
      norm,
      salience,
      bound: raw * productOf(salience) * trustMultiplier(header.trust, env.settings.statements.trust),
    })
  }
  return ranked.sort(byBound)
}

const disputedAmong = ({ env }: RecallState, some: readonly RankedStatement[]): Promise<ReadonlySet<string>> =>
  env.statements.contradicted(
    some.map(({ header }) => header.id),
    env.clock.now(),
  )

const scoreOf = ({ header, bound }: RankedStatement, disputed: ReadonlySet<string>): number =>
  disputed.has(header.id) ? bound * CONTRADICTED_WEIGHT : bound

/** Loads the selected candidates in order; undefined for deleted ones. Hundreds are scored and few are loaded completely. */
async function loadRanked(
  { env, query }: RecallState,
  some: readonly RankedStatement[],
  disputed: ReadonlySet<string>,
): Promise<readonly (RecalledStatement | undefined)[]> {
  const ids = some.map(({ header }) => header.id)
  const facts = new Map((await env.store.facts(ids, query.owner)).map((fact) => [fact.id, fact]))
  return some.map((statement) => {
    const fact = facts.get(statement.header.id)
    if (fact === undefined) return undefined
    const contradicted = disputed.has(fact.id)
    const salience = contradicted ? { ...statement.salience, contradiction: CONTRADICTED_WEIGHT } : statement.salience
    const { hops, norm } = statement
    const result = { fact, hops, norm, salience, score: scoreOf(statement, disputed), contradicted }
    return { ...result, cost: query.costOf(result) }
  })
}

/** Number of derivation steps of each candidate; an unknown hash counts as one step. */
async function derivationsOf(env: Environment, owner: string, candidates: readonly Candidate[]): Promise<ReadonlyMap<string, number>> {
  const depths = new Map<string, number>()
  const derived = candidates.filter(({ header }) => header.derivedFrom.length > 0)
  if (derived.length === 0) return depths
  const parents = new Map<string, readonly string[]>()
  let wave: readonly string[] = [...new Set(derived.flatMap(({ header }) => header.derivedFrom))]
  for (let depth = 0; depth < MAX_DERIVATION_DEPTH && wave.length > 0; depth++) {
    const found = await parentsOf(env, owner, wave.slice(0, MAX_ANCESTORS))
    for (const hash of wave) parents.set(hash, found.get(hash)?.derivedFrom ?? [])
    wave = [...new Set([...found.values()].flatMap((fact) => fact.derivedFrom))].filter((hash) => !parents.has(hash))
  }
  const steps = longestChains(parents)
  for (const { header } of derived) depths.set(header.id, steps(header.derivedFrom, MAX_DERIVATION_DEPTH))
  return depths
}

/** Visits each ancestor once per length, because facts with shared ancestors have exponentially many paths. */
function longestChains(parents: ReadonlyMap<string, readonly string[]>): (hashes: readonly string[], most: number) => number {
  const known = new Map<string, number>()
  const behind = (hash: string, left: number): number => {
    const key = `${left} ${hash}`
    const made = known.get(key) ?? steps(parents.get(hash) ?? [], left)
    known.set(key, made)
    return made
  }
  const steps = (hashes: readonly string[], left: number): number =>
    left === 0 || hashes.length === 0 ? 0 : 1 + hashes.reduce((most, hash) => Math.max(most, behind(hash, left - 1)), 0)
  return steps
}

/** The facts from which results were derived, in order, each complete or omitted. */
async function parentsWithin(
  state: RecallState,
  chosen: readonly RecalledStatement[],
  ranked: readonly RankedStatement[],
  room: number,
): Promise<readonly RecalledStatement[]> {
  const { env, query } = state
  const hashes = [...new Set(chosen.flatMap(({ fact }) => (isStatement(fact) ? fact.derivedFrom : [])))]
  if (hashes.length === 0) return []
  const found = await parentsOf(env, query.owner, hashes)
  const taken = new Set(chosen.map(({ fact }) => fact.id))
  const parents: RecalledStatement[] = []
  let left = room
  for (const { fact } of chosen) {
    for (const hash of fact.derivedFrom) {
      const parent = found.get(hash)
      if (parent === undefined || taken.has(parent.id) || effectiveConfidence(parent) === 0) continue
      if (query.scope !== undefined && parent.scope !== query.scope) continue
      const cost = query.costOf({ ...unranked(parent, 0), provenanceOf: fact.id })
      if (cost > left) continue
      left -= cost
      taken.add(parent.id)
      const own = ranked.filter(({ header }) => header.id === parent.id).slice(0, 1)
      const [scored] = await loadRanked(state, own, await disputedAmong(state, own))
      parents.push({ ...(scored ?? unranked(parent, cost)), provenanceOf: fact.id })
    }
  }
  return parents
}

const unranked = (fact: Fact, cost: number): RecalledStatement => ({
  ...{ fact, score: 0, hops: 0, contradicted: false, cost },
  norm: ZERO_SCORES,
  salience: { recency: 0, confidence: 0, access: 0, contradiction: 0, garden: 0 },
})
