import { expect, test } from 'vitest'
import type { AccessFilter } from '../../src/core/access/access-filter.js'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { byBytes } from '../../src/core/encoding/byte-order.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { neighboursOf } from '../../src/engine/stigmem/neighbours.js'
import { aFact } from '../contract/samples.js'
import { openNode } from './node.js'

const toRef = (id: string, subject: string, value: string, more: Partial<Fact> = {}): Fact => {
  const statement = { id, owner: 'default', subject, predicate: 'memory:knows', value, text: `${subject} ${value}`, autoLink: false }
  return aFact({ ...statement, valueType: 'ref', assertedConfidence: 1, scope: 'company', ...more })
}

const OPEN: AccessFilter = { owners: [{ owner: 'default', scopes: 'all', gardens: [], federated: false }] }

test('edges of one entity are paged in byte order, however many lead to one of them', async () => {
  const node = await openNode('sqlite')
  const { store, statements } = node.backend
  // More than one statement reads at once, of one neighbour and of many.
  const parallel = Array.from({ length: 1100 }, (_, i) => toRef(`p${i}`, 'user:h', 'user:m', { predicate: `memory:r${i}` }))
  const many = Array.from({ length: 1100 }, (_, i) => toRef(`q${i}`, `user:n${String(i).padStart(4, '0')}`, 'user:h'))
  const names = ['user:a', 'user:ﬀ', 'user:😀', 'user:z']
  const others = names.map((name, i) => toRef(`o${i}`, 'user:h', name, { predicate: `memory:o${i}` }))
  const hidden = toRef('g', 'user:h', 'user:b', { garden: 'den' })
  await store.commit({ actor: 'test', owners: ['default'] }, () =>
    [...parallel, ...many, ...others, hidden].map((fact) => ({ op: 'fact.put', fact })),
  )
  const target = { owner: 'default', scope: 'company' as const, at: node.clock.now() + 1e6, reach: OPEN }
  const found: string[] = []
  const edges = new Set<string>()
  for (let after: string | undefined; ; ) {
    const page = await statements.edgesInOrder({ ...target, node: 'user:h', after })
    found.push(...[...new Set(page.edges.map(({ from, to }) => (from === 'user:h' ? to : from)))].sort(byBytes))
    for (const { id } of page.edges) edges.add(id)
    if (page.through === null) break
    after = page.through
  }
  expect(edges.size).toBe(2204)
  expect(found).toEqual([...names, 'user:m', ...many.map(({ subject }) => subject ?? '')].sort(byBytes))
  const all = await statements.statedEdges({ ...target, nodes: ['user:h', 'user:a'] })
  expect(new Set(all.map(({ id }) => id))).toEqual(edges)
  const degrees = await statements.outDegrees({ ...target, nodes: ['user:h', 'user:n0001'] })
  expect([degrees.get('user:h'), degrees.get('user:n0001')]).toEqual([1104, 1])
  await node.close()
})

test('a page reads no more of a hub than it needs', async () => {
  const node = await openNode('sqlite')
  const { environment } = node
  const name = (i: number): string => `user:n${String(i).padStart(4, '0')}`
  const others = Array.from({ length: 2300 }, (_, i) => i)
  const around = others.map((i) =>
    i % 2 === 0 ? toRef(`o${i}`, 'user:hub', name(i), { predicate: `memory:r${i}` }) : toRef(`i${i}`, name(i), 'user:hub'),
  )
  const near = [toRef('a', 'user:ann', 'user:hub'), toRef('b', 'user:ann', 'user:ben', { predicate: 'memory:b' })]
  // Of two paths the stronger one is returned.
  const ways = others.filter((i) => i % 500 === 0).map((i) => toRef(`w${i}`, name(i), 'user:ben', { confidence: 0.5 }))
  const beyond = toRef('z', name(7), 'user:zoe', { predicate: 'memory:z' })
  await node.backend.store.commit({ actor: 'test', owners: ['default'] }, () =>
    [...around, ...near, ...ways, beyond].map((fact) => ({ op: 'fact.put', fact })),
  )
  node.clock.set(node.clock.now() + 1e6)
  let pages = 0
  const { statements } = environment
  const counted: typeof statements = {
    ...statements,
    edgesInOrder: (query) => {
      pages++
      return statements.edgesInOrder(query)
    },
  }
  const env = { ...environment, statements: counted }
  const wanted = { entity: 'user:ann', scope: 'company' as const, leastConfidence: 0, leastTrust: 0 }
  const all = async (depth: number, limit: number) => {
    const found: string[] = []
    const read: number[] = []
    for (let cursor: string | undefined; ; ) {
      pages = 0
      const answer = await neighboursOf(env, { principal: LOCAL_PRINCIPAL, actor: 'test' }, { ...wanted, depth, limit, cursor })
      expect(answer.total).toBe(depth === 2 ? 2302 : 2303)
      found.push(...answer.neighbours.map(({ entity, hops, path }) => `${hops} ${entity} ${path.join(' ')}`))
      read.push(pages)
      cursor = answer.cursor
      if (cursor === undefined) return { found, read }
    }
  }
  const expected = [...['1 user:ben user:ann', '1 user:hub user:ann'], ...others.map((i) => `2 ${name(i)} user:ann user:hub`)]
  const two = await all(2, 500)
  expect(two.found).toEqual(expected)
  // The first one counts all; the next ones stop when full.
  expect(two.read[1]).toBeGreaterThan(0)
  expect(two.read[1]).toBeLessThan(two.read[0] ?? 0)
  expect((await all(3, 900)).found).toEqual([...expected, '3 user:zoe user:ann user:hub user:n0007'])
  await node.close()
})
