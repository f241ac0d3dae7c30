import { toMemoryError } from '../../errors.js'
import type { Embeddable, EmbeddingBacklog, PendingText } from '../../ports/backlog.js'
import type { Clock } from '../../ports/clock.js'
import type { Jobs } from '../../ports/jobs.js'
import { LEASE_US } from '../lease-durations.js'

/** Facts before code, because a person waits for them, and first pieces before later ones. */
const IN_ORDER: readonly Embeddable[] = ['facts', 'pieces', 'passages']
/** Texts read at once: while some of them are stored, the model has the next ones. */
const PAGE_SIZE = 128

/** `elsewhere`: another process works on the backlog. */
interface DrainedPage {
  readonly kind: 'more' | 'done' | 'elsewhere'
  /** Number of texts embedded. */
  readonly size: number
}

/** The backlog of all processes, page by page. */
interface BacklogPages {
  remaining(): Promise<number>
  isWaiting(): Promise<boolean>
  /** Embeds the next page, unless another process has the lease of the backlog. */
  drainNext(signal: AbortSignal): Promise<DrainedPage>
}

interface BacklogPagesOptions {
  readonly backlog: EmbeddingBacklog
  readonly jobs: Jobs
  readonly clock: Clock
  /** Identifies this process in leases. */
  readonly holder: string
  embedBatch(kind: Embeddable, texts: readonly PendingText[], signal: AbortSignal): Promise<void>
}

export function createBacklogPages({ backlog, jobs, clock, holder, embedBatch }: BacklogPagesOptions): BacklogPages {
  const { claims } = backlog

  /** Returns the number of texts, 0 if the backlog is empty. */
  const drainPage = async (signal: AbortSignal): Promise<number> => {
    for (const kind of IN_ORDER) {
      const texts = await (claims?.take(kind, PAGE_SIZE) ?? backlog.next(kind, PAGE_SIZE))
      if (texts.length === 0) continue
      try {
        await embedBatch(kind, texts, signal)
      } catch (error) {
        await claims?.giveUp(kind, texts).catch(() => undefined)
        throw error
      }
      return texts.length
    }
    return 0
  }

  const drainLeased = async (signal: AbortSignal): Promise<DrainedPage> => {
    const lease = await jobs.take('embed', '*', holder, clock.now(), clock.now() + LEASE_US.embed)
    if (lease === undefined) return { kind: 'elsewhere', size: 0 }
    try {
      const size = await drainPage(signal)
      await jobs.release(lease, clock.now(), null)
      return { kind: size > 0 ? 'more' : 'done', size }
    } catch (error) {
      await jobs.release(lease, clock.now(), signal.aborted ? null : toMemoryError(error).message)
      throw error
    }
  }

  return {
    async remaining() {
      let left = 0
      for (const kind of IN_ORDER) left += await backlog.pending(kind)
      return left
    },
    async isWaiting() {
      for (const kind of IN_ORDER) if ((await backlog.pending(kind, 1)) > 0) return true
      return false
    },
    async drainNext(signal) {
      if (claims === undefined) return drainLeased(signal)
      const size = await drainPage(signal)
      // Rows claimed by another process may still be released.
      return { kind: size > 0 ? 'more' : 'elsewhere', size }
    },
  }
}
