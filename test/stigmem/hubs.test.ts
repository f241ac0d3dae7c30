import { expect, test } from 'vitest'
import { byBytes } from '../../src/core/byte-order.js'
import type { Fact } from '../../src/core/fact.js'
import type { Reach } from '../../src/core/visibility.js'
import { aFact } from '../contract/samples.js'
import { openNode } from './node.js'

const toRef = (id: string, subject: string, value: string, more: Partial<Fact> = {}): Fact => {
  const said = { id, owner: 'default', subject, predicate: 'memory:knows', value, text: `${subject} ${value}`, autoLink: false }
  return aFact({ ...said, valueType: 'ref', assertedConfidence: 1, scope: 'company', ...more })
}

const OPEN: Reach = { owners: [{ owner: 'default', scopes: 'all', gardens: [], federated: false }] }

test('edges of one entity come in pages, in the order of bytes, however many lead to one of them', async () => {
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
  const of = { owner: 'default', scope: 'company' as const, at: node.clock.now() + 1e6, reach: OPEN }
  const found: string[] = []
  const edges = new Set<string>()
  for (let after: string | undefined; ; ) {
    const page = await statements.edgesInOrder({ ...of, node: 'user:h', after })
    found.push(...[...new Set(page.edges.map(({ from, to }) => (from === 'user:h' ? to : from)))].sort(byBytes))
    for (const { id } of page.edges) edges.add(id)
    if (page.through === null) break
    after = page.through
  }
  expect(edges.size).toBe(2204)
  expect(found).toEqual([...names, 'user:m', ...many.map(({ subject }) => subject ?? '')].sort(byBytes))
  const all = await statements.statedEdges({ ...of, nodes: ['user:h', 'user:a'] })
  expect(new Set(all.map(({ id }) => id))).toEqual(edges)
  const degrees = await statements.outDegrees({ ...of, nodes: ['user:h', 'user:n0001'] })
  expect([degrees.get('user:h'), degrees.get('user:n0001')]).toEqual([1104, 1])
  await node.close()
})
