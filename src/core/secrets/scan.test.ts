import { describe, expect, test } from 'vitest'
import { secretsIn } from './scan.js'

const found = (text: string): readonly string[] => secretsIn(text).map(({ from, to, kind }) => `${kind}: ${text.slice(from, to)}`)

/** Generated, so that the repository contains no key. */
const drawn = (length: number): string => 'k9Vx2mQ7pL4sR8tW1yZ3nB6c'.repeat(Math.ceil(length / 24)).slice(0, length)
const hex = (length: number): string => '9a3f7c1e5b2d8046'.repeat(Math.ceil(length / 16)).slice(0, length)
const github = `ghp_${drawn(36)}`
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')

describe('keys with the prefix of a service', () => {
  const web = (...lengths: readonly number[]): string => lengths.map((length, i) => `${i === 0 ? 'eyJ' : ''}${drawn(length)}`).join('.')
  const discord = (first: number, second: number, third: number): string => `M${drawn(first - 1)}.${drawn(second)}.${drawn(third)}`

  test.each([
    ['behind the end of a line in a string', `"first\\n${github}"`, `github token: ${github}`],
    ['behind an escaped sign of an address', `x%3D${github}`, `github token: ${github}`],
    ['parts as short as they may be', `see ${web(5, 4, 27)}`, `json web token: ${web(5, 4, 27)}`],
    ['without a signature', `see ${web(20, 20)}.`, `json web token: ${web(20, 20)}`],
    ['encrypted, in five parts', `see ${web(20, 20, 20, 20, 20)}.another9`, `json web token: ${web(20, 20, 20, 20, 20)}`],
    ['a short number of a bot', `at 12345678:${drawn(33)}`, `telegram token: 12345678:${drawn(33)}`],
    ['a long one', `at 1234567890:${drawn(37)}`, `telegram token: 1234567890:${drawn(37)}`],
    ['the shortest of discord', `at ${discord(23, 5, 25)}`, `discord token: ${discord(23, 5, 25)}`],
    ['a longer one', `at ${discord(30, 7, 30)}`, `discord token: ${discord(30, 7, 30)}`],
    ['terraform', `at ${drawn(14)}.atlasv1.${drawn(51)}`, `terraform token: ${drawn(14)}.atlasv1.${drawn(51)}`],
    ['mailchimp', `at ${hex(32)}-us1`, `mailchimp key: ${hex(32)}-us1`],
    ['azure, at the beginning', `abc8Q~${drawn(31)}`, `azure client secret: abc8Q~${drawn(31)}`],
    ['azure, the longest', `at a.c8Q~${drawn(36)}/x`, `azure client secret: a.c8Q~${drawn(36)}`],
  ])('%s', (_, text, secret) => {
    expect(found(text)).toEqual([secret])
  })

  test.each([
    ['a head that is too short for a web token', `see ${web(4, 20, 27)}`],
    ['a web token of two parts', `see ${web(30, 30)}`],
    ['40 characters in three parts', `see ${web(5, 4, 26)}`],
    ['seven digits before the colon', `at 1234567:${drawn(35)}`],
    ['eleven digits', `at 12345678901:${drawn(35)}`],
    ['letters before the colon', `at abcdefghi:${drawn(35)}`],
    ['too little behind the colon', `at 123456789:${drawn(32)}`],
    ['too much', `at 123456789:${drawn(38)}`],
    ['an example of a bot', `at 123456789:${'x'.repeat(35)}`],
    ['a first part that is too short', `at ${discord(22, 6, 27)}`],
    ['or too long', `at ${discord(31, 6, 27)}`],
    ['another first letter', `at P${drawn(23)}.${drawn(6)}.${drawn(27)}`],
    ['a second part that is too short', `at ${discord(24, 4, 27)}`],
    ['or too long', `at ${discord(24, 8, 27)}`],
    ['a third part that is too short', `at ${discord(24, 6, 24)}`],
    ['two parts', `at M${drawn(23)}.${drawn(6)},${drawn(27)}`],
    ['a short head before atlasv1', `at ${drawn(13)}.atlasv1.${drawn(60)}`],
    ['a short tail', `at ${drawn(14)}.atlasv1.${drawn(50)}`],
    ['no number of a data centre', `at ${hex(32)}-us`],
    ['a word that goes on', `at ${hex(32)}-us12x`],
    ['29 characters of github', `at ghp_${drawn(29)}`],
    ['more than amazon has', `at AKIA${hex(17).toUpperCase()}`],
    ['small letters in one of amazon', `at AKIA${hex(15).toUpperCase()}a`],
    ['a capital in one of nuget', `at oy2${drawn(42).toLowerCase()}A`],
    ['azure, too short', `at abc8Q~${drawn(30)}`],
    ['azure, too long', `at abc8Q~${drawn(37)}`],
    ['no digit before Q', `at abcdQ~${drawn(34)}`],
    ['another letter before the tilde', `at abc8R~${drawn(34)}`],
    ['too little before it', `bc8Q~${drawn(34)}`],
    ['a space before it', `at bc 8Q~${drawn(34)}`],
  ])('are not found in: %s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})

describe('private keys in their armour', () => {
  const begin = (what: string): string => ['-----', 'BEGIN ', what, '-----'].join('')
  const end = (what: string): string => ['-----', 'END ', what, '-----'].join('')
  const pgp = 'PGP PRIVATE KEY BLOCK'

  test.each([
    ['of 40 characters', `${begin('PRIVATE KEY')}\n${drawn(40)}\n${end('PRIVATE KEY')}`, `\n${drawn(40)}\n`],
    ['cut off', `${begin('RSA PRIVATE KEY')}\n${drawn(64)}\n${drawn(64)}\n(the rest is missing)`, `\n${drawn(64)}\n${drawn(64)}\n`],
    [
      'cut off, with other dashes far behind',
      `${begin('PRIVATE KEY')}\n${drawn(64)}\n(${'and more '.repeat(7000)}) -----`,
      `\n${drawn(64)}\n`,
    ],
    [
      'with a head, in a long text',
      `${'and '.repeat(15_000)}\n${begin(pgp)}\nVersion: GnuPG (Linux)\n\n${drawn(64)}\n${end(pgp)}`,
      `\nVersion: GnuPG (Linux)\n\n${drawn(64)}\n`,
    ],
  ])('%s', (_, text, key) => {
    expect(found(text)).toEqual([`private key: ${key}`])
  })

  test.each([
    ['39 characters', `${begin('PRIVATE KEY')}\n${drawn(39)}\n${end('PRIVATE KEY')}`],
    ['a certificate', `${begin('CERTIFICATE')}\n${drawn(64)}\n${end('CERTIFICATE')}`],
    ['no end of the head', `${begin('PRIVATE KEY').slice(0, -5)} that goes on with other words, ${drawn(64)}`],
  ])('are not found in: %s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})

describe('the secret in a header or a flag', () => {
  const login = base64('ann:quincejam9')
  const basic = (plain: string): string => `Basic ${base64(plain)}`

  test.each([
    [`use Bearer ${drawn(24)} there`, `bearer token: ${drawn(24)}`],
    [`use bearer ${drawn(24)} there`, `bearer token: ${drawn(24)}`],
    [`use Basic ${login} there`, `basic authorization: ${login}`],
    [`use basic ${login} there`, `basic authorization: ${login}`],
    [`auth="${login}"`, `basic authorization: ${login}`],
    [`"_auth": "${login}"`, `basic authorization: ${login}`],
    [`"auth" : "${login}"`, `basic authorization: ${login}`],
    [basic('a:bc'), `basic authorization: ${base64('a:bc')}`],
    [basic(`ann:${drawn(296)}`), `basic authorization: ${base64(`ann:${drawn(296)}`)}`],
    ['run --password quincejam9 now', 'password: quincejam9'],
    ['run --password "quincejam9" now', 'password: quincejam9'],
    ["run --password 'quincejam9' now", 'password: quincejam9'],
    ['`run --password quincejam9`', 'password: quincejam9'],
    [`run --token ${drawn(900)} now`, `token: ${drawn(900)}`],
    ['curl -u ann:tulip7 x', 'password: tulip7'],
    ['curl --user :tulip7 x', 'password: tulip7'],
    ['sshpass -p tulips ssh ann@host', 'password: tulips'],
    [`x?sig=${drawn(32)}`, `signature: ${drawn(32)}`],
    [`x?a=1&X-Amz-Signature=${hex(64)}&b=2`, `signature: ${hex(64)}`],
    [`x?a=1&X-Goog-Signature=${hex(1200)}`, `signature: ${hex(1200)}`],
    [`x?a=1&signature=${drawn(40)}%3D`, `signature: ${drawn(40)}%3D`],
    ['login ann.smith password tulips next', 'password: tulips'],
    [`$1$abcdefgh$${drawn(13)}`, `password hash: $1$abcdefgh$${drawn(13)}`],
    [
      `at $argon2id$v=19$m=65536,t=3,p=4$${drawn(22)}$${drawn(43)} x`,
      `password hash: $argon2id$v=19$m=65536,t=3,p=4$${drawn(22)}$${drawn(43)}`,
    ],
  ])('%s', (text, secret) => {
    expect(found(text)).toEqual([secret])
  })

  test.each([
    `hello ${login}`,
    `"name": "${login}"`,
    'Basic YTpiYw',
    basic(`ann:${drawn(299)}`),
    basic(':quincejam9'),
    basic('quincejam9:'),
    basic('quincejam9'),
    basic('ann:quince\x1fjam'),
    basic('ann:quince\x7fjam'),
    'lpr -u/ann:quincejam9',
    'curl -u quincejam9',
    'curl -u ann:/run/user7',
    'ssh -p tulips ann@host',
    'sshpass -f tulips ssh ann@host',
    'sshpass -p $SECRET ssh ann@host',
    `run --digest ${drawn(24)}`,
    'run --password --other-flag9',
    'run --token tulip7x',
    `x?sig:${drawn(40)}`,
    `x sig=${drawn(40)}`,
    `x?tag=${drawn(40)}`,
    `x?sig=${drawn(31)}`,
    `x?sig=${'x'.repeat(40)}`,
    'logins need a password quincejam',
    'login first, then find some password quincejam9',
    'login ann password changeme',
    'mail: ann:quincejam9@host',
    `$1$abcdefgh$${drawn(12)}`,
    `$1$${drawn(30)}`,
    `$1$a$b$c$d$${drawn(30)}`,
  ])('are not found in: %s', (text) => {
    expect(found(text)).toEqual([])
  })
})
