import { describe, expect, test } from 'vitest'
import { type EmbedParts, embedTextOf } from './embed-text.js'

const parts = (input: Partial<EmbedParts>): EmbedParts => ({
  ...{ path: 'src/auth/tokenStore.ts', language: 'typescript', scopePath: null, name: null, signatures: [], docs: [], text: '' },
  ...input,
})

describe('text embedded instead of code', () => {
  test('contains path, name, doc comment and used identifiers', () => {
    expect(
      embedTextOf(
        parts({
          scopePath: 'TokenStore.inner',
          name: 'loadToken',
          signatures: ['loadToken(userId)', 'saveToken()'],
          docs: ['Reads a token.\n', 'Twice.'],
          text: 'const fooBar = loadToken(userId); return fooBar ?? qux2x.do(id).zeta',
        }),
      ),
    ).toBe('auth token Store\nToken Store inner\nload Token(user Id); save Token()\nReads a token. Twice.\nfoo Bar qux2 zeta')
    expect(embedTextOf(parts({ name: 'loadToken' }))).toBe('auth token Store\nload Token')
    expect(embedTextOf(parts({}))).toBe('auth token Store')
  })

  test('leaves prose unchanged', () => {
    for (const language of ['markdown', 'text'])
      expect(embedTextOf(parts({ path: 'docs/readMe.md', language, name: 'Setup', text: 'Use  fooBar\nhere.' }))).toBe(
        'docs read Me\nSetup\nUse fooBar here.',
      )
  })

  test('starts with compound identifiers, and omits identifiers of one or two letters', () => {
    expect(embedTextOf(parts({ path: 'box.ts', text: 'zeta omegaMap abTo xY omega' }))).toBe('box\nomega Map zeta')
    expect(embedTextOf(parts({ path: 'box.ts', text: 'aLoader' }))).toBe('box\nLoader')
  })

  test('ends at its budget, between words if one ends in the second half', () => {
    const text = (length: number): string => embedTextOf(parts({ path: 'b.md', language: 'text', text: 'x'.repeat(length) }))
    expect(text(699)).toHaveLength(700)
    expect(text(900)).toHaveLength(700)
    expect(embedTextOf(parts({ path: 'b.md', language: 'text', text: `${'x '.repeat(349)}x` }))).toHaveLength(700)
    const cut = (space: number): string =>
      embedTextOf(parts({ path: 'b.md', language: 'text', text: `${'x'.repeat(space - 1)} ${'y'.repeat(900)}` }))
    // The line break before it is the first of the 700 characters.
    expect(cut(351)).toHaveLength(351)
    expect(cut(350)).toHaveLength(700)
  })

  test('omits identifiers if the budget is used up', () => {
    const long = (length: number): string =>
      embedTextOf(
        parts({ path: 'b.ts', signatures: ['s'.repeat(320)], docs: ['d'.repeat(320)], scopePath: 'q'.repeat(length), text: 'omegaMap' }),
      )
    // 320 and 320 with a line break between, another before the scope: one character is left behind the last break.
    expect(long(56)).toMatch(/\no$/)
    expect(long(57)).toMatch(/d$/)
    expect(long(70)).toMatch(/d$/)
  })

  test('lists identifiers up to the budget', () => {
    const names = Array.from(
      { length: 200 },
      (_, i) => `alpha${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}Map`,
    )
    const output = embedTextOf(parts({ path: 'b.ts', text: names.join(' ') }))
    expect(output.length).toBeLessThanOrEqual(700)
    expect(output.length).toBeGreaterThan(650)
  })
})
