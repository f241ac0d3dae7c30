import { describe, expect, it } from 'vitest'
import { fold } from '../text/text.js'
import { DUTCH } from './dutch.js'
import { FRENCH } from './french.js'
import { FRENCH_RARER } from './french-rarer.js'
import { GERMAN } from './german.js'
import { GERMAN_RARER } from './german-rarer.js'
import { glossOf, interpolateVectors } from './gloss.js'
import { parseGlossary } from './glossary.js'
import { ITALIAN } from './italian.js'
import { LANGUAGES, languagesOf, readsAsEnglish } from './language-of.js'
import { PORTUGUESE } from './portuguese.js'
import { SPANISH } from './spanish.js'
import { SPANISH_RARER } from './spanish-rarer.js'

const LIST = `
platz seat place; korb basket; speichern store save; plan plan; planet planet; arbeit work; zeit time; waren goods
schlüssel key; bücher book; straße street
`

describe('a glossary', () => {
  const { meaningsOf } = parseGlossary(LIST, true)

  it('knows a word by itself, folded, and by its beginning', () => {
    expect(meaningsOf('platz')).toEqual([['seat', 'place']])
    expect(meaningsOf('schlussel')).toEqual([['key']])
    expect(meaningsOf('schlusseln')).toEqual([['key']])
    expect(meaningsOf('strasse')).toEqual([['street']])
    expect(meaningsOf('speicherte')).toEqual([['store', 'save']])
  })

  it('takes the nearest of several with the same beginning', () => {
    expect(meaningsOf('plans')).toEqual([['plan']])
    expect(meaningsOf('planeten')).toEqual([['planet']])
  })

  it('knows compounds by their parts, joints left out, and nothing else by parts', () => {
    expect(meaningsOf('warenkorb')).toEqual([['goods'], ['basket']])
    expect(meaningsOf('arbeitszeit')).toEqual([['work'], ['time']])
    expect(meaningsOf('arbeitszeitplan')).toEqual([['work'], ['time'], ['plan']])
    expect(parseGlossary(LIST, false).meaningsOf('warenkorb')).toBeUndefined()
  })

  it('does not know short words by their beginning, nor words that only begin alike', () => {
    expect(meaningsOf('pla')).toBeUndefined()
    expect(meaningsOf('arbeitslosigkeiten')).toBeUndefined()
    expect(meaningsOf('x'.repeat(10_000))).toBeUndefined()
    expect(meaningsOf('arbeit'.repeat(1000))).toBeUndefined()
  })
})

describe('where a word of a glossary is found', () => {
  const meaningsOf = (list: string, word: string, compounds = false) => parseGlossary(list, compounds).meaningsOf(word)

  it('an entry without a meaning is none, and the shorter of two is nearer', () => {
    expect(meaningsOf('leer; platz seat', 'leer')).toBeUndefined()
    expect(meaningsOf('planet planet; plan plan', 'plans')).toEqual([['plan']])
  })

  it('by what is left without an inflection, of several the first', () => {
    expect(meaningsOf('laufen run; laufer runner', 'laufst')).toEqual([['run']])
  })

  it('by its beginning where that is most of the longer word', () => {
    expect(meaningsOf('laterne lantern', 'laterneabc')).toEqual([['lantern']])
    expect(meaningsOf('laterne lantern', 'laterneabcd')).toBeUndefined()
    expect(meaningsOf('speichert stores', 'speichx')).toBeUndefined()
  })

  it('in three parts at most, in no more than forty letters', () => {
    const list = `${LIST}; ohr ear`
    expect(meaningsOf(list, 'ohrkorb', true)).toEqual([['ear'], ['basket']])
    expect(meaningsOf(list, 'ohrkorbplan', true)).toEqual([['ear'], ['basket'], ['plan']])
    expect(meaningsOf(list, 'arbeitszeitplankorb', true)).toBeUndefined()
    const long = (length: number) => meaningsOf(`${'b'.repeat(length)} long; plan plan`, `${'b'.repeat(length)}plan`, true)
    expect([long(36), long(37)]).toEqual([[['long'], ['plan']], undefined])
  })
})

describe('the language of a question', () => {
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
  ])('%s is none of these', (question) => {
    expect(named(question)).toEqual([])
  })
})

describe('a gloss', () => {
  const german = LANGUAGES.find(({ name }) => name === 'german')
  it('is read in the order of the question, with its names, and looked for by all meanings', () => {
    if (german === undefined) throw new Error('no German')
    const { text, words, known } = glossOf(
      'Wo sind die Plätze und der Warenkorb von Lumen?',
      german,
      parseGlossary(`${LIST}; plätze seat place`, true),
    )
    expect({ text, words, known }).toEqual({ text: 'where seat goods basket Lumen', words: 'seat place goods basket', known: 2 / 3 })
    const long = glossOf('Der Korb und der Platz sind weg. '.repeat(1000), german, parseGlossary(LIST, true))
    expect(long.text.length).toBeLessThan(1000)
  })
})

describe('the lists that are shipped', () => {
  it.each([
    ['german', `${GERMAN}\n${GERMAN_RARER}`],
    ['french', `${FRENCH}\n${FRENCH_RARER}`],
    ['spanish', `${SPANISH}\n${SPANISH_RARER}`],
    ['italian', ITALIAN],
    ['portuguese', PORTUGUESE],
    ['dutch', DUTCH],
  ])('%s has a meaning for every word, and no word twice', (_, list) => {
    const entries = list
      .split(/[;\n]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    expect(entries.length).toBeGreaterThan(1000)
    expect(entries.filter((entry) => !/^[\p{Ll}'-]+(?: [a-z'-]+){1,3}$/u.test(entry))).toEqual([])
    const words = entries.map((entry) => entry.split(' ')[0])
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([])
  })
})

describe('the lists of rarer words', () => {
  const wordsOf = (list: string): readonly string[] =>
    list
      .split(/[;\n]/)
      .map((entry) => fold(entry.trim().split(' ')[0] ?? ''))
      .filter((word) => word !== '')

  it.each([
    ['german', GERMAN, GERMAN_RARER],
    ['french', FRENCH, FRENCH_RARER],
    ['spanish', SPANISH, SPANISH_RARER],
  ])('of %s have no word that is written like a common one without its marks', (_, common, rarer) => {
    const known = new Set(wordsOf(common))
    expect(wordsOf(rarer).length).toBeGreaterThan(500)
    expect(wordsOf(rarer).filter((word) => known.has(word))).toEqual([])
  })

  it.each([
    ['german', GERMAN, GERMAN_RARER, true],
    ['french', FRENCH, FRENCH_RARER, false],
    ['spanish', SPANISH, SPANISH_RARER, false],
  ])('of %s change no meaning of a common word', (_, common, rarer, compounds) => {
    const [alone, both] = [parseGlossary(common, compounds), parseGlossary(`${common}\n${rarer}`, compounds)]
    const changed = wordsOf(common).filter((word) => String(both.meaningsOf(word)) !== String(alone.meaningsOf(word)))
    expect(changed).toEqual([])
  })
})

describe('a vector between two', () => {
  it('has unit length and lies nearer to the gloss', () => {
    const made = interpolateVectors(new Float32Array([1, 0]), new Float32Array([0, 1]), 0.4)
    expect(Math.hypot(...made)).toBeCloseTo(1, 6)
    expect(made[0]).toBeGreaterThan(made[1] ?? 1)
    expect([...interpolateVectors(new Float32Array([1, 0]), new Float32Array([-1, 0]), 0.5)]).toEqual([0, 0])
  })
})

it('one small word is grammar among four words, and not among five', () => {
  expect(languagesOf('Hund und Katze Maus').map(({ name }) => name)).toEqual(['german'])
  expect(languagesOf('Hund und Katze Maus Igel')).toEqual([])
})
