import { refusal } from '../../input/refusal.js'

/** Weight of each stage in a score; the weights sum to 1. */
export interface StageWeights {
  readonly lex: number
  readonly vec: number
  readonly graph: number
}

export const STAGE_WEIGHTS: StageWeights = { lex: 0.3, vec: 0.5, graph: 0.2 }
const TOLERANCE = 0.001

export function checkWeights({ lex, vec, graph }: StageWeights): StageWeights {
  const all = [lex, vec, graph]
  if (all.some((weight) => !(weight >= 0)) || Math.abs(lex + vec + graph - 1) > TOLERANCE)
    throw refusal(
      'invalid_weights',
      'Invalid weights: lex, vec and graph must be 0 or more and sum to 1',
      'For instance {"lex": 0.3, "vec": 0.5, "graph": 0.2}.',
    )
  return { lex, vec, graph }
}

/** Score of a fact whose entity was reached over an edge. Edges of hubs count less. */
export const computeEdgeScore = (hops: number, confidence: number, outDegree: number): number =>
  ((1 / (1 + hops)) * confidence) / Math.log(1 + Math.max(1, outDegree))

/** Rescales a cosine so that unrelated texts have 0. `floor` is their cosine for the model. */
export const rescaleCosine = (cosine: number, floor: number): number => Math.max(0, (cosine - floor) / (1 - floor))

/** Scores of the stages for a fact; 0 for stages that did not reach it. */
export interface StageScores {
  readonly lex: number
  readonly vec: number
  readonly graph: number
}

/** Scales each stage so that its best score is 1. */
export function normaliseScores(all: readonly StageScores[]): readonly StageScores[] {
  const most = (stage: keyof StageScores): number => all.reduce((best, scores) => Math.max(best, scores[stage]), 0)
  const best = { lex: most('lex'), vec: most('vec'), graph: most('graph') }
  const share = (score: number, highest: number): number => (highest === 0 ? 0 : score / highest)
  return all.map(({ lex, vec, graph }) => ({ lex: share(lex, best.lex), vec: share(vec, best.vec), graph: share(graph, best.graph) }))
}

export const computeScore = (norm: StageScores, weights: StageWeights): number =>
  weights.lex * norm.lex + weights.vec * norm.vec + weights.graph * norm.graph
