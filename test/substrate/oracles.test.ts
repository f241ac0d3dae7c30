import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphInsights } from '../../src/core/governed/graph-health.js'
import { jaccard, softPairs, softTokens } from '../../src/core/governed/soft-duplicates.js'
import { aFact } from '../contract/samples.js'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 12)

const word = fc.constantFrom('deploy', 'deploys', 'needs', 'two', 'approval', 'kettle', 'red', 'the', '部署', 'pump')
const sentence = fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(' '))

describe('against the plainest reckoning', () => {
  it('soft duplicates', () => {
    const note = fc.record({
      title: sentence,
      text: sentence,
      kind: fc.constantFrom('fact', 'decision'),
      scopes: fc.subarray(['a', 'b']),
      subject: fc.constantFrom(null, 's'),
    })
    fc.assert(
      fc.property(fc.array(note, { maxLength: 12 }), (notes) => {
        const facts = notes.map((one, at) => aFact({ id: `know:${at}`, origin: 'user_declared', ...one }))
        const pairs = softPairs(facts)
        let step = pairs.next()
        while (step.done !== true) step = pairs.next()
        const plain = facts.flatMap((a, i) =>
          facts.slice(i + 1).flatMap((b) => {
            const meet =
              (a.scopes ?? []).length === 0 || (b.scopes ?? []).length === 0 || a.scopes?.some((scope) => b.scopes?.includes(scope))
            const alike = (x: string, y: string): number => jaccard(softTokens(x), softTokens(y))
            const sum =
              0.4 * alike(a.title ?? '', b.title ?? '') +
              0.4 * alike(a.text, b.text) +
              (a.kind === b.kind ? 0.1 : 0) +
              (a.subject !== null && a.subject === b.subject ? 0.1 : 0)
            const score = Math.round(Math.min(1, sum) * 1e6) / 1e6
            return meet === true && score >= 0.5 ? [`${[a.id, b.id].sort().join(' ')} ${score}`] : []
          }),
        )
        expect(step.value.map(({ a, b, score }) => `${a.id} ${b.id} ${score}`).sort()).toEqual(plain.sort())
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('the health of the graph', () => {
    const ends = fc.tuple(fc.nat(9), fc.nat(11))
    fc.assert(
      fc.property(
        fc.array(ends, { maxLength: 14 }),
        fc.array(fc.subarray(['a', 'b']), { minLength: 10, maxLength: 10 }),
        (pairs, scopes) => {
          const nodes = scopes.map((own, at) => ({ id: `n${at}`, scopes: own }))
          const links = pairs.map(([a, b]) => ({ from: `n${a}`, to: `n${b}` }))
          const there = new Set(nodes.map(({ id }) => id))
          const edges = new Set(
            links
              .filter(({ from, to }) => from !== to && there.has(from) && there.has(to))
              .map(({ from, to }) => [from, to].sort().join(' ')),
          )
          const linked = (a: string, b: string): boolean => edges.has([a, b].sort().join(' '))
          const reach = (start: string, ids: readonly string[]): ReadonlySet<string> => {
            const seen = new Set([start])
            for (let grown = true; grown; ) {
              grown = false
              for (const id of ids) if (!seen.has(id) && [...seen].some((one) => linked(one, id))) grown = seen.add(id) !== undefined
            }
            return seen
          }
          const all = [...there]
          const degree = (id: string): number => all.filter((other) => linked(id, other)).length
          const found = graphInsights(nodes, links)
          expect(found.isolated).toEqual(all.filter((id) => degree(id) === 0).sort())
          const cuts = all.filter((id) => {
            const own = [...reach(id, all)].filter((other) => other !== id)
            const [first] = own
            return first !== undefined && reach(first, own).size < own.length
          })
          expect(found.bridges.map(({ id }) => id).sort()).toEqual(cuts.sort())
          const components = new Set(all.map((id) => [...reach(id, all)].sort().join(' ')))
          const sparse = [...components].filter((ids) => {
            const members = ids.split(' ')
            const inside = [...edges].filter((edge) => members.includes(edge.split(' ')[0] ?? '')).length
            return members.length >= 3 && (2 * inside) / (members.length * (members.length - 1)) <= 0.5
          })
          expect(found.sparse.map(({ ids }) => ids.join(' ')).sort()).toEqual(sparse.sort())
          const weak = ['a', 'b'].filter((scope) => {
            const members = nodes.filter((node) => node.scopes.includes(scope)).map(({ id }) => id)
            const inside = [...edges].filter((edge) => edge.split(' ').every((id) => members.includes(id))).length
            return members.length >= 2 && inside < members.length - 1
          })
          expect(found.weakScopes.map(({ scope }) => scope).sort()).toEqual(weak)
          expect(found.stubs).toEqual([...new Set(links.flatMap(({ from, to }) => [from, to]).filter((id) => !there.has(id)))].sort())
        },
      ),
      { numRuns: 20 * RUNS },
    )
  })
})
