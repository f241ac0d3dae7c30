import { findStore } from '../config/store-place.js'
import { forward } from '../surfaces/shared-process/forward.js'
import { findPlace } from '../surfaces/shared-process/place.js'
import type { Upstream } from '../surfaces/shared-process/relay-mcp.js'

interface Here {
  /** A server in this process. */
  serveHere(): Promise<Upstream>
}

/** Runs a command in the shared process of the store that its settings name, if possible. */
export const forwardFrom = (argv: readonly string[], script: string, { serveHere }: Here): ReturnType<typeof forward> =>
  forward(argv, {
    env: process.env,
    findPlace() {
      const store = findStore(argv, process.env)
      return store.isShared ? findPlace(store, script) : undefined
    },
    serveHere,
  })
