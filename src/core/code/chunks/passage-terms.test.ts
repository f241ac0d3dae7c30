import { expect, test } from 'vitest'
import { packTerms } from '../../text/term-bag.js'
import { passageTerms } from './passage-terms.js'

test('a passage is found by its name, its scope and its path', () => {
  const passage = { name: 'loadToken', scopePath: 'Store', path: 'src/a.ts', text: 'return 1' }
  expect(passageTerms(passage)).toEqual(packTerms({ title: 'loadToken Store', head: 'src a ts', text: 'return 1' }))
  expect(passageTerms({ ...passage, name: null })).toEqual(packTerms({ title: 'Store', head: 'src a ts', text: 'return 1' }))
})
