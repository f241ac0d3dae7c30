import { describe, expect, it } from 'vitest'
import { printable, printableJson } from './printable.js'

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u0000\b\r\u007f\u202egnp.exe\u2066\u2028'

describe('nothing that is printed is acted upon by a terminal', () => {
  it('escapes control characters and direction marks', () => {
    expect(printable(`a${HOSTILE}b`)).toBe('a\\x1b]0;owned\\x07\\x1b[2J\\x9b31m\\x00\\x08\\x0d\\x7f\\u202egnp.exe\\u2066\\u2028b')
  })

  it('leaves text of any script, lines and tabs unchanged', () => {
    const text = 'naïve\tРусский\n日本語 עברית\u200f 👩‍👩‍👧'
    expect(printable(text)).toBe(text)
    expect(printable('a\r\nb')).toBe('a\nb')
  })

  it('keeps the value in JSON', () => {
    const value = { text: HOSTILE, list: ['\t\n'] }
    for (const space of [undefined, 2]) {
      const json = printableJson(JSON.stringify(value, null, space))
      expect(JSON.parse(json)).toEqual(value)
      expect(json).toBe(printable(json))
    }
  })
})
