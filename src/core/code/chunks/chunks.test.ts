import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeChunk, chunkFile, DEFAULT_CHUNK_LIMITS, lineStarts } from './chunks.js'
import { type Definition, type FileOutline, NO_OUTLINE } from './outline.js'

const filler = (name: string, count: number) => Array.from({ length: count }, (_, index) => `  ${name}Step(${index})`)

const definition = (input: Partial<Definition> & Pick<Definition, 'name' | 'startLine' | 'endLine'>): Definition => ({
  kind: 'function',
  scope: [],
  parent: -1,
  signature: `function ${input.name}()`,
  doc: '',
  start: 0,
  end: 0,
  ...input,
})

const outlined = (...definitions: Definition[]): FileOutline => ({ parsed: true, definitions, references: [] })

const shape = (chunk: CodeChunk) => [chunk.kind, chunk.scopePath, chunk.name, chunk.startLine, chunk.endLine]

const chunk = (text: string, outline: FileOutline) => chunkFile({ path: 'src/readers/repoScan.ts', language: 'typescript', text, outline })

describe('chunks of a file', () => {
  it('gives each sizeable definition its own chunk and module code the rest', () => {
    const text = [
      'import a from "a"',
      '',
      'function one() {',
      ...filler('one', 10),
      '}',
      '',
      'function two() {',
      ...filler('two', 10),
      '}',
      '',
    ].join('\n')
    const chunks = chunk(
      text,
      outlined(definition({ name: 'one', startLine: 3, endLine: 14 }), definition({ name: 'two', startLine: 16, endLine: 27 })),
    )
    expect(chunks.map(shape)).toEqual([
      ['module', null, null, 1, 2],
      ['function', null, 'one', 3, 15],
      ['function', null, 'two', 16, 27],
    ])
    expect(chunks.map((each) => each.text).join('')).toBe(text)
  })

  it('gives a definition of any size its own name, kind and lines', () => {
    const text = 'import a\n\nLIMIT = 3\n\ndef one(t):\n    return t\n\n\ndef two(t): return t\nclass Small: pass\n'
    const chunks = chunk(
      text,
      outlined(
        definition({ name: 'one', startLine: 5, endLine: 6 }),
        definition({ name: 'two', startLine: 9, endLine: 9 }),
        definition({ name: 'Small', kind: 'class', startLine: 10, endLine: 10 }),
      ),
    )
    expect(chunks.map(shape)).toEqual([
      ['module', null, null, 1, 4],
      ['function', null, 'one', 5, 8],
      ['function', null, 'two', 9, 9],
      ['class', null, 'Small', 10, 10],
    ])
  })

  it('merges runs of short constants and keeps their names', () => {
    const text = 'import a from "a"\ntype A = 1\ntype B = 2\ntype C = 3\nfunction f() {}\n'
    const chunks = chunk(
      text,
      outlined(
        ...['A', 'B', 'C'].map((name, index) => definition({ name, kind: 'other', startLine: index + 2, endLine: index + 2 })),
        definition({ name: 'f', startLine: 5, endLine: 5 }),
      ),
    )
    expect(chunks.map(shape)).toEqual([
      ['module', null, null, 1, 1],
      ['module', null, null, 2, 4],
      ['function', null, 'f', 5, 5],
    ])
    expect(chunks[1]?.names).toEqual(['A', 'B', 'C'])
  })

  it('merges short sections of prose', () => {
    const sections = [1, 4, 7].map((line) => definition({ name: `Part ${line}`, kind: 'other', startLine: line, endLine: line + 2 }))
    const file = { path: 'a.md', language: 'markdown', text: '# Part\ntext\n\n'.repeat(3), outline: outlined(...sections) }
    expect(chunkFile(file).map(shape)).toEqual([['module', null, null, 1, 9]])
    expect(chunkFile({ ...file, language: 'typescript' })).toHaveLength(3)
  })

  it('splits a long class into header and members', () => {
    const text = [
      'class Box {',
      '  size = 1',
      '  open() {',
      ...filler('open', 20),
      '  }',
      '  close() {',
      ...filler('close', 20),
      '  }',
      '}',
    ].join('\n')
    const chunks = chunk(
      text,
      outlined(
        definition({ name: 'Box', kind: 'class', startLine: 1, endLine: 47, signature: 'class Box' }),
        definition({ name: 'open', scope: ['Box'], parent: 0, startLine: 3, endLine: 24 }),
        definition({ name: 'close', scope: ['Box'], parent: 0, startLine: 25, endLine: 46 }),
      ),
    )
    expect(chunks.map(shape)).toEqual([
      ['class', null, 'Box', 1, 2],
      ['function', 'Box', 'open', 3, 24],
      ['function', 'Box', 'close', 25, 47],
    ])
  })

  it('splits a namespace of any size', () => {
    const chunks = chunk(
      'namespace Shop {\n  class Cart {\n  }\n}\nnamespace Ids {\n  type Id = 1\n}\n',
      outlined(
        definition({ name: 'Shop', kind: 'module', startLine: 1, endLine: 4 }),
        definition({ name: 'Cart', kind: 'class', scope: ['Shop'], parent: 0, startLine: 2, endLine: 3 }),
        definition({ name: 'Ids', kind: 'module', startLine: 5, endLine: 7 }),
        definition({ name: 'Id', kind: 'other', scope: ['Ids'], parent: 2, startLine: 6, endLine: 6 }),
      ),
    )
    expect(chunks.map(shape)).toEqual([
      ['module', null, 'Shop', 1, 1],
      ['class', 'Shop', 'Cart', 2, 4],
      ['module', null, 'Ids', 5, 7],
    ])
  })

  it('splits a huge body with overlap, each part under the name of the definition', () => {
    const text = ['function huge() {', ...filler('huge', 150), '}'].join('\n')
    const chunks = chunk(text, outlined(definition({ name: 'huge', startLine: 1, endLine: 152 })))
    expect(chunks.length).toBeGreaterThan(2)
    expect(new Set(chunks.map((each) => each.name))).toEqual(new Set(['huge']))
    const expected = chunks.slice(0, -1).map((each) => each.endLine + 1 - DEFAULT_CHUNK_LIMITS.overlapLines)
    expect(chunks.slice(1).map((each) => each.startLine)).toEqual(expected)
    expect(chunks.map((each) => each.names.length)).toEqual([1, ...chunks.slice(1).map(() => 0)])
  })

  it('falls back to windows of 100 lines without an outline', () => {
    const chunks = chunk(filler('x', 250).join('\n'), NO_OUTLINE)
    expect(chunks.map(shape)).toEqual([
      ['other', null, null, 1, 100],
      ['other', null, null, 91, 190],
      ['other', null, null, 181, 250],
    ])
  })

  it('embeds path, scope, signature, doc and split identifiers within the budget', () => {
    const text = `function verifyToken(rawToken) {\n${filler('checkSignature', 12).join('\n')}\n  return publicKey_cache.lookup(rawToken)\n}`
    const [only] = chunk(
      text,
      outlined(
        definition({
          name: 'verifyToken',
          scope: ['AuthService'],
          startLine: 1,
          endLine: 15,
          signature: 'function verifyToken(rawToken)',
          doc: 'Checks a JWT.',
        }),
      ),
    )
    expect(only?.embedText).toBe(
      'readers repo Scan\nAuth Service\nfunction verify Token(raw Token)\nChecks a JWT.\ncheck Signature Step public Key cache lookup',
    )
  })

  it('covers every line of any text under any outline, in order and with true text', () => {
    const line = fc.oneof(
      fc.constantFrom('', '}', '  return x', 'function f() {', '\r'),
      fc.string({ maxLength: 300 }).map((text) => text.replaceAll('\n', ' ')),
    )
    const spans = fc.array(fc.tuple(fc.nat(220), fc.nat(120), fc.constantFrom('function', 'class', 'module', 'other')), { maxLength: 25 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 220 }), spans, fc.boolean(), (lines, raw, parsed) => {
        const text = lines.join('\n')
        const starts = lineStarts(text)
        const count = starts.length - 1
        const chunks = chunkFile({
          path: 'a.ts',
          language: 'typescript',
          text,
          outline: { parsed, definitions: nested(raw, count), references: [] },
        })
        let covered = 0
        for (const each of chunks) {
          expect(each.startLine).toBeLessThanOrEqual(covered + 1)
          expect(each.endLine).toBeGreaterThan(covered)
          expect(each.endLine).toBeGreaterThanOrEqual(each.startLine)
          expect(each.text).toBe(text.slice(starts[each.startLine - 1], starts[each.endLine]))
          expect(each.embedText.length).toBeLessThan(900)
          covered = each.endLine
        }
        expect(covered).toBe(count)
      }),
      { numRuns: 150 },
    )
  })
})

/** Random spans made into a valid outline: sorted by start, each inside its parent, siblings may share lines. */
function nested(raw: readonly (readonly [number, number, 'function' | 'class' | 'module' | 'other'])[], count: number): Definition[] {
  const definitions: Definition[] = []
  for (const [index, length, kind] of [...raw].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const startLine = Math.min(count, index + 1)
    let parent = definitions.length - 1
    while (parent >= 0 && (definitions[parent]?.endLine ?? 0) < startLine) parent = definitions[parent]?.parent ?? -1
    const outer = definitions[parent]
    const endLine = Math.min(startLine + length, outer?.endLine ?? count, count)
    if (count === 0) continue
    definitions.push(
      definition({
        name: `d${definitions.length}`,
        kind,
        parent,
        scope: outer === undefined ? [] : [...outer.scope, outer.name],
        startLine,
        endLine,
      }),
    )
  }
  return definitions
}

describe('contents of a chunk', () => {
  it('has the signature and the comment of its definition, if it has them', () => {
    const [results, untold] = ['f()', ''].map((signature) => {
      const [only] = chunk('a\nb\n', outlined(definition({ name: 'f', startLine: 1, endLine: 2, signature, doc: signature && 'Does it.' })))
      return [only?.signature, only?.doc]
    })
    expect([results, untold]).toEqual([
      ['f()', 'Does it.'],
      [null, null],
    ])
  })

  it('a line begins after each line feed, even after the first character', () => {
    expect(lineStarts('\na\n')).toEqual([0, 1, 3])
  })

  it('merges small rules of a style sheet, not larger ones', () => {
    const sheet = (lines: number) =>
      chunkFile({
        ...{ path: 'a.css', language: 'css', text: 'a { b: c }\n'.repeat(2 * lines) },
        outline: outlined(
          definition({ name: 'x', kind: 'other', startLine: 1, endLine: lines }),
          definition({ name: 'y', kind: 'other', startLine: lines + 1, endLine: 2 * lines }),
        ),
      })
    expect([sheet(7).length, sheet(8).length]).toEqual([1, 2])
  })
})
