import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseGlossary } from '../core/language/glossary.js'
import { parseHyponyms } from '../core/language/hyponyms.js'
import { LANGUAGES } from '../core/language/language-of.js'
import { readEntries } from '../core/language/word-list.js'
import { fold, STOP_WORDS, terms, words } from '../core/text/text.js'
import { shippedLanguageFolder } from '../models/shipped.js'
import { openLanguageData } from './language-data.js'

const folder = shippedLanguageFolder()
const files = readdirSync(folder)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const wordsOf = (entries: readonly string[]): readonly string[] => entries.map((entry) => entry.split(' ')[0] ?? '')

it('each language has a glossary, and every other file is a list of hyponyms', () => {
  const glossaries = LANGUAGES.map(({ name }) => `glossary-${name}.txt`)
  expect([...files].sort()).toEqual([...glossaries, 'hyponyms-everyday.txt', 'hyponyms-software.txt'].sort())
})

describe.each(files.filter((name) => name.startsWith('glossary-')))('%s', (name) => {
  const list = read(name)
  const entries = readEntries(list)

  it('has one word and one to three meanings per line', () => {
    expect(entries.length).toBeGreaterThan(1000)
    expect(entries.filter((entry) => !/^[\p{Ll}'-]+(?: [a-z'-]+){1,3}$/u.test(entry))).toEqual([])
  })

  it('has no word twice', () => {
    const listed = wordsOf(entries)
    expect(listed.filter((word, i) => listed.indexOf(word) !== i)).toEqual([])
  })

  it('less common words do not change the meaning of common ones', () => {
    const [common = '', rarer = ''] = list.split('# Less common words\n')
    const compounds = /german|dutch/.test(name)
    const [alone, both] = [parseGlossary(common, compounds), parseGlossary(list, compounds)]
    const listed = new Set(wordsOf(readEntries(fold(common))))
    expect([...listed].filter((word) => String(both.meaningsOf(word)) !== String(alone.meaningsOf(word)))).toEqual([])
    expect(wordsOf(readEntries(fold(rarer))).filter((word) => listed.has(word))).toEqual([])
  })
})

describe.each(files.filter((name) => name.startsWith('hyponyms-')))('%s', (name) => {
  const list = read(name)
  const entries = readEntries(list).map((entry) => entry.split(' '))

  it('consists of searchable words', () => {
    expect(entries.length).toBeGreaterThan(150)
    expect(entries.filter((entry) => entry.length < 2)).toEqual([])
    expect(entries.flatMap(([, ...members]) => members).filter((word) => STOP_WORDS.has(word) || !/^[a-z0-9]+$/.test(word))).toEqual([])
    expect(entries.filter(([kind = '']) => STOP_WORDS.has(kind) || !/^[a-z0-9]+(\+[a-z0-9]+)*$/.test(kind))).toEqual([])
  })

  it('has no category without members', () => {
    const table = parseHyponyms(list)
    const categories = entries.map(([category = '']) => category.replaceAll('+', ' '))
    expect(categories.filter((category) => table.of(terms(category), words(category)).length === 0)).toEqual([])
  })
})

describe('language data', () => {
  it('reads each list once', async () => {
    const data = openLanguageData()
    expect((await data.glossary('dutch')).meaningsOf('moeder')).toEqual([['mother', 'mom']])
    expect(data.glossary('dutch')).toBe(data.glossary('dutch'))
    expect((await data.hyponyms()).of(terms('pet'))).toContain('dog')
    expect(data.hyponyms()).toBe(data.hyponyms())
  })

  it('reads a list again after a failure', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'mneme-language-'))
    try {
      const data = openLanguageData(empty)
      await expect(data.hyponyms()).rejects.toThrow('ENOENT')
      await expect(data.glossary('french')).rejects.toThrow('ENOENT')
      for (const name of ['hyponyms-everyday', 'hyponyms-software', 'glossary-french'])
        writeFileSync(join(empty, `${name}.txt`), 'vis screw')
      expect((await data.hyponyms()).of(['vi'])).toEqual(['screw'])
      expect((await data.glossary('french')).meaningsOf('vis')).toEqual([['screw']])
    } finally {
      rmSync(empty, { recursive: true })
    }
  })
})
