import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import type { Fact } from '../facts/fact.js'
import { embedPieces, embedText, fullText, hasSameLexicalParts, lexicalParts, subjectName } from './fact-text.js'

const fact = (input: Partial<Fact>): Fact => aFact({ id: 'f', text: 'Otters swim.', ...input })

describe('text embedded for a fact', () => {
  test('has the title above, otherwise the author in front; a statement is unchanged', () => {
    expect(embedText(fact({}))).toBe('Otters swim.')
    expect(embedText(fact({ author: 'Ann' }))).toBe('Ann: Otters swim.')
    expect(embedText(fact({ author: 'Ann', title: 'River' }))).toBe('River\nOtters swim.')
    expect(embedText(fact({ author: 'Ann', title: 'River', assertedConfidence: 1 }))).toBe('Otters swim.')
  })

  test('splits identifiers of code', () => {
    const code = 'const readFile = (fileName) => {\n  return openSync(fileName)\n}\nexport { readFile }'
    expect(embedText(fact({ text: code }))).not.toBe(code)
    expect(embedText(fact({ text: code, title: 'Files' })).startsWith('Files')).toBe(true)
    expect(embedText(fact({ text: code }))).not.toContain('null')
  })
})

describe('lexical parts of a fact', () => {
  test('are title, author, date and text', () => {
    expect(lexicalParts(fact({ author: 'Ann', date: '2026-01-02', title: 'River' }))).toEqual({
      title: 'River',
      head: 'Ann 2026-01-02',
      text: 'Otters swim.',
    })
    expect(fullText(fact({ title: 'The River' }))).toEqual({ title: 'the river', text: 'otters swim' })
    expect([hasSameLexicalParts(fact({}), fact({ importance: 1 })), hasSameLexicalParts(fact({}), fact({ title: 'x' }))]).toEqual([
      true,
      false,
    ])
  })

  test('are empty for facts of the store itself', () => {
    const noted = fact({ form: 'card', title: 'River', text: 'Otters swim. '.repeat(2000) })
    expect(lexicalParts(noted)).toEqual({ title: '', head: '', text: '' })
    expect(fullText(noted)).toEqual({ title: '', head: '', text: '' })
    expect(embedPieces(noted)).toEqual([])
    expect(embedPieces({ ...noted, form: null }).length).toBeGreaterThan(1)
  })
})

describe('name under which other facts link to a fact', () => {
  test('is the title, otherwise the subject without its prefix', () => {
    expect(subjectName(fact({ title: 'Blue River' }))).toBe('blue river')
    expect(subjectName(fact({ title: 'docs/Blue River' }))).toContain('docs')
    expect(subjectName(fact({ subject: 'place:Blue River' }))).toBe('blue river')
    expect(subjectName(fact({}))).toBeNull()
    expect(subjectName(fact({ title: 'a' }))).toBeNull()
  })

  test('is null if it would reveal that the fact exists', () => {
    for (const hidden of [{ garden: 'roses' }, { receivedFrom: 'peer' }, { form: 'card' }])
      expect(subjectName(fact({ title: 'Blue River', ...hidden }))).toBeNull()
  })
})
