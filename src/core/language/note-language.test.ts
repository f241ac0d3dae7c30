import { describe, expect, it } from 'vitest'
import { languagesOf } from './language-of.js'
import { isForeignNote, languagesOfNote } from './note-language.js'

describe('language of a note', () => {
  it.each([
    ['Der Rasen wird nur samstags gemäht.', 'german'],
    ['La réunion est lundi à neuf heures.', 'french'],
    ['El coche está en el taller desde ayer.', 'spanish'],
    ['La macchina è dal meccanico da lunedì.', 'italian'],
    ['O carro está na oficina desde ontem, não em casa.', 'portuguese'],
    ['De sleutel ligt onder het matje naast een plant.', 'dutch'],
  ])('%s', (note, language) => {
    expect(languagesOfNote(note).map(({ name }) => name)).toEqual([language])
    expect(isForeignNote(note)).toBe(true)
  })

  it.each([
    'Mia called yesterday',
    'Ella hates olives',
    'Ella and Mia live in Los Angeles',
    'Dinner with Klaus von der Leyen at eight',
    'Guests: Maria de la Cruz, Klaus von der Leyen',
    'Um, yes!',
    'milk, eggs, bread',
    'Particles of 5 µm, α = 0.05',
    '42',
    '',
  ])('%s may be English', (note) => {
    expect(isForeignNote(note)).toBe(false)
  })

  it('is shown by one function word if the query is in that language, unless English has more', () => {
    const asked = languagesOf('Wie heißt unser Hausarzt?')
    expect(isForeignNote('Unser Hausarzt heißt Weber')).toBe(false)
    expect(isForeignNote('Unser Hausarzt heißt Weber', asked)).toBe(true)
    expect(isForeignNote('Unser Hausarzt war in Bonn', asked)).toBe(true)
    expect(isForeignNote('Our doctor is at the Unser Haus practice', asked)).toBe(false)
  })

  it('differs if most letters are of another script', () => {
    expect(isForeignNote('ключи от машины в ящике')).toBe(true)
    expect(isForeignNote('鍵は車の中')).toBe(true)
    expect(isForeignNote('The Russian word for key is ключ')).toBe(false)
  })

  it('is detected from the beginning only', () => {
    expect(isForeignNote(`${'Keys are in the car. '.repeat(50)}${'Der Hund und die Katze sind im Haus. '.repeat(5000)}`)).toBe(false)
  })
})
