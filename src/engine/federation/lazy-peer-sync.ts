import type { Environment } from '../environment.js'
import type { PeerSync } from './peer-sync.js'

/** Syncs with the peers of a long-running process once started; loaded on first use. */
export function createLazyPeerSync(env: Environment): { start(): void; close(): Promise<void> } {
  let following: Promise<PeerSync> | undefined
  return {
    start() {
      following ??= import('./peer-sync.js').then(({ startPeerSync }) => startPeerSync(env, env.settings.federation.everySeconds))
    },
    async close() {
      await (await following)?.close()
    },
  }
}
