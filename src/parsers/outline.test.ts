import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { openReadings } from '../../test/code/readings.js'
import { chunkFile, lineStarts } from '../core/code/chunks/chunks.js'
import { openOutliner } from './tree-sitter.js'

const { outliner } = openReadings()
afterAll(() => outliner.close())

describe('outlines', () => {
  it('carry signature and doc comment', async () => {
    const { definitions } = await outliner.outline(
      'typescript',
      '/**\n * Adds two.\n * @param a first\n */\n// eslint-disable-next-line\nexport async function add<T>(\n  a: number,\n): Promise<T> {\n  return a\n}\n',
    )
    expect(definitions).toMatchObject([
      { signature: 'export async function add<T>( a: number, ): Promise<T>', doc: 'Adds two.\n@param a first', startLine: 1, endLine: 10 },
    ])
    const python = await outliner.outline('python', 'def f(x):\n    """Says why.\n\n    More."""\n    return 1\n')
    expect(python.definitions).toMatchObject([{ signature: 'def f(x)', doc: 'Says why.\nMore.' }])
  })

  it('exclude a comment after a blank line or behind code', async () => {
    const { definitions } = await outliner.outline('go', 'package p\n\n// Licence.\n\nvar x = 1 // note\nfunc F() {}\n')
    expect(definitions).toMatchObject([{ name: 'F', doc: '', startLine: 6 }])
  })

  it('assign each call to its definition', async () => {
    const { definitions, references } = await outliner.outline('javascript', 'function a() { b() }\nc()\n')
    expect(references.map(({ name, within }) => [name, definitions[within]?.name ?? null])).toEqual([
      ['b', 'a'],
      ['c', null],
    ])
  })

  it('contain what can be recovered from broken code', async () => {
    const { parsed, definitions } = await outliner.outline('typescript', 'function good() { return 1 }\nclass {{{ <<<<<<< HEAD\n')
    expect([parsed, definitions[0]?.name]).toEqual([true, 'good'])
  })

  it('are missing for garbage, unknown languages and parses out of time', async () => {
    expect((await outliner.outline('typescript', '%%% ))) ]]] @@@')).parsed).toBe(false)
    expect((await outliner.outline('json', '{}')).parsed).toBe(false)
    const hurried = openOutliner({ budgetMs: -1 })
    expect((await hurried.outline('javascript', 'function a() { b(1, 2, 3) }\n'.repeat(2_000))).parsed).toBe(false)
    hurried.close()
  })

  it('handle hostile nesting', async () => {
    const deep = await outliner.outline('javascript', `${'function f() { '.repeat(3_000)}${'}'.repeat(3_000)}`)
    expect(Math.max(...deep.definitions.map((def) => def.scope.length))).toBeLessThan(64)
    await outliner.outline('javascript', '('.repeat(50_000))
  })

  it('chunks cover every line of random code', async () => {
    const piece = fc.constantFrom(
      'function f() {',
      'class A {',
      '  m() { x() }',
      '}',
      '};',
      '',
      '// note',
      '/** doc */',
      'const a = () => {',
      'import b from "b"',
      '`${',
      '"',
      '\r',
      'é = "ü"',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 200 }),
        fc.constantFrom('typescript', 'javascript', 'python', 'cpp', 'markdown'),
        async (lines, language) => {
          const text = lines.join('\n')
          const chunks = chunkFile({ path: 'x', language, text, outline: await outliner.outline(language, text) })
          let covered = 0
          for (const chunk of chunks) {
            expect(chunk.startLine).toBeLessThanOrEqual(covered + 1)
            expect(chunk.endLine).toBeGreaterThan(covered)
            covered = chunk.endLine
          }
          expect(covered).toBe(lineStarts(text).length - 1)
        },
      ),
      { numRuns: 60 },
    )
  })
})
