import { expect, it } from 'vitest'
import { withoutBlankEnd } from './text.js'

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
