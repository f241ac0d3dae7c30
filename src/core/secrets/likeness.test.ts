import { describe, expect, test } from 'vitest'
import { isChosen, isChosenAmongCode, isFilled, isHighEntropy, isPlaceholder, isRandom, isReference, wordsOf } from './likeness.js'

/** Letters, of which every other one is a capital. */
const turning = (length: number): string => 'kVxMqPlSrTwYzNbCdGfHjKpWtVnQxZ'.slice(0, length)
/** All kinds mixed. */
const drawn = (length: number): string => 'k9Vx2mQ7pL4sR8tW1yZ3nB6c'.repeat(6).slice(0, length)

describe('values that stand for a secret', () => {
  test.each(['$SECRET', '<secret>', 'x#{Zk9vQx}', 'process.env.Zk9vQx', 'x%(Zk9vQx)s', 'x$(pass Zk9vQx)'])('%s refers to one', (value) => {
    expect(isReference(value)).toBe(true)
    expect(isPlaceholder(value)).toBe(true)
  })

  test.each([
    'Zk9...Qx7p',
    'Zk9***Qx7p',
    'Zk9…Qx7p',
    'Zk9•Qx7p',
    // Of few different characters.
    'kvq9kvq9kv',
    // Seven of ten steps go to the same or the next character.
    'aababcdekvq',
    'bcdefghijk',
    'your-api-key-1',
    '837261',
    '',
  ])('%s is to be filled in', (value) => expect(isPlaceholder(value)).toBe(true))

  test.each(['kvq97kvq97', 'kvq9kv', 'aababcdkevq', 'tulip7'])('%s is not', (value) => expect(isPlaceholder(value)).toBe(false))

  test.each([
    ['kvkvkvkv', true],
    ['kvqkvqkvq', false],
    ['your-key-here', true],
    ['your-kvqz', true],
    ['your-kvqz9', false],
    ['your-kvqz-wxpm', false],
    ['93847261', false],
  ])('are recognised after the prefix of a key: %s', (body, filled) => expect(isFilled(body)).toBe(filled))

  test('a capital starts a word, unless one precedes it', () => {
    expect(wordsOf('my-fooaBar2getTOKEN')).toEqual(['my', 'fooa', 'Bar', 'get', 'TOKEN'])
  })
})

describe('random values', () => {
  test.each([
    ['16 characters', drawn(16)],
    ['20 of a hex number', '9a3f7c1e5b2d80469a3f'],
    ['a hex number with five turns', '937ace158bdf204cafed'],
    ['24 letters', turning(24)],
    ['three capitals', 'kv-xm-qp-ls-rt-wy-zn-bcADF'],
    ['three small letters', 'KV-XM-QP-LS-RT-WY-ZN-BCadf'],
    ['30 letters with ten turns', 'kvqXMPlsrTWYznbCDGfhjKRSpwtVNq'],
    ['words with a turn for every 3.5 characters', 'quick7brown8vexed9jumps2lazy'],
    ['16 characters with four turns', 'kvq937XMP584lsrt'],
    ['half of it in words', 'kvqz937XMPL584rt'],
  ])('%s', (_, value) => expect(isRandom(value)).toBe(true))

  test.each([
    ['15 characters', drawn(15)],
    ['another sign', `${drawn(20)}!`],
    ['a shortened one', `${drawn(10)}...${drawn(10)}`],
    ['19 of a hex number', '9a3f7c1e5b2d80469a3'],
    ['a hex number of five different digits', 'c1f7ec1f7ec1f7ec1f7e'],
    ['a hex number with four turns', '937ace158bdf20462907'],
    ['23 letters', turning(23)],
    ['names joined by a dot', `${turning(14)}.${turning(14)}`],
    ['two capitals', 'kv-xm-qp-ls-rt-wy-zn-bcdAF'],
    ['two small letters', 'KV-XM-QP-LS-RT-WY-ZN-BCDaf'],
    ['30 letters with nine turns', 'kvqXMPlsrTWYznbCDGfhjKRSpwtVNQ'],
    ['28 letters in words', 'kvqXMPlsrTWYznbCDGfhjKRSpwtV'],
    ['words with fewer turns', 'quick7brown8vexed9jumpslazyx'],
    ['words of four letters', 'kvqz937XMPL58lsrt'],
    ['five different characters', 'k9v7zk9v7zk9v7zk9v7z'],
    ['three turns', 'kvq937XMPRS58412'],
  ])('do not include %s', (_, value) => expect(isRandom(value)).toBe(false))

  test.each([
    ['20 characters', `${drawn(19)}!`, true],
    ['19 characters', `${drawn(18)}!`, false],
    ['a blank', `${drawn(12)} ${drawn(12)}`, false],
    ['a reference', `<${drawn(24)}`, false],
    ['two digits', `${turning(20)}9!7`, true],
    ['one digit', `${turning(20)}9!`, false],
    ['a turn for every three characters', 'kvq937XMP584lsr26TWzn', true],
    ['fewer turns', 'kvq937XMP584lsr26TWYZ', false],
  ])('between quotes: %s', (_, value, scrambled) => expect(isHighEntropy(value)).toBe(scrambled))
})

describe('values that a person would choose', () => {
  test.each(['tulip7', 'tulip!', 'tulip!7', 'kVxMq.tulip', 'tulip!x/mango', 'tulip.kvqzwxpmrtbhdgnf', drawn(128)])('%s', (value) => {
    expect(isChosen(value, 6)).toBe(true)
  })

  test.each([
    'tul7',
    'tulip 7',
    drawn(129),
    // Letters alone, however many.
    'kvqzwxpmrtbhdgnfl',
    '837261',
    'password1',
    // Names of something.
    'menu.setTulip',
    'banana.label',
    'tulip.kvqzwxpmrtbhdgn',
    'mango-tulip',
  ])('do not include %s', (value) => expect(isChosen(value, 6)).toBe(false))

  test.each([
    ['tulip!7x', true],
    ['tu!83726', true],
    ['tu!7', false],
    ['tulip7xy', false],
    ['tulip!mango', false],
    ['k!83726159', false],
  ])('include in code: %s', (value, chosen) => expect(isChosenAmongCode(value)).toBe(chosen))
})
