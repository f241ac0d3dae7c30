import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runJob } from '../../src/engine/jobs/run-job.js'
import { openWorld } from '../graph/world.js'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

let substrate: Substrate
beforeEach(async () => {
  substrate = await openSubstrate()
})
afterEach(() => substrate.close())

const resultsOf = (answer: unknown) =>
  z.object({ results: z.array(z.object({ id: z.string(), score: z.number(), status: z.string().optional() })) }).parse(answer).results

describe('memory, graph and substrate over one store', () => {
  it('provisional knowledge ranks below settled knowledge, and is marked', async () => {
    const settled = await substrate.know({ title: 'Kettle colour', summary: 'The kettle in the kitchen is red.' })
    const inferred = await substrate.know({
      title: 'Kettle colour in the kitchen',
      summary: 'The kettle in the kitchen is green, the green kettle of the kitchen.',
      memory_source: 'agent_inferred',
    })
    const results = resultsOf(
      await substrate.world.call('memory/recall', { query: 'is the kettle in the kitchen green', min_relevance: 0 }),
    )
    expect(results.map(({ id, status }) => [id, status])).toEqual([
      [settled, undefined],
      [inferred, 'candidate'],
    ])
    expect(results[1]?.score).toBeLessThan(results[0]?.score ?? 0)
    expect(await substrate.world.call('graph/get_node', { node_id: inferred })).toMatchObject({
      node: { status: 'active', fact_status: 'candidate' },
    })
    const { results: nodes } = z
      .object({ results: z.array(z.object({ id: z.string() })) })
      .parse(await substrate.world.call('graph/search', { query: 'green kettle kitchen' }))
    expect(nodes.map(({ id }) => id)).toEqual([settled, inferred])
    expect(await substrate.world.call('memory/get_memory', { id: inferred })).toMatchObject({ status: 'candidate' })
    expect(await substrate.world.call('memory/get_memory', { id: settled })).not.toHaveProperty('status')
  })

  it('a contested claim does not replace the settled one it contradicts', async () => {
    const claim = (value: string) => ({ payload: { subject: 'Kettle', predicate: 'colour', value } })
    const settled = await substrate.know({ ...claim('red'), summary: 'The kettle is red.' })
    const contested = await substrate.know({ ...claim('green'), summary: 'The kettle is green.' })
    const results = resultsOf(await substrate.world.call('memory/recall', { query: 'kettle colour' }))
    expect(results).toMatchObject([{ id: settled }, { id: contested, status: 'contested' }])
    expect(results[0]).not.toHaveProperty('superseded_by_newer')
  })

  it('a fact that ends in one contract ends in all', async () => {
    const invalidated = await substrate.know({ title: 'Lamp', summary: 'The lamp works.' })
    const outdated = await substrate.know({ title: 'Door', summary: 'The door is open.' })
    await substrate.world.call('memory/invalidate', { id: invalidated, reason: 'broken' })
    await substrate.world.call('graph/mark_outdated', { fact_id: outdated })
    expect(await substrate.object(invalidated)).toMatchObject({ status: 'superseded' })
    expect(await substrate.object(outdated)).toMatchObject({ status: 'superseded' })
    await substrate.world.call('memory/delete_memory', { id: outdated })
    expect(await substrate.ask('query', 'page', { id: outdated })).toMatchObject({ data: null })
    const stored = z.object({ id: z.string() }).parse(await substrate.world.call('memory/store_memory', { content: 'The chair is new.' }))
    await substrate.ask('remember', 'contest', { knowledge_id: stored.id, reason: 'not verified' })
    expect(await substrate.world.call('memory/get_memory', { id: stored.id })).toMatchObject({ status: 'contested' })
  })

  it('expired facts are hidden here, too', async () => {
    const { node } = z
      .object({ node: z.object({ id: z.string() }) })
      .parse(await substrate.world.call('graph/create_node', { text: 'The offer holds.', ttl_days: 1 }))
    expect(await substrate.object(node.id)).toMatchObject({ status: 'active' })
    substrate.world.clock.advance(2 * 86_400e6)
    expect(await substrate.ask('query', 'page', { id: node.id })).toMatchObject({ data: null })
  })

  it('the deduplicate job leaves governed facts alone', async () => {
    const ids = [
      await substrate.know({ title: 'One', summary: 'Tea is at four.' }),
      await substrate.know({ title: 'Two', summary: 'Tea is at four.' }),
    ]
    const plain = await Promise.all(
      ['Coffee is at ten.', 'Coffee is at ten.'].map((content) => substrate.world.call('memory/store_memory', { content })),
    )
    expect(plain).toHaveLength(2)
    for (let run = 0; run < 2; run++)
      await runJob(substrate.world.engine.context(), {
        kind: 'deduplicate',
        owner: 'default',
        holder: 'test',
        leaseSeconds: 60,
        signal: new AbortController().signal,
      })
    const statuses = (await substrate.world.backend.store.listFacts({ limit: 10, offset: 0 })).map(({ id, status }) => [id, status])
    for (const id of ids) expect(statuses).toContainEqual([id, 'active'])
    expect(statuses.filter(([, status]) => status === 'superseded')).toHaveLength(1)
  })

  it('a folder is one source, whichever tool came first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-one-source-'))
    try {
      writeFileSync(join(folder, 'main.py'), 'def boil_kettle():\n    return "hot"\n')
      await substrate.world.call('memory/index_project', { path: folder })
      await substrate.ask('ingest', 'repo', { path: folder })
      const { projects } = z.object({ projects: z.array(z.unknown()) }).parse(await substrate.world.call('memory/list_projects', {}))
      expect(projects).toHaveLength(1)
      const { data } = await substrate.ask('query', 'search', { query: 'boil_kettle' }, { filters: { object_type: 'source' } })
      expect(data).toMatchObject({ items: [{ object_type: 'source', kind: 'repo' }] })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("another owner's objects are neither found nor changed nor counted", async () => {
    const id = await substrate.know({ title: 'Secret plan', summary: 'The plan is secret.' })
    const other = await openWorld({ owner: 'bob' }, { directory: substrate.world.directory, clock: substrate.world.clock })
    try {
      const ask = (tool: string, mode: string, input: Readonly<Record<string, unknown>> = {}) =>
        other.call(`substrate/memory_${tool}`, { args: { mode, input_data: input } })
      expect(await ask('query', 'page', { id })).toMatchObject({ data: null })
      expect(await ask('query', 'search', { query: 'secret plan' })).toMatchObject({ data: { items: [] } })
      expect(await ask('query', 'recent')).toMatchObject({ data: { items: [] } })
      await expect(ask('remember', 'promote', { knowledge_id: id })).rejects.toThrow(`Knowledge not found: ${id}`)
      expect(await ask('maintain', 'audit')).toMatchObject({ data: { events: [] } })
      expect(await ask('maintain', 'report')).toMatchObject({ data: { graph: { canonical_counts: { objects: 0 } } } })
      const claim = { ...KNOWLEDGE, payload: { subject: 'a', predicate: 'b', value: 1 } }
      await substrate.know(claim)
      expect(await ask('remember', 'knowledge', claim)).toMatchObject({ status: 'active' })
    } finally {
      await other.close()
    }
  })
})
