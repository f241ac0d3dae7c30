import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { graphInsights } from '../../src/core/governed/graph-health.js'
import { jaccard, softPairs, softTokens } from '../../src/core/governed/soft-duplicates.js'
import { aFact } from '../contract/samples.js'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 12)

type Step =
  | { readonly do: 'know'; readonly subject: number; readonly value: number; readonly inferred: boolean; readonly status: string }
  | { readonly do: 'words'; readonly title: number; readonly inferred: boolean }
  | { readonly do: 'promote' | 'contest'; readonly which: number }
  | { readonly do: 'supersede'; readonly which: number; readonly by: number }
  | { readonly do: 'cycle' | 'merge' | 'decay' }

const small = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('know' as const),
    subject: small,
    value: small,
    inferred: fc.boolean(),
    status: fc.constantFrom('active', 'candidate'),
  }),
  fc.record({ do: fc.constant('words' as const), title: small, inferred: fc.boolean() }),
  fc.record({ do: fc.constantFrom('promote' as const, 'contest' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('supersede' as const), which: fc.nat(9), by: fc.nat(9) }),
  fc.record({ do: fc.constantFrom('cycle' as const, 'merge' as const, 'decay' as const) }),
)

const answered = z.looseObject({ knowledge_id: z.string().optional() })

/** Carries a step out; what is refused changes nothing, and is no failure here. */
async function carryOut(substrate: Substrate, ids: string[], decided: Set<string>, one: Step): Promise<void> {
  const call = async (tool: string, mode: string, input: object, options?: object) => {
    try {
      return answered.parse(await substrate.ask(tool, mode, { ...input }, options === undefined ? undefined : { ...options }))
    } catch {
      return undefined
    }
  }
  const known = (at: number): string => ids[at % Math.max(1, ids.length)] ?? 'know:none'
  if (one.do === 'know' || one.do === 'words') {
    const claim =
      one.do === 'know'
        ? { payload: { subject: `node:${one.subject}`, predicate: 'is', value: one.value }, status: one.status }
        : { title: `Note ${one.title}` }
    const made = await call('remember', 'knowledge', {
      ...KNOWLEDGE,
      ...claim,
      memory_source: one.inferred ? 'agent_inferred' : 'user_declared',
    })
    if (made?.knowledge_id !== undefined) ids.push(made.knowledge_id)
    if (made?.knowledge_id !== undefined && !one.inferred) decided.add(made.knowledge_id)
  } else if (one.do === 'promote' || one.do === 'contest') {
    if ((await call('remember', one.do, { knowledge_id: known(one.which) })) !== undefined && one.do === 'promote')
      decided.add(known(one.which))
  } else if (one.do === 'supersede') {
    const done = await call('remember', 'supersede', { old_knowledge_id: known(one.which), new_knowledge_id: known(one.by) })
    if (done !== undefined) decided.add(known(one.by))
  } else await call('maintain', { cycle: 'cycle', merge: 'merge_duplicates', decay: 'decay_stale' }[one.do], {}, { apply: true })
}

const eventsSchema = z.object({
  data: z.object({
    events: z.array(
      z.object({ event_type: z.string(), target: z.object({ object_id: z.string() }), before: z.unknown(), after: z.unknown() }),
    ),
  }),
})

describe('whatever is called in whatever order', () => {
  it('nothing inferred is active without a decision, claims have no undisputed rivals, and every change has its event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const substrate = await openSubstrate({ embedder: 'none' })
        try {
          const ids: string[] = []
          const decided = new Set<string>()
          for (const one of steps) await carryOut(substrate, ids, decided, one)
          const facts = await substrate.world.backend.store.facts(ids)
          for (const fact of facts) if (fact.status === 'active') expect(decided.has(fact.id)).toBe(true)
          const claims = facts.filter(({ predicate, status }) => predicate !== null && ['active', 'candidate', 'stale'].includes(status))
          for (const a of claims)
            for (const b of claims)
              if (a.id !== b.id && a.subject === b.subject && JSON.stringify(a.value) === JSON.stringify(b.value))
                throw new Error('two say the same')
          const shown = z
            .object({ data: z.object({ items: z.array(z.object({ id: z.string(), status: z.string() })) }) })
            .parse(await substrate.ask('query', 'search', { query: 'python language note' }, { max_items: 50 })).data.items
          for (const { status } of shown) expect(['superseded', 'archived']).not.toContain(status)
          const { events } = eventsSchema.parse(await substrate.ask('maintain', 'audit', {}, { max_items: 1000 })).data
          for (const fact of facts) {
            const own = events.filter(({ target }) => target.object_id === fact.id)
            expect(own).toHaveLength(fact.version)
            expect(own.map(({ before }) => before === null)).toEqual(own.map((_, at) => at === 0))
            expect(own.at(-1)?.after).toEqual(z.record(z.string(), z.unknown()).parse(own.at(-1)?.after))
          }
        } finally {
          await substrate.close()
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('every skeleton of the report is taken by memory_remember as it stands', async () => {
    const substrate = await openSubstrate()
    try {
      const content = 'The `Context Pack` is small. A `Context Pack` has tiers.\n\nThe `Fact Check` reads. Each `Fact Check` is advisory.'
      await substrate.ask('ingest', 'conversation', {
        title: 'Talk',
        messages: [
          { role: 'user', content },
          { role: 'user', content },
        ],
      })
      const { data } = await substrate.ask('maintain', 'report')
      const { concept_candidates } = z
        .object({
          concept_candidates: z.array(z.object({ suggested_memory: z.object({ input_data: z.record(z.string(), z.unknown()) }) })),
        })
        .parse(data)
      expect(concept_candidates.length).toBeGreaterThan(0)
      for (const { suggested_memory } of concept_candidates)
        expect(await substrate.ask('remember', 'knowledge', suggested_memory.input_data)).toMatchObject({ status: 'candidate' })
    } finally {
      await substrate.close()
    }
  })
})

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
