import { isPlaceholder, isReference } from './likeness.js'
import type { SecretSpan } from './token-forms.js'

const MAX_ADDRESS_CHARS = 2048
const MAX_PASSWORD_CHARS = 128
const ENDS_AUTHORITY = '/?#"\'`<>\\ \t\r\n,;()[]{}'
const ENDS_ADDRESS = '"\'`<>\\ \t\r\n'
const PORT = /^[^:]*:\d*$/
/** Default passwords of services. */
const DEFAULT_PASSWORDS = new Set([
  'pass',
  'password',
  'guest',
  'root',
  'admin',
  'test',
  'secret',
  'postgres',
  'user',
  'mysql',
  'redis',
  'minio',
  'rabbitmq',
])

/** URLs whose path is the key. */
const HOOKS: readonly (readonly [start: string, kind: string])[] = [
  ['hooks.slack.com/services/', 'slack webhook'],
  ['hooks.slack.com/workflows/', 'slack webhook'],
  ['hooks.slack.com/triggers/', 'slack webhook'],
  ['discord.com/api/webhooks/', 'discord webhook'],
  ['discordapp.com/api/webhooks/', 'discord webhook'],
  ['outlook.office.com/webhook/', 'teams webhook'],
  ['hooks.zapier.com/hooks/catch/', 'zapier webhook'],
]

/** The password of a URL, or the key in its path; `at` is the position of `://`. */
export function addressAt(text: string, at: number): SecretSpan | undefined {
  const from = at + 3
  const limit = Math.min(text.length, from + MAX_ADDRESS_CHARS)
  const authority = endBefore(text, from, limit, ENDS_AUTHORITY)
  const hook = HOOKS.find(([start]) => text.startsWith(start, from))
  if (hook !== undefined) {
    const key = from + hook[0].length
    const to = endBefore(text, key, limit, ENDS_ADDRESS)
    return to - key > 16 && !isPlaceholder(text.slice(key, to)) ? { from: key, to, kind: hook[1] } : undefined
  }
  const head = text.slice(from, authority)
  const colon = head.indexOf(':')
  if (colon < 0) return undefined
  const sign = head.lastIndexOf('@')
  const rest = sign > colon ? head.slice(0, sign) : PORT.test(head) ? undefined : beyondSlash(text, from, authority, limit)
  if (rest === undefined) return undefined
  const password = rest.slice(colon + 1)
  return isGiven(password, head.slice(0, colon)) ? { from: from + colon + 1, to: from + rest.length, kind: 'password' } : undefined
}

/** A password may contain a slash, which then precedes the `@`. */
function beyondSlash(text: string, from: number, authority: number, limit: number): string | undefined {
  if (text[authority] !== '/') return undefined
  const next = text.slice(authority, authority + MAX_PASSWORD_CHARS).indexOf('://')
  const end = next < 0 ? Math.min(limit, authority + MAX_PASSWORD_CHARS) : authority + next
  const whole = text.slice(from, endBefore(text, authority, end, ENDS_ADDRESS))
  const sign = whole.lastIndexOf('@')
  return sign < 0 ? undefined : whole.slice(0, sign)
}

/** True for a password that is neither the user name nor a placeholder. */
const isGiven = (password: string, user: string): boolean =>
  password.length >= 3 &&
  !DEFAULT_PASSWORDS.has(password.toLowerCase()) &&
  password !== user &&
  !password.includes('://') &&
  !isReference(password) &&
  (/\d/.test(password) || !isPlaceholder(password))

function endBefore(text: string, from: number, limit: number, ends: string): number {
  let at = from
  while (at < limit && !ends.includes(text[at] ?? '')) at++
  return at
}
