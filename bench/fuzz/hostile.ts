import type { Random } from './random.js'

/** Texts that have caused failures in similar programs. */
const TEXTS: readonly [string, ...string[]] = [
  '',
  ' ',
  '\n\t\u00a0\u3000',
  'a\0b',
  '\0',
  '\ud800',
  'ab\udc00cd',
  '\udbff\udfff',
  '\u202eevil\u202c',
  '\u2066\u2069',
  '\u200b\u200d\ufeff',
  '\ufffe\uffff',
  'e\u0301'.repeat(300),
  'Z\u0351\u0344\u0343'.repeat(100),
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'ﷺ',
  'ß ſ İ ı ŉ ǰ',
  '中文没有空格的名字',
  'ไทยไม่มีช่องว่าง',
  '\x1b[2J\x1b]0;title\x07',
  '\x7f\x80\x9f',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'undefined',
  'null',
  'NaN',
  'true',
  '-0',
  '1e999',
  '9'.repeat(400),
  '0x10',
  '007',
  "'; DROP TABLE facts; --",
  '"quoted" AND NOT near(*',
  'a* OR (b NEAR/2 c',
  'col:val {x y}: ^z',
  '%_\\',
  '**/'.repeat(20),
  '*a'.repeat(15),
  'a-b-[c-',
  '[!]',
  '{a,{b,{c',
  '(?:(a+)+)+$',
  '../../etc/passwd',
  'C:\\con\\nul',
  'file:///dev/zero',
  '{{7*7}}$(id)`id`',
  '<script>alert(1)</script>',
  '2024-02-30',
  '2024-13-45T99:99:99Z',
  '9999-12-31T23:59:59.999999999Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20',
  '0000-01-01',
  '1970-01-01T00:00:00+99:99',
  '10000-01-01T00:00:00Z',
  'x'.repeat(257),
  'x'.repeat(9_900),
  `${'word '.repeat(2_000)}`,
  '.',
  '..',
  '/',
  '-',
  '--help',
  '#',
  '?',
  'job:archive:default#1',
  'job:::#',
]

const NUMBERS: readonly [number, ...number[]] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1.0000000001,
  51,
  101,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
  1e15,
  8.64e15,
  8.64e15 + 1,
  1e21,
  1e308,
  -1e308,
  5e-324,
  1e-7,
]

/** Occasionally above a limit; such texts are slow. */
export function hostileText(random: Random): string {
  if (random.chance(0.002)) return 'é'.repeat(60_000)
  if (random.chance(0.05)) return `${random.pick(TEXTS)}${random.pick(TEXTS)}`
  if (random.chance(0.1)) return String.fromCharCode(...Array.from({ length: 1 + random.int(12) }, () => random.int(0x10000)))
  return random.pick(TEXTS)
}

export const hostileNumber = (random: Random): number => random.pick(NUMBERS)

/** Any JSON value: wrong types, odd keys, deep nesting, long lists. */
export function hostileValue(random: Random, depth = 0): unknown {
  const kind = random.int(depth > 2 ? 5 : 12)
  if (kind < 2) return hostileText(random)
  if (kind === 2) return hostileNumber(random)
  if (kind === 3) return random.chance(0.5)
  if (kind === 4) return null
  if (kind === 5) return Array.from({ length: random.int(4) }, () => hostileValue(random, depth + 1))
  if (kind === 6) return nested(random, random.pick([5, 31, 32, 33, 100, 2_000]))
  if (kind === 7) return Array.from({ length: random.pick([0, 1, 100, 3_000]) }, (_, n) => n)
  if (kind === 8) return { tb: hostileText(random), id: { String: hostileText(random) } }
  return withOddKeys(random, depth)
}

/** Parsed from JSON, so that `__proto__` is an ordinary key. */
function withOddKeys(random: Random, depth: number): unknown {
  const count = random.int(4)
  const members = Array.from(
    { length: count },
    () => `${JSON.stringify(random.chance(0.4) ? '__proto__' : hostileText(random))}:${JSON.stringify(hostileValue(random, depth + 1))}`,
  )
  const value: unknown = JSON.parse(`{${members.join(',')}}`)
  return value
}

function nested(random: Random, levels: number): unknown {
  let value: unknown = 1
  const list = random.chance(0.5)
  for (let level = 0; level < levels; level++) value = list ? [value] : { d: value }
  return value
}
