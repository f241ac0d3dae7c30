import { describe, expect, test } from 'vitest'
import { commit, putEdge, putEntity } from '../contract/samples.js'
import { freshDatabase, openAt, SERVER } from './server.js'

const clock = { now: () => Date.now() * 1000 }

describe.skipIf(SERVER === undefined)('neighbour lists', () => {
  test('are cached, reloaded only after an edge of the owner changed, and evicted with the rest', async () => {
    const url = await freshDatabase()
    const trips: (readonly string[])[] = []
    const node = await openAt(url, clock, {
      observe: (statements) => void trips.push(statements),
      searchLimits: { bytes: 2 ** 20, idleMs: 1e6 },
    })
    const other = await openAt(url, clock)
    const people = ['ann', 'bob', 'cem', 'dan']
    await commit(other, ...people.map((name) => putEntity({ id: name, name })), putEdge({ id: 'e1', from: 'ann', to: 'bob' }))
    const around = async (...nodes: readonly string[]) => {
      trips.length = 0
      const found = await node.graph.neighbours('ann', nodes, 100)
      const edges = trips.flat().filter((statement) => statement.includes('entity_edges')).length
      return {
        found: Object.fromEntries(nodes.map((node) => [node, (found.get(node) ?? []).map(({ id }) => id)])),
        edges,
        trips: trips.length,
      }
    }
    expect(await around('ann', 'bob')).toEqual({ found: { ann: ['bob'], bob: ['ann'] }, edges: 1, trips: 1 })
    expect(node.memoryBytes()).toBeGreaterThan(0)
    expect(await around('ann', 'bob')).toEqual({ found: { ann: ['bob'], bob: ['ann'] }, edges: 0, trips: 1 })
    // Missing lists arrive in the same round trip.
    expect(await around('bob', 'cem')).toEqual({ found: { bob: ['ann'], cem: [] }, edges: 1, trips: 1 })
    // Edges of another owner change nothing.
    await commit(
      other,
      putEntity({ id: 'x', name: 'x', owner: 'zoe' }),
      putEntity({ id: 'y', name: 'y', owner: 'zoe' }),
      putEdge({ id: 'ez', from: 'x', to: 'y', owner: 'zoe' }),
    )
    expect((await around('ann', 'bob', 'cem')).edges).toBe(0)
    await commit(other, putEdge({ id: 'e2', from: 'ann', to: 'cem' }))
    expect((await around('ann', 'cem')).found).toEqual({ ann: ['bob', 'cem'], cem: ['ann'] })
    await commit(other, { op: 'edge.delete', id: 'e1', owner: 'ann' })
    expect((await around('ann', 'bob')).found).toEqual({ ann: ['cem'], bob: [] })
    await commit(other, { op: 'reset', owner: 'ann' })
    expect((await around('ann', 'cem')).found).toEqual({ ann: [], cem: [] })
    for (const backend of [node, other]) await backend.close()
  })

  test('are the same for concurrent queries during writes', async () => {
    const url = await freshDatabase()
    const [node, writer] = [await openAt(url, clock), await openAt(url, clock)]
    const names = Array.from({ length: 12 }, (_, n) => `n${n}`)
    await commit(writer, ...names.map((name) => putEntity({ id: name, name })))
    for (let nth = 0; nth < 40; nth++) {
      const [from = '', to = ''] = [names[nth % 12], names[(nth * 5 + 1) % 12]]
      const asking = [node.graph.neighbours('ann', names, 500), node.graph.neighbours('ann', names.slice(3, 9), 500)]
      await commit(writer, putEdge({ id: `e${nth}`, from, to }))
      const [found, known] = await Promise.all([node.graph.neighbours('ann', names, 500), writer.graph.neighbours('ann', names, 500)])
      expect(found).toEqual(known)
      expect(found.get(from)?.map(({ id }) => id)).toContain(to)
      await Promise.all(asking)
    }
    for (const backend of [node, writer]) await backend.close()
  }, 60_000)
})
