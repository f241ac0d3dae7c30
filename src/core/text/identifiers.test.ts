import { describe, expect, it } from 'vitest'
import { identifiersOf, identifierWords, splitIdentifiers } from './identifiers.js'

describe('identifiers', () => {
  it.each([
    ['differenceInDays', ['difference', 'In', 'Days']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['parse_http_header2', ['parse', 'http', 'header2']],
    ['sha256Sum', ['sha256', 'Sum']],
    ['$scope', ['scope']],
    ['größeÄndern', ['größe', 'Ändern']],
    ['__', []],
  ])('%s has the words %j', (identifier, words) => {
    expect(identifierWords(identifier)).toEqual(words)
  })

  it('splits the identifiers of a text and leaves the rest', () => {
    expect(splitIdentifiers('getUser(user_id: string) => 42')).toBe('get User(user id: string) => 42')
  })

  it('lists identifiers in order with repeats', () => {
    expect(identifiersOf('a.b(a, 1)')).toEqual(['a', 'b', 'a'])
    expect(identifiersOf('größe_a + b')).toEqual(['größe_a', 'b'])
    expect(splitIdentifiers('größeÄndern = 1')).toBe('größe Ändern = 1')
  })
})
