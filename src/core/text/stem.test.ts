import { expect, test } from 'vitest'
import { stem } from './stem.js'

test.each([
  ['caresses', 'caress'],
  ['ties', 'ti'],
  ['ads', 'ad'],
  ['ying', 'ying'],
  ['enjoyable', 'enjoy'],
  ['tee', 'tee'],
  ['seeing', 'see'],
  ['agreeing', 'agre'],
  ['using', 'us'],
  ['rational', 'ration'],
  ['positiving', 'positiv'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['bled', 'bled'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['troubled', 'troubl'],
  ['sized', 'size'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['hissing', 'hiss'],
  ['failing', 'fail'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['digitizer', 'digit'],
  ['vietnamization', 'vietnam'],
  ['operator', 'oper'],
  ['hopefulness', 'hope'],
  ['formaliti', 'formal'],
  ['triplicate', 'triplic'],
  ['electrical', 'electr'],
  ['goodness', 'good'],
  ['revival', 'reviv'],
  ['adjustment', 'adjust'],
  ['adoption', 'adopt'],
  ['effective', 'effect'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
])('%s becomes %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})

test('words with other characters than a to z and the shortest words stay unchanged', () => {
  for (const word of ['', 'a', 'is', 'naïves', 'x86s', 'Dogs', '東京']) expect(stem(word)).toBe(word)
})
