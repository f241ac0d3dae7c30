import type { Principal } from '../core/access/access-filter.js'
import type { Store } from '../ports/store.js'
import type { EngineServices } from './engine-services.js'
import type { Environment } from './environment.js'

/** What identifies a call, next to its arguments. */
export interface CallIdentity {
  readonly principal: Principal
  readonly callId: string
  readonly signal: AbortSignal
}

/** The argument of every use case: a call, and an environment restricted to what its principal may read and write. */
export interface Context extends Environment, CallIdentity {
  readonly services: EngineServices
}

/** The same context; `note` receives the kinds of secrets that are masked in what is written through it. */
export function reportMasked(context: Context, note: (kinds: readonly string[]) => void): Context {
  const { store } = context
  const commit: Store['commit'] = async (commitContext, decide) => {
    const receipt = await store.commit(commitContext, decide)
    if (receipt.masked !== undefined) note(receipt.masked)
    return receipt
  }
  return { ...context, store: { ...store, commit } }
}
