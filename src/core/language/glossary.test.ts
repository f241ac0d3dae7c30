import { describe, expect, it } from 'vitest'
import { glossOf, interpolateVectors } from './gloss.js'
import { parseGlossary } from './glossary.js'
import { LANGUAGES, languagesOf, readsAsEnglish } from './language-of.js'

const LIST = `# a comment
platz seat place
korb basket
speichern store save
plan plan
planet planet

arbeit work
zeit time
waren goods
schlüssel key
bücher book
straße street
`

describe('glossary', () => {
  const { meaningsOf } = parseGlossary(LIST, true)

  it('finds a word exactly, folded, and by its beginning', () => {
    expect(meaningsOf('platz')).toEqual([['seat', 'place']])
    expect(meaningsOf('schlussel')).toEqual([['key']])
    expect(meaningsOf('schlusseln')).toEqual([['key']])
    expect(meaningsOf('strasse')).toEqual([['street']])
    expect(meaningsOf('speicherte')).toEqual([['store', 'save']])
  })

  it('prefers the shortest of several entries with the same beginning', () => {
    expect(meaningsOf('plans')).toEqual([['plan']])
    expect(meaningsOf('planeten')).toEqual([['planet']])
  })

  it('splits compounds into parts without joints, in languages that write compounds', () => {
    expect(meaningsOf('warenkorb')).toEqual([['goods'], ['basket']])
    expect(meaningsOf('arbeitszeit')).toEqual([['work'], ['time']])
    expect(meaningsOf('arbeitszeitplan')).toEqual([['work'], ['time'], ['plan']])
    expect(parseGlossary(LIST, false).meaningsOf('warenkorb')).toBeUndefined()
  })

  it('requires four letters and most of the word for a match by beginning', () => {
    expect(meaningsOf('pla')).toBeUndefined()
    expect(meaningsOf('arbeitslosigkeiten')).toBeUndefined()
    expect(meaningsOf('x'.repeat(10_000))).toBeUndefined()
    expect(meaningsOf('arbeit'.repeat(1000))).toBeUndefined()
  })
})

describe('glossary lookup', () => {
  const meaningsOf = (list: string, word: string, compounds = false) => parseGlossary(list, compounds).meaningsOf(word)

  it('skips entries without a meaning and prefers shorter entries', () => {
    expect(meaningsOf('leer\nplatz seat', 'leer')).toBeUndefined()
    expect(meaningsOf('planet planet\nplan plan', 'plans')).toEqual([['plan']])
  })

  it('matches the stem of a dictionary form, the first of several', () => {
    expect(meaningsOf('laufen run\nlaufer runner', 'laufst')).toEqual([['run']])
  })

  it('matches a beginning that covers most of the longer word', () => {
    expect(meaningsOf('laterne lantern', 'laterneabc')).toEqual([['lantern']])
    expect(meaningsOf('laterne lantern', 'laterneabcd')).toBeUndefined()
    expect(meaningsOf('speichert stores', 'speichx')).toBeUndefined()
  })

  it('splits into at most three parts, of at most 40 letters', () => {
    const list = `${LIST}\nohr ear`
    expect(meaningsOf(list, 'ohrkorb', true)).toEqual([['ear'], ['basket']])
    expect(meaningsOf(list, 'ohrkorbplan', true)).toEqual([['ear'], ['basket'], ['plan']])
    expect(meaningsOf(list, 'arbeitszeitplankorb', true)).toBeUndefined()
    const long = (length: number) => meaningsOf(`${'b'.repeat(length)} long\nplan plan`, `${'b'.repeat(length)}plan`, true)
    expect([long(36), long(37)]).toEqual([[['long'], ['plan']], undefined])
  })
})

describe('query language', () => {
  const named = (text: string): readonly string[] => languagesOf(text).map(({ name }) => name)

  it.each([
    ['Wie lange darf ich das Buch behalten?', 'german'],
    ['Où sont les clés de la voiture ?', 'french'],
    ['¿Dónde están las llaves del coche?', 'spanish'],
    ['Dove sono le chiavi della macchina?', 'italian'],
    ['Onde estão as chaves do carro?', 'portuguese'],
    ['Waar zijn de sleutels van het huis?', 'dutch'],
  ])('%s', (question, language) => {
    expect(named(question)).toEqual([language])
    expect(readsAsEnglish(question)).toBe(false)
  })

  it.each([
    'where are the keys of the car',
    'El Niño and the weather of 2024',
    'what is the de facto standard here',
    'who is Klaus von der Leyen',
    'indentation style',
    'ключи от машины',
    '',
  ])('%s is in none of these languages', (question) => {
    expect(named(question)).toEqual([])
  })
})

describe('gloss', () => {
  const german = LANGUAGES.find(({ name }) => name === 'german')
  it('keeps query order and names in the text, and all meanings in the words', () => {
    if (german === undefined) throw new Error('no German')
    const { text, words, known } = glossOf(
      'Wo sind die Plätze und der Warenkorb von Lumen?',
      german,
      parseGlossary(`${LIST}\nplätze seat place`, true),
    )
    expect({ text, words, known }).toEqual({ text: 'where seat goods basket Lumen', words: 'seat place goods basket', known: 2 / 3 })
    const long = glossOf('Der Korb und der Platz sind weg. '.repeat(1000), german, parseGlossary(LIST, true))
    expect(long.text.length).toBeLessThan(1000)
  })
})

describe('interpolated vector', () => {
  it('has unit length and is closer to the gloss', () => {
    const made = interpolateVectors(new Float32Array([1, 0]), new Float32Array([0, 1]), 0.4)
    expect(Math.hypot(...made)).toBeCloseTo(1, 6)
    expect(made[0]).toBeGreaterThan(made[1] ?? 1)
    expect([...interpolateVectors(new Float32Array([1, 0]), new Float32Array([-1, 0]), 0.5)]).toEqual([0, 0])
  })
})

it('detects a language by one function word among four words, not among five', () => {
  expect(languagesOf('Hund und Katze Maus').map(({ name }) => name)).toEqual(['german'])
  expect(languagesOf('Hund und Katze Maus Igel')).toEqual([])
})
