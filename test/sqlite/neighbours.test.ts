import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createResidentNeighbours } from '../../src/backends/memory-index/neighbours.js'
import { createShardCache } from '../../src/backends/memory-index/shard-cache.js'
import type { Connection, Plan, Query, Row } from '../../src/backends/sql/plan/plan.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Change } from '../../src/core/journal/change.js'
import type { Backend } from '../../src/ports/backend.js'
import { anEdge, anEntity, handClock, NOON } from '../contract/samples.js'

const NODES = 6
const named = (i: number): string => `e${i}`
const edge = (from: number, to: number, id = `${from}-${to}`): Change => ({
  op: 'edge.put',
  edge: anEdge({ id, from: named(from), fromKind: 'entity', to: named(to), toKind: 'entity', owner: 'ann', createdAt: NOON }),
})

describe('cached neighbours', () => {
  let folder = ''
  let both: readonly Backend[] = []
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mneme-neighbours-'))
    const open = () => openSqlite({ directory: folder, clock: handClock(), busyTimeoutMs: 1000 })
    both = [await open(), await open()]
    const [backend] = both
    const nodes = Array.from(
      { length: NODES },
      (_, i): Change => ({
        op: 'entity.put',
        entity: anEntity({ id: named(i), owner: 'ann', name: `Thing ${'abcdef'[i]}` }),
      }),
    )
    await backend?.store.commit({ actor: 'test', owners: ['ann'] }, () => nodes)
  })
  afterEach(async () => {
    for (const backend of both) await backend.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('follow every write of two processes', async () => {
    const place = fc.nat({ max: NODES - 1 })
    const write = fc.record({
      by: fc.nat({ max: 1 }),
      from: place,
      to: place,
      gone: fc.boolean(),
      asked: fc.array(place, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 25 }), async (writes) => {
        const there = new Map<string, readonly [string, string]>()
        for (const { by: amount, from, to, gone, asked: requested } of writes) {
          const id = `${from}-${to}`
          if (gone !== there.has(id)) continue
          await both[amount]?.store.commit({ actor: 'test', owners: ['ann'] }, () => [
            gone ? { op: 'edge.delete', id, owner: 'ann', expected: undefined } : edge(from, to),
          ])
          if (gone) there.delete(id)
          else there.set(id, [named(from), named(to)])
          for (const backend of both) {
            const found = await backend.graph.neighbours('ann', requested.map(named), 100)
            for (const node of requested.map(named)) {
              const expected = [...there.values()].flatMap(([value, other]) => [
                ...(value === node ? [other] : []),
                ...(other === node ? [value] : []),
              ])
              expect((found.get(node) ?? []).map((neighbour) => neighbour.id).sort()).toEqual(expected.sort())
            }
          }
        }
        await both[0]?.store.commit({ actor: 'test', owners: ['ann'] }, () =>
          [...there.keys()].map((id) => ({ op: 'edge.delete', id, owner: 'ann', expected: undefined })),
        )
      }),
      { numRuns: 15 },
    )
  })

  it('do not treat a truncated list of a hub as complete', async () => {
    const [backend] = both
    await backend?.store.commit({ actor: 'test', owners: ['ann'] }, () => [1, 2, 3, 4, 5].map((to) => edge(0, to)))
    expect((await backend?.graph.neighbours('ann', ['e0'], 2))?.get('e0')).toHaveLength(2)
    expect((await backend?.graph.neighbours('ann', ['e0'], 100))?.get('e0')).toHaveLength(5)
  })
})

/** A ring of nodes as results of a database that counts queries. */
function ring(size: number) {
  const requested: string[] = []
  let foreign = 0
  const answer = ({ values }: Query): readonly Row[] => {
    const nodes = [...new Set(values.slice(0, (values.length - 3) / 2).map(String))]
    requested.push(...nodes)
    return nodes.map((near) => {
      const i = Number(near.slice(1))
      return { near, fars: JSON.stringify([`0n${(i + 1) % size}`, `0n${(i + size - 1) % size}`]) }
    })
  }
  const step = <T>(plan: Plan<T>): T => {
    let next = plan.next()
    while (!next.done) next = plan.next(next.value.map(answer))
    return next.value
  }
  const connection: Connection = { read: async (plan) => step(plan()), write: async (plan) => step(plan()) }
  const neighbours = createResidentNeighbours(connection, createShardCache(), { foreignMark: () => foreign, watch: () => undefined })
  return { asked: requested, neighbours, writeElsewhere: () => foreign++ }
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
const nodesOf = (from: number, to: number): readonly string[] => Array.from({ length: to - from }, (_, i) => `n${from + i}`)

describe('read-ahead of neighbours', () => {
  it('requests every node once, after enough misses', async () => {
    const { asked: requested, neighbours } = ring(2000)
    await neighbours.of('ann', nodesOf(0, 100), 1000)
    await turns(50)
    expect(requested).toHaveLength(100)
    await neighbours.of('ann', nodesOf(100, 600), 1000)
    while (requested.length < 2000) await turns(1)
    await turns(50)
    expect(requested).toHaveLength(2000)
    expect(new Set(requested).size).toBe(2000)
    expect((await neighbours.of('ann', ['n1500'], 1000)).get('n1500')?.map((neighbour) => neighbour.id)).toEqual(['n1501', 'n1499'])
    expect(requested).toHaveLength(2000)
  })

  it('stops when another process writes, and restarts later', async () => {
    const { asked: requested, neighbours, writeElsewhere } = ring(100_000)
    await neighbours.of('ann', nodesOf(0, 600), 1000)
    await turns(5)
    writeElsewhere()
    await turns(5)
    const before = requested.length
    await neighbours.of('ann', nodesOf(0, 600), 1000)
    await turns(20)
    expect(requested).toHaveLength(before + 600)
    await neighbours.of('ann', nodesOf(600, 1200), 1000)
    while (requested.length <= before + 1200) await turns(1)
  })
})
