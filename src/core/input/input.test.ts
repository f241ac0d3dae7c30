import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDepth, checkKeys, checkMetadata, checkSize, checkString, checkText, formatInstant, parseInstant } from './input.js'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}Z$/
const parse = (text: string): number => parseInstant(text, 'no such time')
const throughStore = (text: string): string => formatInstant(parse(text))

describe('what a call holds is counted before anything walks it', () => {
  test('a hundred thousand values pass, one more does not, however they are nested', () => {
    expect(() => checkDepth(new Array(100_000).fill(1), 'metadata')).not.toThrow()
    expect(() => checkDepth(new Array(100_001).fill(1), 'metadata')).toThrow('Invalid metadata: more than 100,000 values')
    expect(() =>
      checkDepth(
        Array.from({ length: 1000 }, () => new Array(100).fill(1)),
        'metadata',
      ),
    ).toThrow('more than')
  })
})

describe('instants', () => {
  test.each([
    ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123456000Z'],
    ['2255-01-01T00:00:00.000001Z', '2255-01-01T00:00:00.000001000Z'],
    ['2300-01-01T00:00:00.123456Z', '2300-01-01T00:00:00.123000000Z'],
    ['5000-01-01T00:00:00.123456Z', '5000-01-01T00:00:00.000000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.000000000Z'],
    ['9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.000000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999000Z'],
    ['1600-01-01T00:00:00.999999Z', '1600-01-01T00:00:00.999000000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000000Z'],
    ['2024-01-15 10:30:00+02', '2024-01-15T08:30:00.000000000Z'],
    ['2024-01-15T10:30-0530', '2024-01-15T16:00:00.000000000Z'],
    ['20240115T103000Z', '2024-01-15T10:30:00.000000000Z'],
    ['20240115t103000,25+02:00', '2024-01-15T08:30:00.250000000Z'],
    ['20240115T1030+02', '2024-01-15T08:30:00.000000000Z'],
    ['20240115', '2024-01-15T00:00:00.000000000Z'],
  ])('%s is kept as %s', (text, kept) => {
    expect(throughStore(text)).toBe(kept)
  })

  test.each([
    '0000-12-31',
    '0000-12-31T23:00:00-05:00',
    '0001-01-01T00:00:00+01:00',
    '10000-01-01',
    '2026-02-30',
    '20260230',
    '00001231T000000Z',
    '1767700000',
    '20240115 103000',
    '2024-0115',
    '2024-01-15T10:30:00+2',
    '2024-01-15T10:30:00+25',
  ])('%s is refused', (text) => {
    expect(() => parse(text)).toThrow('no such time')
  })

  test.each([
    ['2025-02-30', 'no day 2025-02-30'],
    ['20250230', 'no day 2025-02-30'],
    ['2026-13-01T00:00:00Z', 'no day 2026-13-01'],
    ['2026-01-06T25:00:00Z', 'no time 25:00:00'],
    ['2026-01-06T12:61', 'no time 12:61:00'],
    ['2024-01-15T10:30:00+25', 'no offset +25:00'],
    ['0000-12-31', 'no year 0000'],
    ['0001-01-01T00:00:00+01:00', 'no time before the year 0001'],
  ])('%s is well-formed but does not exist: the error says why, with an example', (text, problem) => {
    const examples = 'Example: 2026-02-28 or 2026-02-28T12:00:00Z.'
    const refused = (impossible?: (problem: string) => string): unknown => {
      try {
        return parseInstant(text, 'pinned', impossible)
      } catch (error) {
        return error
      }
    }
    expect(refused()).toMatchObject({ code: 'invalid_input', message: 'pinned', hint: `There is ${problem}. ${examples}` })
    expect(refused((output) => `Invalid as_of: ${output}`)).toMatchObject({ message: `Invalid as_of: there is ${problem}`, hint: examples })
  })

  test('in another form get no such hint', () => {
    expect(() => parseInstant('tomorrow', 'pinned', () => 'never')).toThrow(expect.objectContaining({ message: 'pinned', hint: undefined }))
  })

  test('an offset cannot exceed the last instant', () => {
    expect(parse('9999-12-31T23:59:59-12:00')).toBe(parse('9999-12-31T23:59:59Z'))
  })

  test('parsing and formatting are inverse', () => {
    const texts = fc.record({
      date: fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
      micros: fc.integer({ min: 0, max: 999_999 }),
      offset: fc.constantFrom('', 'Z', '+14:00', '-12:00', '+0530'),
    })
    fc.assert(
      fc.property(texts, ({ date, micros, offset }) => {
        const now = parse(`${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}${offset}`)
        const written = formatInstant(now)
        expect(written).toMatch(RFC_3339)
        expect(parse(written)).toBe(now)
        expect(JSON.parse(JSON.stringify(now))).toBe(now)
        if (offset === '' || offset === 'Z') expect(written.slice(0, 19)).toBe(date.toISOString().slice(0, 19))
      }),
    )
  })

  test('formats every number as an existing time', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (now) => {
        expect(formatInstant(now)).toMatch(RFC_3339)
      }),
    )
  })
})

describe('texts', () => {
  test.each(['', ' \n\t', '\u200b', '\u200b \u2060\ufeff\u00ad', '\u3164'])('nothing to see is no text: %j', (text) => {
    expect(() => checkText(text, 'content', 100)).toThrow('Invalid content: must not be empty')
  })

  test('may contain zero-width characters among others', () => {
    expect(() => checkText('\ufeffa\u200b', 'content', 100)).not.toThrow()
    expect(() => checkText('\u{1f469}\u200d\u{1f467}', 'content', 100)).not.toThrow()
  })
})

describe('keys', () => {
  test('that a copy would lose are rejected at any depth', () => {
    for (const text of ['{"__proto__": 1}', '{"a": [{"__proto__": {}}]}'])
      expect(() => checkDepth(JSON.parse(text), 'metadata')).toThrow('Invalid metadata: the key __proto__ cannot be stored')
    expect(() => checkDepth({ constructor: 1, prototype: 2, __proto__x: 3 }, 'metadata')).not.toThrow()
  })
})

describe('rejected texts and metadata', () => {
  test('rejects more bytes than allowed', () => {
    expect(() => checkSize('aé', 'x', 3)).not.toThrow()
    expect(() => checkSize('aé', 'x', 2)).toThrow('Invalid x: 3 bytes, at most 2 are allowed')
    expect(() => checkMetadata({ a: 1 }, 'x', 7)).not.toThrow()
    expect(() => checkMetadata({ a: 1 }, 'x', 6)).toThrow('Invalid x: 7 bytes of JSON, at most 6 are allowed')
  })

  test('rejects characters that stores cannot represent, but not their escaped form', () => {
    expect(() => checkString('\ud800 at the beginning', 'x')).toThrow('position 0')
    expect(() => checkKeys({ a: null, b: 'text' }, 'x')).not.toThrow()
    const refused = (text: string): string | undefined => {
      try {
        checkMetadata({ first: 'a "quote" and a \\', text }, 'x', 1000)
        return undefined
      } catch (error) {
        return String(error)
      }
    }
    expect(refused('a\0b')).toContain('NUL')
    expect(refused('\ud83d alone')).toContain('half of a surrogate pair')
    for (const text of ['plain', '\\u0000', '\\ud83d', '\\\\u0000', 'u0000', '\u0001', '🦉', 'x\ny'])
      expect(refused(text), text).toBeUndefined()
  })
})
