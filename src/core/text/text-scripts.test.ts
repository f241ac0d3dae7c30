import { describe, expect, test } from 'vitest'
import { fold, queryTerms, terms, words } from './text.js'

const finds = (question: string, text: string): boolean => {
  const there = new Set(terms(text))
  const requested = queryTerms(question)
  return requested.length > 0 && requested.every((term) => there.has(term))
}

describe('composed and decomposed text', () => {
  test.each(['Lefèvre', 'Bérénice', 'Nguyễn', 'Ελλάδα', 'Йошкар-Ола', '한국어', 'ガラス', 'नई दिल्ली'])(
    '%s is found in either form',
    (name) => {
      const [composed, decomposed] = [name.normalize('NFC'), name.normalize('NFD')]
      expect(words(decomposed)).toEqual(words(composed))
      expect(finds(decomposed, `x ${composed} y`)).toBe(true)
      expect(finds(composed, `x ${decomposed} y`)).toBe(true)
    },
  )

  test('a decomposed word stays one word', () => {
    expect(words('Docteur Lefèvre'.normalize('NFD'))).toEqual(['docteur', 'lefevre'])
  })
})

test('a word of letters is a term of its own before, between and after text without spaces', () => {
  expect(words('Docker容器部署')).toEqual(['docker', '容器', '器部', '部署'])
  expect(words('使用API接口')).toEqual(['使用', 'api', '接口'])
  expect(terms('记忆running')).toEqual(['记忆', 'run'])
  expect(words('parseQuery函数')).toEqual(['parsequery', 'parse', 'query', '函数'])
  expect(finds('容器', 'Docker容器部署')).toBe(true)
  expect(finds('docker', 'Docker容器部署')).toBe(true)
})

describe('marks', () => {
  test('of Arabic and Hebrew are optional', () => {
    expect(words('مُحَمَّد')).toEqual(words('محمد'))
    expect(words('שָׁלוֹם')).toEqual(words('שלום'))
  })

  test('of Indic words are letters: kept, and no place to split', () => {
    expect(words('किताब पढ़ो')).toEqual(['किताब', 'पढ़ो'.normalize('NFC')])
    expect(fold('दिल')).not.toBe(fold('दल'))
    expect(finds('किताब', 'कल तक बात')).toBe(false)
    expect(words('தமிழ்')).toEqual(['தமிழ்'])
  })

  test('of Kana distinguish sounds', () => {
    expect(fold('ガ')).not.toBe(fold('カ'))
  })

  test('that only select a glyph are dropped', () => {
    expect(words('葛\u{e0100}飾区')).toEqual(['葛飾', '飾区'])
    expect(words('1\ufe0f\u20e3')).toEqual(['1'])
  })

  test('stay with their letter in scripts without spaces', () => {
    expect(words('พิซซ่า')).toEqual(['พิซ', 'ซซ่', 'ซ่า'])
    expect(finds('พิซซ่า', 'ฉันชอบกินพิซซ่ามาก')).toBe(true)
  })
})

test.each([
  ['Strasse', 'Straße'],
  ['STRASSE', 'STRAẞE'],
  ['Lodz', 'Łódź'],
  ['Orsted', 'Ørsted'],
  ['Aethelred', 'Æthelred'],
  ['oeuvre', 'œuvre'],
  ['Djokovic', 'Đjoković'],
  ['Diyarbakir', 'Diyarbakır'],
  ['Istanbul', 'İstanbul'],
  ['Thordis', 'Þórdís'],
  ['Gudrun', 'Guðrun'],
  ['Hamrun', 'Ħamrun'],
])('%s and %s are one word', (plain, written) => {
  expect(words(written)).toEqual(words(plain))
})

describe('emoji', () => {
  test('are single words', () => {
    expect(words('lunch🍕🍕 later')).toEqual(['lunch', '🍕', '🍕', 'later'])
    expect(finds('🍕', 'Friday is 🍕 day')).toBe(true)
    expect(finds('🍔', 'Friday is 🍕 day')).toBe(false)
  })

  test('lose their modifiers', () => {
    expect(words('👍🏽')).toEqual(['👍'])
    expect(words('❤️')).toEqual(['❤'])
    expect(words('👩‍👧')).toEqual(['👩', '👧'])
    expect(words('🇫🇷🇩🇪')).toEqual(['🇫🇷', '🇩🇪'])
  })

  test('are not among ASCII characters', () => {
    for (let code = 0; code < 128; code++) {
      const sign = String.fromCharCode(code)
      expect(words(`${sign} é`)).toEqual(/\w/.test(sign) ? [sign.toLowerCase(), 'e'] : ['e'])
    }
  })
})
