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
  [`${'a = '.repeat(100)};\n${'b = '.repeat(100)};`, true],
  ['import os\nfrom sys import argv\n\nprint(argv)', true],
  ['# settings\n# of the build\nLEVEL = "high"\nname = read()', true],
  ['#include <stdio.h>\n#define MOST 3', true],
  ['@Override\nprivate int size() {', true],
  ['if ready:\n    start()', true],
  ['# Trip to Lisbon\n\n* **Day 1:** castle\n* **Day 2:** tram 28 (early)\n', false],
  ['## Plan\n* buy milk;\n* call the plumber (before noon)\n* pay(s) later', false],
  ['# a\n# b\n# c\nx();\ny();', true],
  ['# a\n# b\nx();\ny();\nplain words\nmore words', true],
  ['x();\ny();\nplain words\nmore words\nand more', false],
  ['rent = 1310\nfood = 400', false],
  ['milk;\neggs;\nbread', false],
  ['@maria: can you deploy?\n@tom: yes (after lunch)', false],
  ['for breakfast: eggs\nif late: call the school', false],
  ['let mum know (she asked)\nfrom: the bank', false],
  ['* a list\n* of two\n* or three things\nand one(call)', false],
  [`${'plain words here\n'.repeat(240)}${'x();\n'.repeat(2000)}`, false],
])('%j reads like code: %s', (text, expected) => {
  expect(looksLikeCode(text)).toBe(expected)
})

it('code is embedded as the words of its identifiers, up to the input length of the model', () => {
  expect(splitForEmbedding('const  fooBar = word')).toBe('const foo Bar = word')
  expect(splitForEmbedding('word '.repeat(300))).toBe('word '.repeat(160))
})
