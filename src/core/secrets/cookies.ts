import { isRandom } from './likeness.js'
import type { SecretSpan } from './token-forms.js'

const HEADER = /(?<![\w-])(?:set-)?cookie2?: ?(?<pairs>[^\r\n]{1,2000})/giu
const PAIR = /(?:^|; ?)[\w.-]{1,80}=(?<value>[\w.~%+/-]{20,1000})/gu
const ENCODED = /%[\da-f]{2}/giu

/** Values of cookies that look random, such as the id of a session. */
export const cookieSecretsIn = (text: string): readonly SecretSpan[] =>
  [...text.matchAll(HEADER)].flatMap(({ 0: header, index: at, groups = {} }) => {
    const { pairs = '' } = groups
    const from = at + header.length - pairs.length
    return [...pairs.matchAll(PAIR)].flatMap(({ 0: pair, index, groups: { value = '' } = {} }) => {
      const to = from + index + pair.length
      return isRandom(value.replace(ENCODED, '+')) ? [{ from: to - value.length, to, kind: 'cookie' }] : []
    })
  })
