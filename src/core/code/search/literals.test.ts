import { describe, expect, it } from 'vitest'
import { type LiteralMatch, literalsInQuery, matchLiteral } from './literals.js'

const texts = (query: string): readonly string[] => literalsInQuery(query).map(({ text }) => text)

/** The best match of any literal of the query. */
function match(query: string, code: string): (LiteralMatch & { readonly line: number }) | undefined {
  const found = literalsInQuery(query).flatMap((literal) => matchLiteral(literal, code) ?? [])
  const [best] = found.sort((a, b) => b.share - a.share)
  return best === undefined ? undefined : { ...best, line: code.slice(0, best.offset).split('\n').length }
}

describe('literals of a query', () => {
  it.each([
    ['ValueError: cannot open the ledger', 'cannot open the ledger'],
    ['app.ledger.LedgerError: page 12 is missing', 'page 12 is missing'],
    ['(node:4711) ExperimentalWarning: Ledgers are experimental.', 'Ledgers are experimental.'],
    ['LEDGER_PAGE_SIZE', 'LEDGER_PAGE_SIZE'],
    ['LEDGERDEBUG', 'LEDGERDEBUG'],
    ['--keep-pages', '--keep-pages'],
    ['where do we raise "no such page in the ledger"?', 'no such page in the ledger'],
    ['which code links to https://example.com/ledger#pages', 'https://example.com/ledger#pages'],
    ['Traceback (most recent call last):\n  File "a.py", line 3\nLedgerError: no such page', 'no such page'],
  ])('%j', (query, literal) => {
    expect(texts(query)).toContain(literal)
  })

  it.each(['how does the ledger open', 'page size', "who doesn't close it?"])('finds none in %j', (query) => {
    expect(literalsInQuery(query).filter(({ isMarked }) => isMarked)).toEqual([])
  })

  it('reads a hostile query quickly and finds a bounded number', () => {
    const query = '`a`"b\'c -- A_B '.repeat(600)
    expect(literalsInQuery(query).length).toBeLessThanOrEqual(8)
  })
})

describe('matching a literal', () => {
  it.each([
    ['ledger has 12 pages too many', 'raise LedgerError("ledger has %d pages too many" % n)'],
    ["cannot open 'a.db' as a ledger", `throw new Error(${'`'}cannot open \${path} as a ledger${'`'})`],
    ['Cannot reach host example.com:80 through the proxy', "err = 'Cannot reach host ' + host +\n  ' through the proxy'"],
    ['Upload failed: 507 Insufficient Storage', 'f"Upload failed: {code} {reason}"'],
  ])('%j matches its format string', (query, code) => {
    expect(match(query, code)?.share).toBeGreaterThan(0.6)
  })

  it('states the line that holds it', () => {
    expect(match('Error: no such page', 'function open() {\n  // opens\n  throw new Error("no such page")\n}')).toMatchObject({
      line: 3,
      isExact: true,
    })
  })

  it('prefers code to a comment, and the assigned name to its uses', () => {
    const code = '// PAGE_SIZE is the size\nread(PAGE_SIZE)\nconst PAGE_SIZE = 4096'
    expect(match('PAGE_SIZE', code)).toMatchObject({ line: 3, isExact: true, isWhole: true })
  })

  it('does not find a name within a longer one', () => {
    expect(match('PAGE_SIZE', 'const MAX_PAGE_SIZE_KB = 4')).toBeUndefined()
  })

  it('finds nothing in a text that shares few words', () => {
    expect(match('Error: no such page in the ledger', 'a page of the book')).toBeUndefined()
  })

  it('matches a long text without spaces', () => {
    expect(match('Error: no such page', 'x'.repeat(50_000))).toBeUndefined()
  })
})
