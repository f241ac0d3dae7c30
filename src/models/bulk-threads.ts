import { availableParallelism } from 'node:os'
import type { ModelThread } from './model-thread.js'

/** Texts within the window that make passages bulk work: loading the model once more takes as long as embedding about a hundred. */
const BULK_TEXTS = 256
const BULK_WINDOW_MS = 10_000
/** Each thread has its own copy of the model, about 100 MB. */
const MAX_FURTHER_THREADS = 3

/** Threads beyond the first that the cores of this machine allow. */
export const furtherThreads = (): number => Math.min(MAX_FURTHER_THREADS, availableParallelism() - 1)

interface BulkThreads<Output> {
  /** Outputs in the order of the texts. */
  run(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly Output[]>
  close(): Promise<void>
}

/**
 * Spreads passages over further threads once there are many. Queries use the first thread only, where they overtake passages. A text has
 * the same vector in every thread.
 */
export function createBulkThreads<Output>(
  first: ModelThread<string, Output>,
  open: () => ModelThread<string, Output>,
  count: number,
): BulkThreads<Output> {
  let further: readonly ModelThread<string, Output>[] = []
  let recent = 0
  let lastAt = Number.NEGATIVE_INFINITY

  const isBulk = (size: number): boolean => {
    const now = performance.now()
    if (now - lastAt > BULK_WINDOW_MS) recent = 0
    lastAt = now
    recent += size
    return recent >= BULK_TEXTS
  }

  return {
    async run(texts, signal) {
      if (!isBulk(texts.length) || count < 1 || texts.length <= count) return first.run(texts, 'passage', signal)
      if (further.length === 0) further = Array.from({ length: count }, open)
      const threads = [first, ...further]
      const shares = dealByLength(texts, threads.length)
      const outputs: Output[] = []
      await Promise.all(
        shares.map(async (share, i) => {
          const own = share.map((place) => texts[place] ?? '')
          const thread = threads[i] ?? first
          const made = await thread.run(own, 'passage', signal).catch((failure: unknown) => {
            // A further thread may lack memory; the failure of the first one counts.
            if (thread === first || signal?.aborted === true) throw failure
            return first.run(own, 'passage', signal)
          })
          made.forEach((output, nth) => {
            outputs[share[nth] ?? 0] = output
          })
        }),
      )
      return outputs
    },
    async close() {
      await Promise.all(further.map((thread) => thread.close()))
    },
  }
}

/** Places of the texts for each thread: the longest first and in turn, so that all take about the same time. */
function dealByLength(texts: readonly string[], threads: number): readonly (readonly number[])[] {
  const byLength = texts.map((_, place) => place).sort((a, b) => (texts[b]?.length ?? 0) - (texts[a]?.length ?? 0))
  return Array.from({ length: threads }, (_, nth) => byLength.filter((_, index) => index % threads === nth))
}
