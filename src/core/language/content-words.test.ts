import { expect, test } from 'vitest'
import { queryTerms } from '../text/text.js'
import { removeFunctionWords } from './content-words.js'
import { detectLanguagesStrict } from './language-of.js'

const glossed = (question: string): string => removeFunctionWords(question, detectLanguagesStrict(question))

test.each([
  ['Wer ist unser Hausarzt?', ['hausarzt']],
  ['WER IST UNSER HAUSARZT?', ['hausarzt']],
  ['Was sind die Maße von dem Regal?', ['mass', 'regal']],
  ["Où est l'échelle de notre oncle ?", ['echel', 'oncl']],
  ['¿Dónde están las llaves?', ['llave']],
  ['Dov’è la chiave della cantina?', ['chiav', 'cantina']],
  ['Onde está a chave da garagem?', ['chave', 'garagem']],
  ['Waar is de sleutel van het huis?', ['sleutel', 'hui']],
])('%s is looked for without small words', (question, terms) => {
  expect(queryTerms(glossed(question))).toEqual(terms)
})

test('a word in capitals is an abbreviation', () => {
  expect(queryTerms(glossed('Quand est le vol pour LA ?'))).toEqual(['vol', 'la'])
  expect(queryTerms(glossed('Wie ist es mit Vitamin D?'))).toEqual(['vitamin', 'd'])
})

test('English queries and queries of function words only stay unchanged', () => {
  for (const question of [
    'Mia birthday',
    'Ella school',
    'who is Klaus von der Leyen',
    'El Niño and the weather of 2024',
    'Wer ist es?',
    'Qui est-elle ?',
    '',
  ])
    expect(glossed(question)).toBe(question)
})
