import { describe, expect, it } from 'vitest'
import { routesOfLength } from './paths.js'

const graph = (...pairs: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const adjacency = new Map<string, Set<string>>()
  for (const [a = '', b = ''] of pairs) {
    for (const [here, there] of [
      [a, b],
      [b, a],
    ] as const)
      adjacency.set(here, (adjacency.get(here) ?? new Set()).add(there))
  }
  return adjacency
}

const routes = (length: number, limit = 10) =>
  routesOfLength({
    from: 'a',
    to: 'd',
    length,
    adjacency: graph('ab', 'bd', 'ac', 'cd', 'bc'),
    toTarget: new Map([
      ['d', 0],
      ['b', 1],
      ['c', 1],
    ]),
    known: 1,
    limit,
  }).map((route) => route.join(''))

describe('routesOfLength', () => {
  it('finds every path of exactly that many steps without repeated nodes', () => {
    expect(routes(1)).toEqual([])
    expect(routes(2)).toEqual(['abd', 'acd'])
    expect(routes(3)).toEqual(['abcd', 'acbd'])
    expect(routes(4)).toEqual([])
  })

  it('stops at the limit', () => {
    expect(routes(2, 1)).toEqual(['abd'])
  })
})
