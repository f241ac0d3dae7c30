/** Scores as distances from their mean in standard deviations; all alike are all average. */
export function zScores(scores: readonly number[]): readonly number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length)
  const deviation = Math.sqrt(variance)
  return scores.map((score) => (deviation < 1e-12 ? 0 : (score - mean) / deviation))
}
