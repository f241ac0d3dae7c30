/**
 * Porter's suffix stripping (1980) with the two usual amendments (`logi` and `bli`), over lower-case ASCII words.
 * Words with anything but a to z are returned as they are.
 */
const STEP2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]
const STEP3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const STEP4: readonly string[] = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
]

const isVowelAt = (word: string, i: number): boolean => {
  const c = word[i]
  if (c === 'a' || c === 'e' || c === 'i' || c === 'o' || c === 'u') return true
  return c === 'y' && i > 0 && !isVowelAt(word, i - 1)
}

const hasVowel = (word: string): boolean => {
  for (let i = 0; i < word.length; i++) if (isVowelAt(word, i)) return true
  return false
}

/** How many vowel-consonant sequences the word holds: Porter's m. */
const measure = (word: string): number => {
  let count = 0
  let previous = false
  for (let i = 0; i < word.length; i++) {
    const vowel = isVowelAt(word, i)
    if (previous && !vowel) count++
    previous = vowel
  }
  return count
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word[word.length - 1] === word[word.length - 2] && !isVowelAt(word, word.length - 1)

const endsShort = (word: string): boolean => {
  const n = word.length
  return n > 2 && !isVowelAt(word, n - 1) && isVowelAt(word, n - 2) && !isVowelAt(word, n - 3) && !/[wxy]$/.test(word)
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  if (word.endsWith('ss') || !word.endsWith('s')) return word
  return word.slice(0, -1)
}

function past(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const base = word.slice(0, word.length - cut)
  if (cut === 0 || !hasVowel(base)) return word
  if (/(at|bl|iz)$/.test(base)) return `${base}e`
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1)
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base
}

function replaceSuffix(word: string, table: readonly (readonly [string, string])[]): string {
  for (const [suffix, replacement] of table) {
    if (!word.endsWith(suffix)) continue
    const base = word.slice(0, word.length - suffix.length)
    return measure(base) > 0 ? base + replacement : word
  }
  return word
}

function dropSuffix(word: string): string {
  let found = ''
  for (const suffix of STEP4) if (word.endsWith(suffix) && suffix.length > found.length) found = suffix
  if (found === '') return word
  const base = word.slice(0, word.length - found.length)
  if (measure(base) < 2 || (found === 'ion' && !/[st]$/.test(base))) return word
  return base
}

export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  let w = past(plural(word))
  if (w.endsWith('y') && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`
  w = dropSuffix(replaceSuffix(replaceSuffix(w, STEP2), STEP3))
  if (w.endsWith('e')) {
    const base = w.slice(0, -1)
    const m = measure(base)
    if (m > 1 || (m === 1 && !endsShort(base))) w = base
  }
  return w.endsWith('ll') && measure(w) > 1 ? w.slice(0, -1) : w
}
