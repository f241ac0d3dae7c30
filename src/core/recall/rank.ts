/** The named value that one stage adds to a candidate, in log-odds. */
export interface Contribution {
  readonly name: string
  readonly value: number
}

export interface Scored {
  readonly contributions: readonly Contribution[]
  /** The sum of the contributions: the log-odds that the candidate helps to answer. */
  readonly score: number
}

/** A stage reads all candidates, as the stages before it left them, and returns one value for each. */
export interface Stage<C> {
  readonly name: string
  readonly values: (candidates: readonly (C & Scored)[]) => readonly number[]
}

export const sumOf = (contributions: readonly Contribution[]): number => contributions.reduce((sum, { value }) => sum + value, 0)

/** Runs the stages over the candidates. A stage whose value is 0 leaves no contribution. The order of the result is the order of its scores. */
export function rank<C extends Scored>(candidates: readonly C[], stages: readonly Stage<C>[], tieBreak: (a: C, b: C) => number): C[] {
  let scored = [...candidates]
  for (const { name, values } of stages) {
    const added = values(scored)
    scored = scored.map((candidate, i) => addContribution(candidate, name, added[i] ?? 0))
  }
  return scored.sort((a, b) => b.score - a.score || tieBreak(a, b))
}

function addContribution<C extends Scored>(candidate: C, name: string, value: number): C {
  if (value === 0) return candidate
  const contributions = [...candidate.contributions, { name, value }]
  return { ...candidate, contributions, score: sumOf(contributions) }
}

export const toProbability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))
