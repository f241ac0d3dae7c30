import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sha256 } from '../../core/encoding/hash.js'
import { estimateCost } from '../../core/recall/statements/packing.js'
import { STAGE_WEIGHTS, type StageWeights } from '../../core/recall/statements/stages.js'
import { statementOf } from '../../core/statements/statement.js'
import { answerStatements, type RenderedStatementResult } from '../../engine/stigmem/answer-recall.js'
import { operation } from '../operation.js'
import { toCard } from './cards.js'
import { confidence, record, scope, toRecord } from './shapes.js'

const PATH = '/v1/recall'

const weights = z.record(z.string(), z.number()).meta({ wire: 'object' })

/** Published clients send five weights, of which three belong to stages: these are normalised to 1. */
function weightsOf(weights: Readonly<Record<string, number>> | undefined): StageWeights {
  if (weights === undefined) return STAGE_WEIGHTS
  const own = {
    lex: weights.lex ?? weights.lexical ?? 0,
    vec: weights.vec ?? weights.semantic ?? weights.vector ?? 0,
    graph: weights.graph ?? 0,
  }
  const sum = own.lex + own.vec + own.graph
  const isLegacy =
    ('lexical' in weights || 'semantic' in weights) && sum > 0 && [own.lex, own.vec, own.graph].every((weight) => weight >= 0)
  return isLegacy ? { lex: own.lex / sum, vec: own.vec / sum, graph: own.graph / sum } : own
}

const rounded = (score: number): number => Math.round(score * 1e6) / 1e6

function toResult({
  fact,
  value,
  score,
  hops,
  contradicted,
  cardStale,
  provenanceOf,
  warnings,
}: RenderedStatementResult): Record<string, unknown> {
  const { id, entity, relation, source, confidence: sure, scope: within, source_trust, derived_from, hash } = toRecord(fact, contradicted)
  return {
    ...{ id, entity, relation, value, confidence: sure, source_trust, score: rounded(score), hops, contradicted, card_stale: cardStale },
    ...{ source, scope: within, hash },
    ...(derived_from === null ? {} : { derived_from }),
    ...(provenanceOf === undefined ? {} : { provenance_of: provenanceOf }),
    ...(warnings.length === 0 ? {} : { sanitizer_warnings: warnings }),
  }
}

/** Additional fields that published clients read. */
const legacyOf = (query: string, results: readonly RenderedStatementResult[], scored: number): Record<string, unknown> => ({
  recall_id: randomUUID(),
  query_hash: sha256(query),
  facts: results.map((result) => ({
    fact: { ...toRecord(result.fact, result.contradicted), value: result.value },
    score: rounded(result.score),
    score_breakdown: {
      lexical: rounded(result.norm.lex),
      semantic: rounded(result.norm.vec),
      graph: rounded(result.norm.graph),
      source_trust: result.fact.trust ?? 1,
      recency: rounded(result.salience.recency),
      weighted_total: rounded(result.score),
    },
    token_estimate: result.cost,
    hop_distance: result.hops,
  })),
  total_scored: scored,
})

const debugOf = (results: readonly RenderedStatementResult[]): Record<string, unknown> =>
  Object.fromEntries(results.map(({ fact, norm, salience, score }) => [fact.id, { ...norm, ...salience, score }]))

export const recall = operation({
  name: 'recall',
  title: 'Recall',
  description: 'What is known that answers a question, as much as fits a token budget. With entity: all about that entity, and its card.',
  effect: 'read',
  idempotent: true,
  malformed: 'unprocessable',
  positionals: ['query'],
  route: [
    { method: 'POST', path: PATH, status: 200 },
    { method: 'GET', path: PATH, status: 200 },
  ],
  input: z.strictObject({
    query: z.string(),
    token_budget: z.number().optional().describe('Required: how many tokens the results may take'),
    depth: z.int().min(0).default(1).describe('Hops along the graph, at most 2'),
    weights: weights.optional().describe('{lex, vec, graph}, together 1'),
    include_low_trust: z.boolean().default(false),
    entity: z.string().optional(),
    relation: z.string().optional(),
    lambda_mmr: z.number().min(0).max(1).default(0.7).describe('1 is relevance alone'),
    min_confidence: confidence.default(0.1),
    scope: scope.optional(),
    include_contradicted: z.boolean().default(false),
    force_refresh: z.boolean().default(false),
    debug: z.boolean().default(false),
    limit: z.int().min(1).max(1000).optional(),
    include_neighbors: z.boolean().optional(),
    legacy_format: z.boolean().optional(),
  }),
  output: z.object({
    query: z.string(),
    token_budget: z.number(),
    tokens_used: z.int(),
    results: z.array(record),
    memory_card: record.nullable(),
    truncated: z.boolean(),
    scores_debug: record.nullable(),
  }),
  async run(call, input) {
    const isLegacy = input.limit !== undefined || input.include_neighbors !== undefined
    const budget = input.token_budget ?? (isLegacy ? 8000 : undefined)
    const rest = { query: input.query, token_budget: budget, tokens_used: budget, results: [], memory_card: null, truncated: false }
    const answer = await answerStatements(call.context, {
      text: input.query,
      budget,
      restCost: estimateCost({ ...rest, scores_debug: null }),
      costOf: (recalled) =>
        estimateCost(toResult({ ...recalled, cost: 0, value: statementOf(recalled.fact).value, warnings: [], cardStale: false })),
      depth: input.depth,
      neighbours: input.include_neighbors !== false,
      weights: weightsOf(input.weights),
      includeLowTrust: input.include_low_trust,
      leastConfidence: input.min_confidence,
      lambda: input.lambda_mmr,
      ...{ scope: input.scope, entity: input.entity, relation: input.relation, most: input.limit, signal: call.context.signal },
      freshCard: input.force_refresh,
      reader: { client: call.actor, conversation: call.connection },
    })
    const { results, used, truncated, candidates, card } = answer
    return {
      query: input.query,
      token_budget: answer.budget,
      tokens_used: used,
      results: results.map(toResult),
      memory_card: card === null ? null : toCard(card, input.include_contradicted),
      truncated,
      ...(answer.cardTimedOut ? { force_refresh_timeout: true } : {}),
      scores_debug: input.debug && call.context.settings.statements.recallDebug ? debugOf(results) : null,
      ...(isLegacy ? legacyOf(input.query, results, candidates) : {}),
      ...(answer.degraded === null ? {} : { degraded: answer.degraded }),
    }
  },
})
