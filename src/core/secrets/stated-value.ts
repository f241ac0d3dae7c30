import { isPlaceholder, isRandom, wordsOf } from './likeness.js'
import { KNOWN_NAMES } from './sentence-words.js'

/** Likelihood that a word is a password: `strong` near a password noun, `weak` only after a copula or sign. */
type PasswordLikelihood = 'strong' | 'weak' | 'none'

const MIN_CHARS = 4
const MAX_CHARS = 128
/** Ordinary words, excluded quickly. */
const ORDINARY_WORD = /^(?:\p{L}+|\p{Lu}?\p{Ll}*[!?]+)$/u
const ADDRESS = /:\/\/|^www\.|^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/iu
const PATH = /^(?:~|\.{1,2})?\/[\w./-]+$|^[\w.@-]+(?:\/[\w.@-]+)+\/?$|^[a-z]:\\/iu
/** Host names, file names, members of objects. */
const DOTTED_NAME = /^[\p{L}_][\w-]*(?:\.[\w-]+)+$/u
/** A capitalised word among the parts of a password such as `Blue.Herring.1987`; members of objects do not begin with capitals and digits. */
const isDottedName = (word: string): boolean =>
  DOTTED_NAME.test(word) && !(/\d/u.test(word) && /(?:^|[._-])\p{Lu}\p{Ll}/u.test(word)) && !/\p{Ll}\.\p{Lu}\p{Ll}+(?:\.|$)/u.test(word)
const VERSION = /^v?\d+(?:[.,]\d+)+\w{0,4}$/iu
/** `Policy-v2`. */
const NAMED_VERSION = /\p{L}[-_]v\d{1,3}$/iu
/** `8-stellig`, `90days`, `256-bit`. */
const MEASURE = /^\d{1,3}(?:[-–+]?\p{Ll}+)*$/u
const TICKET = /^[A-Z]{2,10}-\d+$/u
const HASHTAG = /^(?:#\d+|@\p{Ll}[\p{Ll}\d_.-]*)$/u
const REFERENCE = /^(?:[=:]|--?\p{L}|\$\{|\$\(|\{\{|<|\[|\$[A-Z_]+$|%[A-Z_]+%$)|\[masked /u
const TRUNCATION_MARK = /\.{3}|\*{3}|[…•]|x{4}/iu
const INNER_MARK = /[\p{L}\d][!@#$%^*+?~§€£|=&][\p{L}\d!@#$%^*+?~§€£|=&]/u
const STRONG_SYMBOL = /[!@#$%^&*+=?~§€£|]/u
const LETTER = /\p{L}/gu
const DIGIT = /\d/gu
const NAME_AND_NUMBER = /^\p{Lu}?\p{Ll}+[-_]?\d{1,3}$/u
const YEAR_OR_DATE = /^(?:19|20)\d\d$|^\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?$/u
const PHRASE = /^\p{L}{3,}(?:[-_.]\p{L}{3,}){3,}$/u
/** `Tucano-Azul`, `LemonTree_At_Dusk`, `honey.Badger.dc`. */
const CAPITAL_PARTS = /^\p{L}\p{Ll}*\p{L}*(?:[-_.]\p{L}+)*[-_.]\p{Lu}\p{Ll}+(?:[-_.]\p{L}+)*$/u
const CAMEL = /^\p{Ll}{3,}\p{Lu}\p{Ll}{3,}$/u
const SMALL_PARTS = /(?:^|[-_.])(?:the|and|for|not|out|one|all|are|der|die|das|und|les|des|los|las|que|per|von)(?:[-_.]|$)/iu

const count = (value: string, kind: RegExp): number => value.match(kind)?.length ?? 0

/** Rates how much a word looks like a password chosen by a person. */
export function likenessOf(word: string): PasswordLikelihood {
  if (word.length < MIN_CHARS || word.length > MAX_CHARS || ORDINARY_WORD.test(word) || isOtherThing(word)) return 'none'
  const core = word.replace(/[!?]+$/u, '')
  if (isOtherThing(core) || KNOWN_NAMES.test(core) || core.split('-').some((part) => KNOWN_NAMES.test(part))) return 'none'
  const letters = count(word, LETTER)
  const digits = count(word, DIGIT)
  if (isWordsAndNumber(core) && core.length === word.length) return 'none'
  if (!STRONG_SYMBOL.test(core) && isPlaceholder(core)) return 'none'
  if (letters === 0) return digits >= 4 && INNER_MARK.test(word) ? 'weak' : 'none'
  if (digits > 0 && letters > 1) return likenessOfMixed(word, core)
  if (digits > 0) return STRONG_SYMBOL.test(word) || digits > 5 ? 'weak' : 'none'
  if (INNER_MARK.test(core)) return core.length >= 6 && (core.length >= 12 || !/^[\p{L}]+[&+=|][\p{L}]+$/u.test(core)) ? 'weak' : 'none'
  return (PHRASE.test(core) && !SMALL_PARTS.test(core)) || CAPITAL_PARTS.test(core) || (word !== core && CAMEL.test(core)) ? 'weak' : 'none'
}

function likenessOfMixed(word: string, core: string): PasswordLikelihood {
  if (STRONG_SYMBOL.test(word)) return word.length >= 6 ? 'strong' : 'weak'
  if (/-/u.test(core) && /^\p{L}+-\d{1,3}$/u.test(core)) return 'none'
  const mixed = /\p{Lu}/u.test(core) && /\p{Ll}/u.test(core)
  if (mixed && core.length >= 7 && !NAME_AND_NUMBER.test(core)) return 'strong'
  if (isRandom(core)) return 'strong'
  return core.length >= 5 ? 'weak' : 'none'
}

/** URLs, paths, file names, numbers with a unit, references and truncated values. */
const isOtherThing = (word: string): boolean =>
  ADDRESS.test(word) ||
  PATH.test(word) ||
  isDottedName(word) ||
  VERSION.test(word) ||
  NAMED_VERSION.test(word) ||
  MEASURE.test(word) ||
  TICKET.test(word) ||
  HASHTAG.test(word) ||
  REFERENCE.test(word) ||
  TRUNCATION_MARK.test(word) ||
  YEAR_OR_DATE.test(word)

/** `Kestrel-73`, `KESTREL-4471`, `Kestrel.2031`, `F0caccia.it`. */
const WORDS_AND_DIGITS = /^[\p{L}\d]+(?:[-_.+][\p{L}\d]+)*$/u
const FILE_OR_HOST = /\.\p{Ll}{2,5}$/u
const THREE_HUMPS = /^(?:\p{Lu}\p{Ll}{2,}){3,}$/u

/** True for a word that can be a password only at a place where a value is certain to follow: words with digits, and joined words. */
export function isPossiblePassword(word: string): boolean {
  const core = word.replace(/[!?]+$/u, '')
  if (core.length < 6 || core.length > MAX_CHARS || !WORDS_AND_DIGITS.test(core)) return false
  if (KNOWN_NAMES.test(core) || core.split(/[-_.]/u).some((part) => KNOWN_NAMES.test(part))) return false
  if (/^\d+$/u.test(core)) return new Set(core).size > 3 && !YEAR_OR_DATE.test(core) && !/^(?:19|20)\d{6}$/u.test(core)
  if (isPlaceholder(core) || isWordsAndNumber(core) || VERSION.test(core) || MEASURE.test(core) || YEAR_OR_DATE.test(core)) return false
  const digits = count(core, DIGIT)
  const letters = count(core, LETTER)
  if (digits === 0) return THREE_HUMPS.test(core)
  return letters >= 3 && (!FILE_OR_HOST.test(core) || /\p{L}\d\p{L}{2}/u.test(core))
}

/** True for a weak password such as `changeme123`, which is no placeholder where a sentence states it. */
export const isWeakPassword = (word: string): boolean =>
  /^\p{L}{4,}\d{3,6}[!?]*$/u.test(word) && !/^(?:your|my|some|new|old)|example|sample|placeholder/iu.test(word) && !KNOWN_NAMES.test(word)

/** True for placeholders such as `password123` and `YOUR_API_KEY`. */
const isWordsAndNumber = (word: string): boolean => /^[\p{L}_-]+\d{0,4}$/u.test(word) && isPlaceholder(word)

/** True if a quoted word of letters only can be a password. */
export const isQuotedWord = (word: string): boolean =>
  word.length >= 6 && word.length <= MAX_CHARS && /^[\p{L}\d._-]+$/u.test(word) && !isOtherThing(word) && !isPlaceholder(word)

/** True if a word can be a key: long, with letters and digits. */
export function isStatedKey(word: string): boolean {
  if (isRandom(word)) return true
  if (word.length < 12 || word.length > 4096 || !/^[\w+/=.~-]+$/u.test(word) || TRUNCATION_MARK.test(word) || REFERENCE.test(word))
    return false
  if (ADDRESS.test(word) || PATH.test(word) || (isDottedName(word) && word.length < 30) || isPlaceholder(word)) return false
  const digits = count(word, DIGIT)
  const letters = count(word, LETTER)
  const words = wordsOf(word).filter((part) => part.length > 4).length
  return digits >= 3 && letters >= 3 && new Set(word).size >= 8 && words <= 1
}

const ACCOUNT_AT_HOST = /^[\w.-]+@[\w.-]+$/u
const NUMBERED_REFERENCE = /#\d+$|%\d\d|^v?\d+\.|[=:/&|]/u
const DIGIT_AS_LETTER = /\p{L}\d\p{Ll}{2}/u

/** True for a word that is a password wherever it follows a password noun in a sentence: `Cinder!Block3`, `Wh1skerBiscuit`. */
export function isPlainlyPassword(word: string): boolean {
  if (word.length < 8 || !/\d/u.test(word) || likenessOf(word) !== 'strong' || NUMBERED_REFERENCE.test(word)) return false
  if (INNER_MARK.test(word)) return !ACCOUNT_AT_HOST.test(word) && !/[(){}[\]<>;"'`\\]/u.test(word)
  return DIGIT_AS_LETTER.test(word) && /^\p{L}[\p{L}\d]*$/u.test(word) && /\p{Ll}\p{Lu}\p{Ll}/u.test(word)
}
