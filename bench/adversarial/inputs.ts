/** A hostile call: its name, tool and input. */
export interface HostileCall {
  readonly kind: string
  readonly name: string
  readonly tool: string
  readonly input: unknown
}

const LARGE = 100_000
const fill = (unit: string, length = LARGE): string => unit.repeat(Math.floor(length / unit.length))

/** Texts that are expensive for parsers of words, names, code or numbers. */
const TEXTS: Readonly<Record<string, string>> = {
  words: fill('lorem ipsum dolor sit amet '),
  'one word': fill('a'),
  underscores: fill('_'),
  'joined words': fill('a_'),
  capitals: fill('Ab Cd. '),
  'capitals joined': fill('A.B.'),
  paths: fill('a/b/c.d '),
  slashes: fill('/'),
  URLs: fill('http://a.b/c '),
  digits: fill('1.'),
  dates: fill('2024-01-02T03:04:05 '),
  'open brackets': fill('f('),
  'closing brackets': fill(')'),
  'back quotes': fill('`a'),
  quotes: fill('"'),
  backslashes: fill('\\'),
  'blank lines': `x${fill('\n')}`,
  spaces: `x${fill(' ')}y`,
  'code lines': fill('if (a) { b(c); }\n'),
  'code in one line': fill('fn(a){'),
  Chinese: fill('東京', 33_000),
  Thai: fill('สวัสดี', 33_000),
  Arabic: fill('مُحَمَّد ', 45_000),
  emoji: fill('👩‍👩‍👧‍👦', 25_000),
  marks: `a${fill('\u0301', 49_000)}`,
  'different words': Array.from({ length: 14_000 }, (_, i) => `w${i}`).join(' '),
  'headings with space': fill(`# a${' '.repeat(500)}b\n`),
}

const NAMES: Readonly<Record<string, string>> = {
  'joined by signs': fill('a_', 9_900),
  'of many words': fill('owl data a ', 9_900),
  'without spaces': fill('東京', 3_300),
  'of signs': fill('-.', 9_900),
  'of capitals': fill('Ab ', 9_900),
  'of brackets': fill('((', 9_900),
  'of common words': 'data system user project team plan owl',
}

const PATTERNS: Readonly<Record<string, string>> = {
  'folders 20 times': fill('**/', 60),
  'stars and letters 15 times': fill('*a', 30),
  'stars and letters to the limit': fill('*a', 498),
  'stars that cross folders': fill('**a', 498),
  'choices nested': `${fill('{a,', 240)}a${fill('}', 80)}`,
  'choices in a row': fill('{a,b}', 495),
  'any character': `**a${fill('?', 490)}`,
  'a hyphen': 'my-file-a.ts',
  brackets: fill('[]', 498),
  'signs of expressions': '(a+)+$|^[a-z]{2,}.*\\d',
  'a million characters': fill('*a', 1_000_000),
  slashes: `/${fill('/', LARGE)}x`,
}

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`
const deep = (depth: number): unknown => JSON.parse(nested(depth, '{"a":', '}'))

const each = (kind: string, from: Readonly<Record<string, string>>, tool: string, input: (text: string) => unknown): HostileCall[] =>
  Object.entries(from).map(([name, text]) => ({ kind, name: `${name} (${tool.split('/')[1]})`, tool, input: input(text) }))

export const CALLS: readonly HostileCall[] = [
  ...each('patterns', PATTERNS, 'memory/search_code', (path) => ({ query: 'step', path })),
  ...each('names', NAMES, 'graph/create_node', (text) => ({ text, node_type: 'Entity' })),
  ...each('names', NAMES, 'memory/create_entity', (name) => ({ name: name.slice(0, 300) })),
  ...each('names', NAMES, 'graph/create_triplet', (text) => ({ subject: text, predicate: text.slice(0, 200), object_value: text })),
  ...each('names', NAMES, 'memory/store_memory', (title) => ({
    content: 'The owl sleeps.',
    metadata: { title, author: title, session: title },
  })),
  ...each('texts', TEXTS, 'memory/store_memory', (content) => ({ content })),
  ...each('texts', TEXTS, 'graph/create_node', (text) => ({ text: text.slice(0, 9_900) })),
  ...each('questions', TEXTS, 'memory/recall', (query) => ({ query, include_code: true, explain: true })),
  ...each('questions', TEXTS, 'memory/search', (query) => ({ query })),
  ...each('questions', TEXTS, 'memory/search_text', (query) => ({ query })),
  ...each('questions', TEXTS, 'memory/search_code', (query) => ({ query })),
  ...each('questions', TEXTS, 'graph/search', (query) => ({ query: query.slice(0, 9_900) })),
  ...[
    ['many keys', { metadata: Object.fromEntries(Array.from({ length: 4_500 }, (_, i) => [`key${i}`, `value${i}`])) }],
    ['a long list', { metadata: { list: Array.from({ length: 20_000 }, () => 1) } }],
    ['backslashes', { metadata: { a: fill('\\', 45_000) } }],
    ['30 levels', { metadata: deep(30) }],
    ['1,000 levels', { metadata: deep(1_000) }],
    ['too large', { metadata: { a: fill('x', 5_000_000) } }],
    ['5,000 unknown arguments', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`no${i}`, 1]))],
  ].map(([name, more]): HostileCall => {
    const input = typeof more === 'object' ? more : {}
    return { kind: 'metadata', name: String(name), tool: 'memory/store_memory', input: { content: 'x', ...input } }
  }),
  { kind: 'JSON', name: '100,000 levels of lists', tool: 'memory/store_memory', input: nested(100_000, '[', ']') },
  { kind: 'JSON', name: '100,000 levels of objects', tool: 'memory/store_memory', input: nested(100_000, '{"a":', '}') },
  {
    kind: 'JSON',
    name: 'a million numbers',
    tool: 'memory/store_memory',
    input: `{"content":"x","metadata":{"a":[${fill('1,', 2_000_000)}1]}}`,
  },
  { kind: 'JSON', name: 'no JSON', tool: 'memory/store_memory', input: fill('{"a":', LARGE) },
  { kind: 'times', name: 'a date of digits', tool: 'memory/store_memory', input: { content: 'x', event_time: fill('2', LARGE) } },
  {
    kind: 'times',
    name: 'an offset without end',
    tool: 'memory/get_valid_at',
    input: { timestamp: `2024-01-01T00:00:00+${fill('0', LARGE)}` },
  },
  { kind: 'lists', name: 'a million as offset', tool: 'memory/list_memories', input: { limit: 100, offset: 1_000_000 } },
  {
    kind: 'lists',
    name: '10,000 facts in one summary',
    tool: 'graph/create_summary_fact',
    input: { fact_ids: Array.from({ length: 10_000 }, (_, i) => `f${i}`), summary_text: 'x' },
  },
  {
    kind: 'lists',
    name: '10,000 links of one node',
    tool: 'graph/create_node',
    input: { text: 'x', links: Array.from({ length: 10_000 }, (_, i) => ({ node_id: `n${i}`, relation_type: 'A' })) },
  },
]
