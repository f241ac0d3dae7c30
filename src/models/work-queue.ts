import { cancelled } from './cache.js'

interface Order<Input, Output> {
  readonly parts: readonly Input[]
  readonly done: Output[]
  readonly settle: (failure: Error | null) => void
}

/** Queries have priority over passages. */
export type Lane = 'query' | 'passage'

/** Work for a model that processes one batch at a time. Queries overtake everything that has not started. */
interface WorkQueue<Input, Output> {
  add(parts: readonly Input[], lane: Lane, signal: AbortSignal | undefined): Promise<readonly Output[]>
  take(): Input | undefined
  /** Completes the last batch taken. No effect if its caller gave up. */
  complete(output: Output): void
  fail(failure: Error): void
  rejectAll(failure: Error): void
}

export function createWorkQueue<Input, Output>(): WorkQueue<Input, Output> {
  const lanes = { query: new Set<Order<Input, Output>>(), passage: new Set<Order<Input, Output>>() } as const
  let current: Order<Input, Output> | null = null

  const leave = (order: Order<Input, Output>, failure: Error | null): void => {
    lanes.query.delete(order)
    lanes.passage.delete(order)
    if (current === order) current = null
    order.settle(failure)
  }

  return {
    add: (parts, lane, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => leave(order, cancelled())
        const done: Output[] = []
        const settle = (failure: Error | null): void => {
          signal?.removeEventListener('abort', onAbort)
          if (failure === null) resolve(done)
          else reject(failure)
        }
        const order: Order<Input, Output> = { parts, done, settle }
        signal?.addEventListener('abort', onAbort, { once: true })
        lanes[lane].add(order)
      }),
    take() {
      for (const lane of [lanes.query, lanes.passage]) {
        for (const order of lane) {
          current = order
          return order.parts[order.done.length]
        }
      }
      return undefined
    },
    complete(output) {
      if (current === null) return
      const order = current
      current = null
      order.done.push(output)
      if (order.done.length === order.parts.length) leave(order, null)
    },
    fail(failure) {
      if (current !== null) leave(current, failure)
    },
    rejectAll(failure) {
      for (const order of [...lanes.query, ...lanes.passage]) leave(order, failure)
    },
  }
}
