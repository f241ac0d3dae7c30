import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { commit, putFact } from '../contract/samples.js'
import { bundleWriter, startWriter } from '../sqlite/start-writer.js'
import { type Cut, cuttingProxy } from './cutting-proxy.js'
import { freshDatabase, openAt, query, SERVER } from './server.js'

/** MNEME_TEST_FULL runs the required size; otherwise a small one. */
const FULL = process.env.MNEME_TEST_FULL === '1'
const CUTS = FULL ? 500 : 60
const KILLS = FULL ? { everyMs: 5000, forMs: 60_000 } : { everyMs: 700, forMs: 3500 }
const clock = { now: () => Date.now() * 1000 }

/** Journal entries of each fact, and whether it exists. */
async function stored(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await query(
    url,
    `SELECT j.target AS id, count(*) AS n FROM journal j JOIN facts f ON f.owner = j.owner AND f.id = j.target WHERE j.op = 'fact.put' GROUP BY j.target`,
  )
  return new Map(rows.map((row) => [String(row.id), Number(row.n)]))
}

describe.skipIf(SERVER === undefined)('an acknowledged commit exists once', () => {
  test('if connections are cut during COMMIT, before and after the server received it', async () => {
    const direct = await freshDatabase()
    const outcomes: Cut[] = []
    const proxy = await cuttingProxy(direct, () => {
      // Every other commit is cut: the retry must succeed.
      const what: Cut = outcomes.length % 2 === 0 ? (outcomes.length % 4 === 0 ? 'after' : 'before') : 'no'
      outcomes.push(what)
      return what
    })
    await (await openAt(direct, clock)).close()
    const backend = await openAt(proxy.url, clock, { connections: 4 })
    const acknowledged: string[] = []
    const write = async (writer: number): Promise<void> => {
      for (let nth = 0; proxy.cuts() < CUTS; nth++) {
        const id = `w${writer}-${nth}`
        await commit(backend, putFact({ id, owner: `owner-${writer % 3}`, text: `Otter ${id}` }))
        acknowledged.push(id)
      }
    }
    await Promise.all([0, 1, 2, 3].map(write))
    await backend.close()
    await proxy.close()
    const found = await stored(direct)
    expect(acknowledged.filter((id) => found.get(id) !== 1)).toEqual([])
    expect([...found].filter(([, n]) => n !== 1)).toEqual([])
    expect(found.size).toBe(acknowledged.length)
    expect(proxy.cuts()).toBeGreaterThanOrEqual(CUTS)
  }, 300_000)

  test('if concurrently writing nodes are killed', async () => {
    const url = await freshDatabase()
    await (await openAt(url, clock)).close()
    const folder = mkdtempSync(join(tmpdir(), 'mneme-nodes-'))
    const program = await bundleWriter(folder, 'test/postgres/node.ts')
    const acknowledged: string[] = []
    let started = 0
    const startNode = () => startWriter(program, url, `n${started++}`, FULL ? '21' : '5', '4')
    const nodes = [startNode(), startNode(), startNode()]
    for (const node of nodes) await node.said(1)
    const endAt = performance.now() + KILLS.forMs
    while (performance.now() < endAt) {
      await delay(KILLS.everyMs)
      const victim = nodes.shift()
      victim?.process.kill('SIGKILL')
      await victim?.ended
      acknowledged.push(...(victim?.lines.slice(1) ?? []))
      nodes.push(startNode())
    }
    for (const node of nodes) {
      node.process.kill('SIGKILL')
      await node.ended
      acknowledged.push(...node.lines.slice(1))
    }
    rmSync(folder, { recursive: true, force: true })
    const found = await stored(url)
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(acknowledged.filter((id) => found.get(id) !== 1)).toEqual([])
    expect([...found].filter(([, n]) => n !== 1)).toEqual([])
    const backend = await openAt(url, clock)
    expect(await backend.maintenance.diagnose()).toEqual([])
    await backend.close()
  }, 300_000)
})
