import { expect, it } from 'vitest'
import { looksLikeCode, splitForEmbedding, withoutBlankEnd } from './text.js'

it.each([
  ['a\n\n\n', 5, 'a\n', 3],
  ['a\n  \n', 4, 'a\n', 3],
  ['a\r\n\r\n', 4, 'a\n', 3],
  ['a\n', 3, 'a\n', 3],
  ['a', 3, 'a', 3],
  ['\n\n', 4, '\n\n', 4],
])('%j is shown without the blank lines behind it', (text, endLine, shown, last) => {
  expect(withoutBlankEnd({ text, endLine })).toEqual({ text: shown, endLine: last })
})

it.each([
  ['function foo(a) {', true],
  ['// adds\nfunction foo(a) {', true],
  ['const x = 1;', false],
  ['const x = 1;\nlet y = 2;', true],
  ['const x = 1;\n\n\nplain words', true],
  ['const x = 1;\nplain words\nmore words', false],
  ['plain words\nmore words', false],
  [`${'a '.repeat(200)};\n${'b '.repeat(200)};`, true],
  [`${'plain words here\n'.repeat(240)}${'x();\n'.repeat(2000)}`, false],
])('%j reads like code: %s', (text, expected) => {
  expect(looksLikeCode(text)).toBe(expected)
})

it('code is embedded by the words of its names, as far as the model reads', () => {
  expect(splitForEmbedding('const  fooBar = word')).toBe('const foo Bar = word')
  expect(splitForEmbedding('word '.repeat(300))).toBe('word '.repeat(160))
})
