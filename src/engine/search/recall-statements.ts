import { setImmediate } from 'node:timers/promises'
import type { Fact, Scope } from '../../core/fact.js'
import { checkSize } from '../../core/input.js'
import { type Packed, packDiverse, packInOrder, tokenCost } from '../../core/recall/packing.js'
import { DEEPEST_DERIVATION, productOf, type Salience, salienceOf, trustMultiplier } from '../../core/recall/salience.js'
import { normalised, rawScore, type StageScores, type StageWeights } from '../../core/recall/stages.js'
import { effectiveConfidence, isStatement, statementOf } from '../../core/statement.js'
import type { View } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { momentOf } from '../moment.js'
import { questionVector } from '../question-vector.js'
import { parentsOf } from '../statements/provenance.js'
import { createTurns } from '../turns.js'
import { type Candidate, candidatesAbout, candidatesFor } from './statement-candidates.js'

export interface StatementRecall {
  readonly owner: string
  readonly text: string
  readonly budget: number
  readonly depth: number
  readonly weights: StageWeights
  readonly includeLowTrust: boolean
  readonly leastConfidence: number
  readonly lambda: number
  readonly scope?: Scope | undefined
  /** All that is known about one entity, in place of what fits the question best. */
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
  /** The result that it was brought along for. */
  readonly provenanceOf?: string
  readonly norm: StageScores
  readonly salience: Salience
}

export interface StatementAnswer {
  readonly results: readonly RecalledStatement[]
  readonly used: number
  readonly truncated: boolean
  /** How many were scored. */
  readonly candidates: number
  readonly degraded: string | null
}

interface Ranked extends RecalledStatement {
  readonly vector: Float32Array | undefined
}

/** Statements that answer a question within a budget. */
export async function recallStatements(env: Environment, query: StatementRecall): Promise<StatementAnswer> {
  checkSize(query.text, 'query', env.settings.maxContentBytes)
  await env.vectoriser.settle()
  const { scope, owner } = query
  const narrow = scope === undefined ? undefined : { owners: [{ owner, scopes: [scope], gardens: 'all', federated: true } as const] }
  const view = await env.backend.view(owner, narrow)
  try {
    return await answerIn(env, view, query)
  } finally {
    view.close()
  }
}

async function answerIn(env: Environment, view: View, query: StatementRecall): Promise<StatementAnswer> {
  const question = questionVector(env, query.text, query.signal)
  const asked = { env, view, query, pool: momentOf(env.clock), vector: question.then(({ vector }) => vector) }
  const candidates = query.entity === undefined ? await candidatesFor(asked) : await candidatesAbout(asked, query.entity)
  const { degraded } = await question
  const ranked = await rank(env, view, candidates, query)
  const { chosen, used, truncated } = query.entity === undefined ? await packInTurns(ranked, query) : packInOrder(ranked, query.budget)
  const parents = await parentsWithin(env, query, chosen, ranked, query.budget - used)
  const results = [...chosen, ...parents]
  return {
    results: results.map(({ vector: _vector, ...one }) => one),
    used: used + parents.reduce((sum, { cost }) => sum + cost, 0),
    truncated,
    candidates: ranked.length,
    degraded,
  }
}

async function packInTurns(ranked: readonly Ranked[], { budget, lambda }: StatementRecall): Promise<Packed<Ranked>> {
  const turn = createTurns()
  const packing = packDiverse(ranked, budget, lambda)
  for (;;) {
    const step = packing.next()
    if (step.done === true) return step.value
    await turn()
  }
}

const byScore = (a: Ranked, b: Ranked): number =>
  b.score - a.score ||
  (a.fact.hlc === b.fact.hlc ? 0 : (a.fact.hlc ?? '') > (b.fact.hlc ?? '') ? -1 : 1) ||
  (a.fact.id < b.fact.id ? -1 : 1)

/** Fusion of the stages, then what each statement is worth, best first. */
async function rank(env: Environment, view: View, candidates: readonly Candidate[], query: StatementRecall): Promise<readonly Ranked[]> {
  const { statements } = env.backend
  const ids = candidates.map(({ fact }) => fact.id)
  const now = env.clock.now()
  const contradicted = await statements.contradicted(ids, now)
  const accesses = await statements.accessCounts(ids)
  const mostAccesses = [...accesses.values()].reduce((most, count) => Math.max(most, count), 0)
  const derivations = await derivationsOf(env, query.owner, candidates)
  const rids = query.entity === undefined && query.lambda < 1 ? await view.rows.ridsOf(ids) : new Map<string, number>()
  const vectors = await view.vectors.vectors([...rids.values()])
  await setImmediate()
  const ranked = normalised(candidates).map(({ fact, hops, norm }): Ranked => {
    const signs = { now, derivations: derivations.get(fact.id) ?? 0, accesses: accesses.get(fact.id) ?? 0, mostAccesses }
    const salience = salienceOf(fact, { ...signs, contradicted: contradicted.has(fact.id) })
    const score = rawScore(norm, query.weights) * productOf(salience) * trustMultiplier(fact.trust, env.settings.statements.trust)
    const place = { fact, hops, norm, salience, score, contradicted: contradicted.has(fact.id) }
    return { ...place, cost: tokenCost(statementOf(fact).value), vector: vectors.get(rids.get(fact.id) ?? -1) }
  })
  // What no stage speaks for is no answer; about one entity everything is.
  return ranked.filter(({ norm }) => query.entity !== undefined || rawScore(norm, query.weights) > 0).sort(byScore)
}

/** How many steps of derivation each was made by, as far as they are known: a hash that leads nowhere is one step. */
async function derivationsOf(env: Environment, owner: string, candidates: readonly Candidate[]): Promise<ReadonlyMap<string, number>> {
  const depths = new Map<string, number>()
  const derived = candidates.filter(({ fact }) => isStatement(fact) && fact.derivedFrom.length > 0)
  if (derived.length === 0) return depths
  const known = new Map<string, readonly string[]>()
  let wave: readonly string[] = [...new Set(derived.flatMap(({ fact }) => fact.derivedFrom))]
  for (let depth = 0; depth < DEEPEST_DERIVATION && wave.length > 0; depth++) {
    const found = await parentsOf(env, owner, wave)
    for (const hash of wave) known.set(hash, found.get(hash)?.derivedFrom ?? [])
    wave = [...new Set([...found.values()].flatMap((fact) => fact.derivedFrom))].filter((hash) => !known.has(hash))
  }
  const longest = (hashes: readonly string[], left: number): number =>
    left === 0 || hashes.length === 0 ? 0 : 1 + hashes.reduce((most, hash) => Math.max(most, longest(known.get(hash) ?? [], left - 1)), 0)
  for (const { fact } of derived) depths.set(fact.id, longest(fact.derivedFrom, DEEPEST_DERIVATION))
  return depths
}

/** The facts that results follow from, in their order, whole or not at all. */
async function parentsWithin(
  env: Environment,
  { owner, scope }: StatementRecall,
  chosen: readonly Ranked[],
  ranked: readonly Ranked[],
  room: number,
): Promise<readonly Ranked[]> {
  const found = await parentsOf(env, owner, [...new Set(chosen.flatMap(({ fact }) => (isStatement(fact) ? fact.derivedFrom : [])))])
  const taken = new Set(chosen.map(({ fact }) => fact.id))
  const parents: Ranked[] = []
  let left = room
  for (const { fact } of chosen) {
    for (const hash of fact.derivedFrom) {
      const parent = found.get(hash)
      if (parent === undefined || taken.has(parent.id) || effectiveConfidence(parent) === 0) continue
      if (scope !== undefined && parent.scope !== scope) continue
      const cost = tokenCost(statementOf(parent).value)
      if (cost > left) continue
      left -= cost
      taken.add(parent.id)
      const known = ranked.find((one) => one.fact.id === parent.id)
      parents.push({ ...(known ?? unranked(parent, cost)), provenanceOf: fact.id })
    }
  }
  return parents
}

const unranked = (fact: Fact, cost: number): Ranked => ({
  ...{ fact, score: 0, hops: 0, contradicted: false, cost, vector: undefined },
  norm: { lex: 0, vec: 0, graph: 0 },
  salience: { recency: 0, confidence: 0, access: 0, contradiction: 0, garden: 0 },
})
