import { describe, expect, it } from 'vitest'
import { secretsIn } from './scan.js'

const found = (text: string): readonly string[] => secretsIn(text).map(({ from, to }) => text.slice(from, to))

describe('a code of a door, an alarm or a safe is masked', () => {
  it.each([
    ['The door code is 2580#', ['2580#']],
    ['Garage door code: 9082', ['9082']],
    ['Lockbox code 0427 at the cottage', ['0427']],
    ['the gate codes are 4471 and 9982', ['4471', '9982']],
    ['Fürs Tor gilt der Code 5528', ['5528']],
    ["Pour la porte d'entrée le code est 7788A", ['7788A']],
    ['De toegangscode van de kluis is 90-21-44', ['90-21-44']],
    ['Die Zugangs-PIN für das Lager: 48 15 16', ['48 15 16']],
  ])('%s', (text, codes) => expect(found(text)).toEqual(codes))

  it.each([
    'The door is 2100 mm high, code review at 1400',
    'The garage code path was removed in build 20411',
    'For the alarm service, error code 4031 means low battery.',
    'Der Türcode wird am 01.12.2026 geändert.',
    'The PIN pad is 12 34 cm wide',
  ])('leaves other text unchanged: %s', (text) => expect(found(text)).toEqual([]))
})

describe('every code of a list of recovery codes is masked', () => {
  it.each([
    ['My recovery code for GitHub is 3f9a1-77c2e', ['3f9a1-77c2e']],
    ['2FA backup codes: 8hd7-22kq, p02m-71xz and 55tt-09ab', ['8hd7-22kq', 'p02m-71xz', '55tt-09ab']],
    ['Recovery codes for Dropbox:\nh7g2-99kd\np0o9-12aq', ['h7g2-99kd', 'p0o9-12aq']],
    ['Codes de secours Google : 1122 8834, 4455 9901', ['1122 8834', '4455 9901']],
    ['Wiederherstellungscodes: 33f1-aa90 und 77e2-bb01', ['33f1-aa90', '77e2-bb01']],
    ['Herstelcodes: 5kq2-88wd, 0z1m-44ty', ['5kq2-88wd', '0z1m-44ty']],
  ])('%s', (text, codes) => expect(found(text)).toEqual(codes))

  it.each([
    'Recovery codes are printed and kept in drawer 14',
    'Backup codes have 8 digits each; GitHub shows 16 of them.',
    'The backup code lives in src/backup/rsync2.ts',
    'Backup codes were printed on 2026-03-04',
  ])('leaves other text unchanged: %s', (text) => expect(found(text)).toEqual([]))
})

describe('the words of a wallet are masked after a copula too', () => {
  const words = 'arm bulk cactus dune eager flip gift honey icon jelly knee lamp'

  it.each([12, 24])('%i words', (count) => {
    const phrase = count === 12 ? words : `${words} ${words}`
    expect(found(`My recovery phrase is ${phrase}`)).toEqual([phrase])
    expect(found(`seed phrase: ${phrase}`)).toEqual([phrase])
  })

  it('but not a sentence about them', () =>
    expect(found('A recovery phrase is a list of words that can restore a wallet when the device is lost')).toEqual([]))
})
