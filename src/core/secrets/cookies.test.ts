import { expect, it } from 'vitest'
import { secretsIn } from './scan.js'

const found = (text: string): readonly string[] => secretsIn(text).map(({ from, to }) => text.slice(from, to))
/** Generated, so that the repository contains no key. */
const ID = 'q7zt19lmpx02rrty8kd1'.repeat(2).slice(0, 26)

it.each([
  [`Set-Cookie: session=${ID}; Path=/; HttpOnly`, [ID]],
  [`Cookie: theme=dark; sid=${ID}; token2=${ID}x`, [ID, `${ID}x`]],
  [`curl -H 'Cookie: PHPSESSID=${ID}' https://x.example`, [ID]],
  [`set-cookie: connect.sid=s%3A${ID}.${ID}; Path=/`, [`s%3A${ID}.${ID}`]],
])('the random value of a cookie is masked: %s', (text, values) => expect(found(text)).toEqual(values))

it.each(['Cookie: theme=dark; consent=accepted-all-2024-version; lang=en', `session=${'a'.repeat(30)}`, 'The cookie lasts 30 days'])(
  'other parts of a cookie stay unchanged: %s',
  (text) => expect(found(text)).toEqual([]),
)
