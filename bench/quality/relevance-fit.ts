/** One of the first ten results of an answer. */
export interface Shown {
  /** Of the whole answer. */
  readonly confidence: number
  /** Relative to the best, which has 1. */
  readonly score: number
  readonly wanted: boolean
}

/** Weights of `relevanceOf`: of the log-odds of the confidence, of the score, and the constant. */
export interface RelevanceFit {
  readonly confidence: number
  readonly score: number
  readonly base: number
  readonly results: number
}

const STEPS = 40
const RIDGE = 0.01
const LEAST = 0.01

const logOdds = (share: number): number => {
  const sure = Math.min(1 - LEAST, Math.max(LEAST, share))
  return Math.log(sure / (1 - sure))
}

/** A logistic fit in which wanted and unwanted results weigh alike (Newton's method, with a small ridge). */
export function fitRelevance(shown: readonly Shown[]): RelevanceFit {
  const wanted = shown.filter((one) => one.wanted).length
  const rows = shown.map((one) => ({
    signs: [logOdds(one.confidence), one.score, 1],
    wanted: one.wanted ? 1 : 0,
    weight: shown.length / 2 / Math.max(1, one.wanted ? wanted : shown.length - wanted),
  }))
  const found = [0, 0, 0]
  for (let step = 0; step < STEPS; step += 1) {
    const slope = found.map((value) => -RIDGE * value)
    const curve: number[][] = found.map((_, i) => found.map((_value, j) => (i === j ? RIDGE : 0)))
    for (const row of rows) {
      const chance = 1 / (1 + Math.exp(-row.signs.reduce((sum, sign, i) => sum + sign * (found[i] ?? 0), 0)))
      row.signs.forEach((sign, i) => {
        slope[i] = (slope[i] ?? 0) + row.weight * (row.wanted - chance) * sign
        row.signs.forEach((other, j) => {
          const line = curve[i]
          if (line !== undefined) line[j] = (line[j] ?? 0) + row.weight * chance * (1 - chance) * sign * other
        })
      })
    }
    solve(curve, slope).forEach((change, i) => {
      found[i] = (found[i] ?? 0) + change
    })
  }
  const [confidence = 0, score = 0, base = 0] = found.map((value) => Math.round(value * 100) / 100)
  return { confidence, score, base, results: shown.length }
}

/** Gaussian elimination; the matrix is positive because of the ridge. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((line, i) => [...line, right[i] ?? 0])
  for (let column = 0; column < rows.length; column += 1) {
    const pivot = rows[column] ?? []
    rows.forEach((row, i) => {
      if (i === column) return
      const share = (row[column] ?? 0) / (pivot[column] ?? 1)
      for (let j = column; j < row.length; j += 1) row[j] = (row[j] ?? 0) - share * (pivot[j] ?? 0)
    })
  }
  return rows.map((row, i) => (row[rows.length] ?? 0) / (row[i] ?? 1))
}
