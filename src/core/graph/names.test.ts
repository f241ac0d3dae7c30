import { describe, expect, test } from 'vitest'
import {
  containsName,
  entityKey,
  isLinkable,
  knownNames,
  mentionedNames,
  namesOfEntity,
  nameWords,
  normalName,
  possibleNames,
  toNameSearchTerms,
} from './names.js'

test.each([
  ['The Beatles', 'beatles'],
  ['  ACME   Corp. ', 'acme corp'],
  ['Paris (France)', 'paris'],
  ["Ann's dog", 'ann dog'],
  ['Ann’s', 'ann'],
  ['Zoë Müller', 'zoe muller'],
  ['(all)', 'all'],
  ['The', 'the'],
  ['src/core/mask.ts', 'src core mask ts'],
  ['parse_header()', 'parse_header'],
  ['', ''],
  [' !? ', '!?'],
  ['x) b (c', 'x b c'],
  ['x (y (z)', 'x'],
])('%j is known as %j', (name, normal) => {
  expect(normalName(name)).toBe(normal)
  expect(normalName(normal)).toBe(normal)
})

test('does not look up plain words, numbers and long titles', () => {
  for (const name of ['', 'x', '!?', '__', 'it', 'the of', '42', '7 12', 'one two three four five six seven eight'])
    expect(isLinkable(name), name).toBe(false)
  for (const name of ['ox', 'it department', 'area 51', '2024', 'one two three four five six seven'])
    expect(isLinkable(name), name).toBe(true)
})

describe('mentioned names', () => {
  test.each([
    ['Yesterday we met Maria van der Berg in New York.', ['maria van der berg', 'new york']],
    ['The Acme Corp hired Dr. Smith. Paris was cold.', ['acme corp', 'dr smith', 'paris']],
    ['see `src/net/http.ts` and ./run.sh/x', ['src net http ts', 'run sh x']],
    ['call parseHeader or obj.method_name() now', ['parseheader', 'obj method_name']],
    ['docs at https://example.org/a/b?c=1.', ['https example org a b c 1']],
    ['nothing to name here', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(mentionedNames(text)).toEqual(expect.arrayContaining(expected))
    if (expected.length === 0) expect(mentionedNames(text)).toEqual([])
  })

  test('a function word at the start of a sentence is no name', () => {
    expect(mentionedNames('When The River rises')).toEqual(['river'])
    expect(mentionedNames('It works')).toEqual([])
  })

  test.each([
    ['La réunion avec Paul est lundi. Les parents sont invités.', ['paul']],
    ['La réunion commence lundi matin avec Paul', ['paul']],
    ["C'est l'anniversaire de Marie. Est-ce que Paul vient ?", ['marie', 'paul']],
    ["L'Oréal est à Paris, et non à Lyon.", ['l oreal', 'paris', 'lyon']],
    ['Die Katze ist weg. Haben Sie Anna gesehen, und wissen Sie es?', ['katze', 'anna']],
    ['El coche de Ana está en el taller. Los Ángeles no es Madrid.', ['ana', 'angeles', 'madrid']],
    ['Ana vive en Los Ángeles y es de Madrid.', ['ana', 'los angeles', 'madrid']],
    ['De sleutel ligt onder het matje van Piet.', ['piet']],
    ['La Paz is far from Los Angeles. Los Angeles is big.', ['la paz', 'los angeles']],
    ['Mia likes tea. Ella does not.', ['mia', 'ella']],
    ['UN staff left. LA is in the west.', ['un', 'la']],
    ['We met Le, then Das.', ['le', 'das']],
  ])('without small words of other languages: %j', (text, expected) => {
    expect(mentionedNames(text)).toEqual(expected)
  })

  test('are limited in number', () => {
    expect(mentionedNames(Array.from({ length: 300 }, (_, i) => `Name${i}x,`).join(' '))).toHaveLength(64)
  })

  test('are found in bounded time in hostile text', () => {
    for (const text of [
      'A '.repeat(20_000),
      'a/'.repeat(20_000),
      'a_'.repeat(20_000),
      'Aa.'.repeat(20_000),
      `${'('.repeat(20_000)}x`,
      'Of the '.repeat(8000),
    ])
      mentionedNames(text)
    for (const text of [
      `${'('.repeat(200_000)}x`,
      `${' '.repeat(200_000)}x`,
      `${'x('.repeat(100_000)}]`,
      `http://x${'.'.repeat(200_000)}y`,
    ])
      normalName(text)
    mentionedNames(`http://x${'.'.repeat(100_000)}y`)
  })
})

describe('known names', () => {
  const known = ['new york', 'york', 'new york city', 'otter']
  const find = (text: string) => knownNames(nameWords(text), (head) => known.filter((name) => name.split(' ')[0] === head))

  test('are matched longest first, from left to right, each once', () => {
    expect(find('New York City, new york, York; otters, otter')).toEqual(['new york city', 'new york', 'york', 'otter'])
    expect(find('new yorker')).toEqual([])
    expect(find('')).toEqual([])
  })

  test('a name is contained only as a run of whole words', () => {
    expect(containsName(nameWords('the Acme, Corp'), 'acme corp')).toBe(true)
    expect(containsName(nameWords('acme of corp'), 'acme corp')).toBe(false)
    expect(containsName(nameWords('acmes corp'), 'acme corp')).toBe(false)
  })
})

test('searches facts by the content words of a name', () => {
  expect(toNameSearchTerms('bank of england')).toEqual(['england', 'bank'])
  expect(toNameSearchTerms('it')).toEqual(['it'])
})

describe('the words of a name are bounded', () => {
  const long = [
    'a_'.repeat(4_950),
    '東京'.repeat(4_950),
    'owl '.repeat(2_400),
    '-a.'.repeat(3_300),
    Array(7).fill('a_'.repeat(32)).join(' '),
  ]

  test.each(long)('holds for a name of %#', (name) => {
    expect(isLinkable(normalName(name))).toBe(false)
    expect(toNameSearchTerms(name).length).toBeLessThanOrEqual(4)
  })

  test('the maximum number of names with a common beginning costs no more than one', () => {
    const owls = Array.from({ length: 50_000 }, (_, i) => `owl ${i}`)
    const text = nameWords('owl 7 '.repeat(1_000))
    expect(knownNames(text, (head) => (head === 'owl' ? owls : []))).toEqual(['owl 7'])
  })

  test('a text that names everything is linked by its beginning', () => {
    const all = Array.from({ length: 1_000 }, (_, i) => `owl${i}`)
    expect(knownNames(all, (head) => [head])).toEqual(all.slice(0, 200))
  })
})

test.each([
  ['  The  Beatles ', 'beatles'],
  ['C++', 'c++'],
  ['.NET', '.net'],
  ['Mercury (planet)', 'mercury (planet)'],
  ['ACME Corp.', 'acme corp'],
  ['-5', '-5'],
  ['The', 'the'],
  ['...', '...'],
  ['', ''],
  [`Foo ${'a'.repeat(70)}`, `foo ${'a'.repeat(70)}`],
])('%j has the key %j', (name, key) => {
  expect(entityKey(name)).toBe(key)
})

test('words and names of decomposed and Indic texts stay whole', () => {
  expect(nameWords('किताब')).toHaveLength(1)
  expect(mentionedNames('met Bérénice'.normalize('NFD'))).toEqual(['berenice'])
})

describe('the names of an entity', () => {
  const keys = (name: string, aliases: readonly string[], uri: string | null = null) => namesOfEntity({ name, aliases, uri })

  test('are its name and aliases, each once', () => {
    expect(keys('Ann Miller', ['The Ann Miller', 'annie', ' '])).toEqual([
      { key: 'ann miller', name: 'ann miller' },
      { key: 'annie', name: 'annie' },
    ])
  })

  test('follow its URI if it has one', () => {
    expect(keys('Ann', ['Annie', 'annie', ''], 'x:1')).toEqual([
      { key: '\u0001x:1', name: 'ann' },
      { key: '\u0001x:1 annie', name: 'annie' },
    ])
  })

  test('exclude words of the texts it was captured from', () => {
    expect(keys('docs', ['documents'], 'mneme:captured/1')).toEqual([{ key: '\u0001mneme:captured/1', name: '' }])
  })
})

describe('length of a name', () => {
  test('is at most 64 letters per word and 200 in total', () => {
    expect(nameWords(`${'a'.repeat(64)} ${'b'.repeat(65)}`)).toEqual(['a'.repeat(64)])
    expect([isLinkable('a'.repeat(200)), isLinkable('a'.repeat(201))]).toEqual([true, false])
  })

  test('is at most seven words; candidates are tried longest first and end with the text', () => {
    const words = [...'abcdefghi']
    expect(possibleNames(words, 0)).toEqual(['a b c d e f g', 'a b c d e f', 'a b c d e', 'a b c d', 'a b c', 'a b', 'a'])
    expect(possibleNames(words, 7)).toEqual(['h i', 'h'])
    const long = Array.from({ length: 6 }, () => 'x'.repeat(60))
    expect(possibleNames(long, 0).map(({ length }) => length)).toEqual([243, 182, 121, 60])
  })
})
