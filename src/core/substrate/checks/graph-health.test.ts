import { describe, expect, test } from 'vitest'
import { graphInsights } from './graph-health.js'

/** Nodes by name, each with the scopes behind a colon; links as `ab`. */
const insights = (nodes: string, links: string) =>
  graphInsights(
    nodes.split(' ').map((node) => ({ id: node.split(':')[0] ?? '', scopes: node.split(':').slice(1) })),
    links
      .split(' ')
      .filter((link) => link !== '')
      .map((link) => ({ from: link[0] ?? '', to: link[1] ?? '' })),
  )

describe('connections of records', () => {
  test('records without a relation are isolated; other objects are ignored', () => {
    const { isolated, stubs } = insights('d c a b', 'ab ba cc bx yz')
    expect(isolated).toEqual(['c', 'd'])
    expect(stubs).toEqual(['x', 'y', 'z'])
    expect(insights(Array.from({ length: 22 }, (_, i) => String.fromCharCode(97 + i)).join(' '), '').isolated).toHaveLength(20)
  })

  test('clusters of three or more with at most half of their possible relations are sparse, largest first', () => {
    // A chain of three has 2 of 3, one of four 3 of 6, one of five 4 of 10; a pair is no cluster.
    expect(insights('a b c', 'ab bc').sparse).toEqual([])
    const { sparse } = insights('z y x w p q r s t a b c d', 'zy yx xw pq qr rs st ab bc cd')
    expect(sparse).toEqual([
      { ids: ['p', 'q', 'r', 's', 't'], edges: 4, density: 0.4 },
      { ids: ['a', 'b', 'c', 'd'], edges: 3, density: 0.5 },
      { ids: ['w', 'x', 'y', 'z'], edges: 3, density: 0.5 },
    ])
    // Five of six.
    expect(insights('a b c d', 'ab bc cd da ac').sparse).toEqual([])
  })

  test.each([
    ['a chain', 'a b c d', 'ab bc cd', 'b2 c2'],
    ['a ring', 'a b c d', 'ab bc cd da', ''],
    ['two rings that share a node', 'a b c d e', 'ab bc ca cd de ec', 'c4'],
    ['a star from its middle', 'a b c d', 'ab ac ad', 'a3'],
    ['a star from its end', 'b a c d', 'ab ac ad', 'a3'],
    ['a ring with a tail', 'a b c d e', 'ab bc ca cd de', 'c3 d2'],
    ['a ring with a way across', 'a b c d', 'ab bc cd da bd', ''],
    ['two components', 'a b c x y z', 'ab bc xy yz', 'b2 y2'],
    ['a ring that closes further up', 'a b c d e', 'ab bc cd de eb', 'b3'],
  ])('%s is held together by some', (_, nodes, links, bridges) => {
    const found = insights(nodes, links).bridges.map(({ id, degree }) => `${id}${degree}`)
    expect(found.join(' ')).toBe(bridges)
  })

  test('scopes with too few relations to connect their records are listed, the weakest first', () => {
    const { weakScopes } = insights('a:s b:s c:s d:t e:t:v f:u x:w y:w p:r q:r k:m', 'ab de pq')
    expect(weakScopes).toEqual([
      { scope: 's', records: 3, edges: 1 },
      { scope: 'w', records: 2, edges: 0 },
    ])
    expect(insights('a:s b:s c:t d:t e:u f:u g:u', '').weakScopes.map(({ scope }) => scope)).toEqual(['u', 's', 't'])
    expect(insights('a:u b:u c:u d:v e:v f:v g:v h:v', 'de ef fg').weakScopes.map(({ scope }) => scope)).toEqual(['u', 'v'])
    expect(insights('d:v e:v f:v g:v h:v a:u b:u c:u', 'de ef fg').weakScopes.map(({ scope }) => scope)).toEqual(['u', 'v'])
    // Of two relations within the scope and one that leaves it, two count.
    expect(insights('a:s b:s c:s d', 'ab bc cd').weakScopes).toEqual([])
  })
})
