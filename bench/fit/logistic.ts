/** One candidate of a question. */
export interface FitRow {
  readonly features: readonly number[]
  readonly wanted: boolean
}

export interface FitQuestion {
  readonly store: string
  /** How much the question counts: sets of many questions must not outweigh those of few. */
  readonly weight: number
  readonly rows: readonly FitRow[]
}

export interface FitOptions {
  readonly ridge: number
  /** Weight of the order within a question relative to the probability of each candidate. */
  readonly listwise: number
  /** Additional weight of the best candidate of a question, whose probability is the confidence of the answer. */
  readonly best: number
  /** Features whose coefficient may not be negative. */
  readonly monotone: readonly boolean[]
  readonly steps: number
}

const dot = (a: readonly number[], b: Float64Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

/**
 * Coefficients of a logistic regression with a listwise term, by projected gradient steps of a size per feature (Adagrad).
 * The first feature is the constant and is not shrunk.
 */
export function fitLogistic(questions: readonly FitQuestion[], { ridge, listwise, best, monotone, steps }: FitOptions): Float64Array {
  const size = monotone.length
  const coefficients = new Float64Array(size)
  const squares = new Float64Array(size).fill(1e-9)
  for (let step = 0; step < steps; step++) {
    const gradient = coefficients.map((value, i) => (i === 0 ? 0 : ridge * value))
    for (const { weight, rows } of questions) addGradient(gradient, coefficients, rows, weight, { listwise, best })
    for (let i = 0; i < size; i++) {
      const slope = gradient[i] ?? 0
      squares[i] = (squares[i] ?? 0) + slope * slope
      const next = (coefficients[i] ?? 0) - slope / Math.sqrt(squares[i] ?? 1)
      coefficients[i] = monotone[i] === true ? Math.max(0, next) : next
    }
  }
  return coefficients
}

function addGradient(
  gradient: Float64Array,
  coefficients: Float64Array,
  rows: readonly FitRow[],
  weight: number,
  { listwise, best }: Pick<FitOptions, 'listwise' | 'best'>,
): void {
  const scores = rows.map(({ features }) => dot(features, coefficients))
  const most = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - most))
  const total = shares.reduce((sum, share) => sum + share, 0)
  const wanted = rows.reduce((sum, row, i) => sum + (row.wanted ? (shares[i] ?? 0) : 0), 0)
  rows.forEach(({ features, wanted: isWanted }, i) => {
    const share = shares[i] ?? 0
    const order = wanted === 0 ? 0 : share / total - (isWanted ? share / wanted : 0)
    const attention = scores[i] === most ? 1 + best : 1
    const slope = weight * (attention * (sigmoid(scores[i] ?? 0) - (isWanted ? 1 : 0)) + listwise * order)
    for (let k = 0; k < gradient.length; k++) gradient[k] = (gradient[k] ?? 0) + slope * (features[k] ?? 0)
  })
}

/** Expected calibration error over ten bins. */
export function calibrationError(predictions: readonly { readonly probability: number; readonly wanted: boolean }[]): number {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, probability: 0, wanted: 0 }))
  for (const { probability, wanted } of predictions) {
    const bin = bins[Math.min(9, Math.floor(probability * 10))]
    if (bin === undefined) continue
    bin.count++
    bin.probability += probability
    bin.wanted += wanted ? 1 : 0
  }
  return bins.reduce((sum, { probability, wanted }) => sum + Math.abs(probability - wanted), 0) / Math.max(1, predictions.length)
}
