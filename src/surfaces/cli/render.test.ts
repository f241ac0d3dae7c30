import { expect, it } from 'vitest'
import { renderText, summaryOf } from './render.js'

const place = { id: 'p1', file_path: 'src/a.ts', start_line: 3, end_line: 40, score: 0.5 }

it('a summary ends with its first sentence, not within a quoted piece of JSON', () => {
  expect(summaryOf('Reads lines ({"content": ...}): one each. More.')).toBe('Reads lines ({"content": ...})')
})

it('shows location, name and the significant lines of code', () => {
  const content = [
    "import { readFile } from 'node:fs/promises'",
    '',
    '/** Opens the door. */',
    '  export async function open(): Promise<void> {',
    "    await readFile('door')",
    '    return',
    '  }',
  ].join('\n')
  expect(renderText({ results: [{ ...place, name: 'open', content }], count: 1 })).toBe(
    [
      'results:',
      '  0.500  src/a.ts:3-40  open  [p1]',
      '    export async function open(): Promise<void> {',
      "      await readFile('door')",
      '      return',
    ].join('\n'),
  )
})

it.each([
  ['# a script\nfrom os import path\n\nrun(path)', ['run(path)']],
  ['// only\n// words', ['// only', '// words']],
  [`const x = '${'y'.repeat(300)}'`, [`const x = '${'y'.repeat(146)}...`]],
  ['', []],
])('shows code without a name: %j', (content, lines) => {
  const [, first, ...rest] = renderText({ results: [{ ...place, content }] }).split('\n')
  expect(first).toBe('  0.500  src/a.ts:3-40  [p1]')
  expect(rest).toEqual(lines.map((line) => `    ${line}`))
})

it('shows an entity of the code without text, and everything else in one line', () => {
  const answer = { entities: [{ id: 'e', name: 'Door.open', file_path: 'a.ts' }], memories: [{ id: 'm', content: 'two\nlines' }] }
  expect(renderText(answer)).toBe('entities:\n  a.ts  Door.open  [e]\nmemories:\n  two lines  [m]')
})
