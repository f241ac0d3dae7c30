import type { Log } from '../log.js'
import type { McpEndpoint } from '../mcp/http.js'
import type { Authenticator } from './authenticator.js'

const LOOK_MS = 1000
/** Number of checks after which all sessions are verified again, because tokens expire. */
const ALL_AGAIN = 30

/** Ends sessions of keys that were revoked by any process. */
export function endRevokedSessions(door: Authenticator, endpoints: readonly McpEndpoint[], log: Log): { close(): void } {
  let mark = -1
  let looks = 0
  let busy = false

  const look = async (): Promise<void> => {
    const sessions = endpoints.flatMap((endpoint) => endpoint.keyedSessions())
    if (sessions.length === 0) return
    const now = await door.mark()
    if (now === mark && ++looks < ALL_AGAIN) return
    mark = now
    looks = 0
    for (const session of sessions) if (!(await door.isStillValid(session.headers))) session.end()
  }

  const timer = setInterval(() => {
    if (busy) return
    busy = true
    look()
      .catch((error: unknown) => log.warn('Sessions could not be compared with their keys', { error }))
      .finally(() => {
        busy = false
      })
  }, LOOK_MS).unref()
  return { close: () => clearInterval(timer) }
}
