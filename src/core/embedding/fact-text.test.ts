import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import type { Fact } from '../facts/fact.js'
import { embedPieces, embedText, fullText, lexicalParts, sameWords, subjectName } from './fact-text.js'

const fact = (input: Partial<Fact>): Fact => aFact({ id: 'f', text: 'Otters swim.', ...input })

describe('what the model is given of a fact', () => {
  test('the title above it, else the author in front, and a statement as it is', () => {
    expect(embedText(fact({}))).toBe('Otters swim.')
    expect(embedText(fact({ author: 'Ann' }))).toBe('Ann: Otters swim.')
    expect(embedText(fact({ author: 'Ann', title: 'River' }))).toBe('River\nOtters swim.')
    expect(embedText(fact({ author: 'Ann', title: 'River', assertedConfidence: 1 }))).toBe('Otters swim.')
  })

  test('code with its names taken apart', () => {
    const code = 'const readFile = (fileName) => {\n  return openSync(fileName)\n}\nexport { readFile }'
    expect(embedText(fact({ text: code }))).not.toBe(code)
    expect(embedText(fact({ text: code, title: 'Files' })).startsWith('Files')).toBe(true)
    expect(embedText(fact({ text: code }))).not.toContain('null')
  })
})

describe('words by which a fact is found', () => {
  test('title, author, date and text', () => {
    expect(lexicalParts(fact({ author: 'Ann', date: '2026-01-02', title: 'River' }))).toEqual({
      title: 'River',
      head: 'Ann 2026-01-02',
      text: 'Otters swim.',
    })
    expect(fullText(fact({ title: 'The River' }))).toEqual({ title: 'the river', text: 'otters swim' })
    expect([sameWords(fact({}), fact({ importance: 1 })), sameWords(fact({}), fact({ title: 'x' }))]).toEqual([true, false])
  })

  test('none for what the store notes itself', () => {
    const noted = fact({ form: 'card', title: 'River', text: 'Otters swim. '.repeat(2000) })
    expect(lexicalParts(noted)).toEqual({ title: '', head: '', text: '' })
    expect(fullText(noted)).toEqual({ title: '', head: '', text: '' })
    expect(embedPieces(noted)).toEqual([])
    expect(embedPieces({ ...noted, form: null }).length).toBeGreaterThan(1)
  })
})

describe('the name under which others link to a fact', () => {
  test('its title, otherwise its subject without the prefix', () => {
    expect(subjectName(fact({ title: 'Blue River' }))).toBe('blue river')
    expect(subjectName(fact({ title: 'docs/Blue River' }))).toContain('docs')
    expect(subjectName(fact({ subject: 'place:Blue River' }))).toBe('blue river')
    expect(subjectName(fact({}))).toBeNull()
    expect(subjectName(fact({ title: 'a' }))).toBeNull()
  })

  test('none where others would learn that it is there', () => {
    for (const hidden of [{ garden: 'roses' }, { receivedFrom: 'peer' }, { form: 'card' }])
      expect(subjectName(fact({ title: 'Blue River', ...hidden }))).toBeNull()
  })
})
