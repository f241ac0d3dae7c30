import { randomBytes } from 'node:crypto'
import type { Principal } from '../../contracts/operation.js'
import { LOCAL_PRINCIPAL } from '../../contracts/operation.js'
import { MemoryError } from '../../errors.js'
import type { Authenticator } from '../http/authenticator.js'

const CODE_MS = 5 * 60_000
const SESSION_MS = 12 * 3_600_000
const MAX_SESSIONS = 200
const MAX_CODES = 20

/** How a session was authenticated: with the local code, or with a key. */
type Proof = { readonly kind: 'local' } | { readonly kind: 'key'; readonly authorization: string }

/** Console sessions, kept in memory only. */
export interface Sessions {
  /** A code that a page may exchange for a session, once and within five minutes. */
  createCode(): string
  /** Returns the token of the new session. */
  exchangeCode(code: string): Promise<string>
  signInWithKey(key: string): Promise<string>
  /** The principal of a request. Rejects if the token is unknown or its proof is no longer valid. */
  principalOf(token: string | undefined): Promise<Principal>
  end(token: string | undefined): void
}

const signInAgain = (message: string): MemoryError =>
  new MemoryError('unauthenticated', message, { hint: 'Run `mneme console` for a new link, or sign in with a key.' })

export function createSessions(door: Authenticator, now: () => number = Date.now): Sessions {
  const codes = new Map<string, number>()
  const sessions = new Map<string, { readonly proof: Proof; usedAt: number }>()

  const begin = (proof: Proof): string => {
    const token = randomBytes(32).toString('base64url')
    sessions.set(token, { proof, usedAt: now() })
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MAX_SESSIONS) break
      sessions.delete(oldest)
    }
    return token
  }

  return {
    createCode() {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, now() + CODE_MS)
      for (const [old, until] of codes) if (until < now() || codes.size > MAX_CODES) codes.delete(old)
      return code
    },
    async exchangeCode(code) {
      const until = codes.get(code)
      codes.delete(code)
      if (until === undefined || until < now())
        throw new MemoryError('unauthenticated', 'This link was used already, or it is older than five minutes.', {
          reason: 'spent_code',
          hint: 'Run `mneme console` for a new one.',
        })
      if (await door.requiresKey()) throw signInAgain('This server asks for a key.')
      return begin({ kind: 'local' })
    },
    async signInWithKey(key) {
      const authorization = `Bearer ${key.trim()}`
      await door.authenticate(new Headers({ authorization }))
      return begin({ kind: 'key', authorization })
    },
    async principalOf(token) {
      const session = token === undefined ? undefined : sessions.get(token)
      if (token === undefined || session === undefined) throw signInAgain('You are not signed in.')
      if (session.usedAt + SESSION_MS < now()) {
        sessions.delete(token)
        throw signInAgain('This session is over.')
      }
      session.usedAt = now()
      if (session.proof.kind === 'key') return door.authenticate(new Headers({ authorization: session.proof.authorization }))
      if (!(await door.requiresKey())) return LOCAL_PRINCIPAL
      sessions.delete(token)
      throw signInAgain('This server asks for a key from now on.')
    },
    end(token) {
      if (token !== undefined) sessions.delete(token)
    },
  }
}
