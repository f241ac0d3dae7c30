export interface Summary {
  readonly p50: number
  readonly p95: number
  readonly count: number
}

/** Milliseconds of `count` sequential calls after a warm-up. */
export async function timed(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  const warmUp = Math.min(5, count)
  for (let i = 0; i < count + warmUp; i++) {
    const startedAt = performance.now()
    await work(i)
    if (i >= warmUp) samples.push(performance.now() - startedAt)
  }
  return samples
}

export function summarise(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b)
  const node = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: round(node(0.5)), p95: round(node(0.95)), count: sorted.length }
}

export const round = (value: number): number => Math.round(value * 100) / 100
