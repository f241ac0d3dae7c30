import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PPR, personalisedPageRank } from './ppr.js'

const edge = (from: number, to: number, weight = 1) => ({ from, to, weight })
const sum = (ranks: Float64Array): number => ranks.reduce((total, rank) => total + rank, 0)
const exact = { ...PPR, iterations: 500, tolerance: 1e-12 }

test('without a restart the ranks are empty; a single node keeps all rank', () => {
  expect([...personalisedPageRank(3, [edge(0, 1)], new Map())]).toEqual([0, 0, 0])
  expect([...personalisedPageRank(2, [], new Map([[1, 5]]))]).toEqual([0, 1])
  expect([...personalisedPageRank(0, [], new Map())]).toEqual([])
})

test('matches the closed form for two nodes', () => {
  const [a = 0, b = 0] = personalisedPageRank(2, [edge(0, 1)], new Map([[0, 1]]), exact)
  expect(a).toBeCloseTo(2 / 3, 9)
  expect(b).toBeCloseTo(1 / 3, 9)
})

test('rank falls with distance, follows weights, and edges work both ways', () => {
  const chain = personalisedPageRank(4, [edge(0, 1), edge(2, 1), edge(2, 3)], new Map([[0, 1]]), exact)
  expect(chain[1]).toBeGreaterThan(chain[2] ?? 1)
  expect(chain[2]).toBeGreaterThan(chain[3] ?? 1)
  expect(chain[3]).toBeGreaterThan(0)
  const fork = personalisedPageRank(3, [edge(0, 1, 3), edge(0, 2, 1)], new Map([[0, 1]]), exact)
  expect((fork[1] ?? 0) / (fork[2] ?? 1)).toBeCloseTo(3, 6)
})

test('ranks sum to one and are non-zero only at reachable nodes', () => {
  const node = fc.nat({ max: 9 })
  const graphs = fc.array(fc.tuple(node, node, fc.double({ min: 0.01, max: 10, noNaN: true })), { maxLength: 30 })
  fc.assert(
    fc.property(graphs, fc.array(node, { minLength: 1, maxLength: 3 }), (rows, seeds) => {
      const edges = rows.map(([from, to, weight]) => edge(from, to, weight))
      const ranks = personalisedPageRank(10, edges, new Map(seeds.map((seed) => [seed, 1])))
      expect(sum(ranks)).toBeCloseTo(1, 6)
      const reached = new Set(seeds)
      for (let round = 0; round < 10; round++) {
        for (const { from, to } of edges) {
          if (reached.has(from)) reached.add(to)
          if (reached.has(to)) reached.add(from)
        }
      }
      for (const [index, rank] of ranks.entries()) expect(rank > 0).toBe(reached.has(index) && rank > 0)
      for (const [index, rank] of ranks.entries()) if (!reached.has(index)) expect(rank).toBe(0)
    }),
    { numRuns: 100 },
  )
})

test('an empty restart gives no ranks, and an edge without weight is ignored', () => {
  expect([...personalisedPageRank(2, [{ from: 0, to: 1, weight: 1 }], new Map([[0, 0]]))]).toEqual([0, 0])
  const ranks = personalisedPageRank(
    3,
    [
      { from: 0, to: 1, weight: 0 },
      { from: 1, to: 2, weight: 1 },
    ],
    new Map([[0, 1]]),
  )
  expect([...ranks]).toEqual([1, 0, 0])
})
