import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dice } from '../../bench/graph/seed.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { graphInsights } from '../../src/core/substrate/checks/graph-health.js'
import { nearPairs, numberedSets } from '../../src/core/substrate/duplicates/near-sets.js'
import { jaccard, SOFT_REASONS, softTokens } from '../../src/core/substrate/duplicates/soft-duplicates.js'
import { type SoftPair, softPairs } from '../../src/core/substrate/duplicates/soft-pairs.js'
import { aFact } from '../contract/samples.js'
import { runs } from '../runs.js'

const RUNS = runs(5, 12)

function ended<T>(steps: Generator<undefined, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

const render = ({ a, b, score, reasons }: SoftPair): string => `${score} ${a.id} ${b.id} ${reasons.join(' ')}`

/** Every pair, by the formula itself. */
function allPairs(facts: readonly Fact[]) {
  const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const meet = (x: readonly unknown[], y: readonly unknown[]): boolean =>
    x.some((entry) => y.some((other) => JSON.stringify(entry) === JSON.stringify(other)))
  const about = (fact: Fact): readonly unknown[] => {
    const named = listed(fact.references?.subject_refs)
    return named.length > 0 || fact.subject === null ? named : [fact.subject]
  }
  const found = facts.flatMap((fact, i) =>
    facts.slice(i + 1).flatMap((other): SoftPair[] => {
      const [a, b] = fact.id < other.id ? [fact, other] : [other, fact]
      const [x, y] = [a.scopes ?? [], b.scopes ?? []]
      if (x.length > 0 && y.length > 0 && !meet(x, y)) return []
      const title = jaccard(softTokens(a.title ?? ''), softTokens(b.title ?? ''))
      const summary = jaccard(softTokens(a.text), softTokens(b.text))
      const holds = {
        title_overlap: title >= 0.3,
        summary_overlap: summary >= 0.25,
        same_kind: a.kind === b.kind,
        shared_subject: meet(about(a), about(b)),
        shared_evidence: meet(listed(a.evidence), listed(b.evidence)),
      }
      const { same_kind, shared_subject, shared_evidence } = holds
      const sum = 0.4 * title + 0.4 * summary + [same_kind, shared_subject, shared_evidence].filter(Boolean).length * 0.1
      const score = Math.round(Math.min(1, sum) * 1e6) / 1e6
      return score < 0.5 ? [] : [{ a, b, score, reasons: SOFT_REASONS.filter((reason) => holds[reason]) }]
    }),
  )
  const order = (p: SoftPair, q: SoftPair): number =>
    q.score - p.score || (p.a.id < q.a.id ? -1 : p.a.id > q.a.id ? 1 : p.b.id < q.b.id ? -1 : 1)
  return { pairs: found.sort(order).map(render), count: found.length }
}

const word = fc.constantFrom('deploy', 'deploys', 'needs', 'two', 'approval', 'kettle', 'red', 'the', '部署', 'pump')
const sentence = fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(' '))

describe('comparison with exhaustive computation', () => {
  const note = fc.record({
    title: sentence,
    text: sentence,
    kind: fc.constantFrom('fact', 'decision'),
    scopes: fc.subarray(['a', 'b']),
    subject: fc.constantFrom(null, 's'),
    evidence: fc.subarray(['1', '2']).map((ids) => ids.map((id) => ({ source_id: `src:${id}`, segment_id: 's' }))),
    references: fc.subarray(['node:x', 'node:y']).map((ids) => ({ subject_refs: ids })),
  })
  const toFacts = (notes: readonly Partial<Fact>[]) =>
    notes.map((note, index) => aFact({ id: `know:${index}`, origin: 'user_declared', ...note }))

  it('soft duplicates of a report', () => {
    fc.assert(
      fc.property(fc.array(note, { maxLength: 14 }), (notes) => {
        const facts = toFacts(notes)
        const { pairs, count, complete } = ended(softPairs(facts))
        expect({ pairs: pairs.map(render), count, complete }).toEqual({ ...allPairs(facts), complete: true })
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('soft duplicates among many that are alike, and many about one subject', () => {
    const random = dice(5)
    const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
    const words = 'deploy needs two approval kettle red pump gate lamp keeper'.split(' ')
    const say = (length: number): string => Array.from({ length }, () => pick(words)).join(' ')
    const facts = toFacts(
      Array.from({ length: 260 }, (_, i) => ({
        ...{ title: `${say(3)} ${i}`, text: `${say(6)} ${i} ${i % 7}` },
        ...(i % 2 === 0 ? { references: { subject_refs: ['node:x'] } } : {}),
        ...(i % 3 === 0 ? { evidence: [{ source_id: 'src:1', segment_id: 's' }] } : {}),
      })),
    )
    const { pairs, count } = ended(softPairs(facts))
    const all = allPairs(facts)
    expect(all.count).toBeGreaterThan(200)
    expect({ pairs: pairs.map(render), count }).toEqual({ pairs: all.pairs.slice(0, 100), count: all.count })
  })

  it('of very many facts with shared words only the latest are compared, and the result reports it', () => {
    const sets = numberedSets(Array.from({ length: 50 }, () => new Set(['one', 'two', 'three'])))
    const met: string[] = []
    const look = (max?: number) =>
      ended(
        nearPairs(
          sets,
          sets.map((_, index) => index),
          0.5,
          (i, j) => met.push(`${i} ${j}`),
          max,
        ),
      )
    expect([look(), met.length]).toEqual([true, (50 * 49) / 2])
    met.length = 0
    expect([look(300), met.length, met.includes('48 49')]).toEqual([false, 3 * 47 + 3, true])
  })

  it('the health of the graph equals the exhaustive result', () => {
    const ends = fc.tuple(fc.nat(9), fc.nat(11))
    fc.assert(
      fc.property(
        fc.array(ends, { maxLength: 14 }),
        fc.array(fc.subarray(['a', 'b']), { minLength: 10, maxLength: 10 }),
        (pairs, scopes) => {
          const nodes = scopes.map((own, index) => ({ id: `n${index}`, scopes: own }))
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
              for (const id of ids) if (!seen.has(id) && [...seen].some((value) => linked(value, id))) grown = seen.add(id) !== undefined
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
