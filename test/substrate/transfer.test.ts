import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { exportLines, importLines } from '../../src/engine/transfer/transfer.js'
import { openSubstrate, type Substrate } from './bench.js'

let from: Substrate
let to: Substrate
beforeEach(async () => {
  from = await openSubstrate()
  to = await openSubstrate()
})
afterEach(async () => {
  await from.close()
  await to.close()
})

async function linesOf(substrate: Substrate): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exportLines(substrate.world.engine.context(), {})) lines.push(line)
  return lines
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

it('import restores an export, with sources, evidence, claims and relations', async () => {
  const messages = [{ role: 'user', content: 'Project X uses Kuzu.' }]
  const { source_id } = z.object({ source_id: z.string() }).parse(await from.ask('ingest', 'conversation', { title: 'Talk', messages }))
  const { data } = await from.ask('query', 'page', { id: source_id }, { include_segments: true })
  const [segment] = z.object({ object: z.object({ segments: z.array(z.object({ segment_id: z.string() })) }) }).parse(data).object.segments
  const claim = { subject: 'node:x', predicate: 'uses', object: 'node:kuzu' }
  const id = await from.know({ evidence_refs: [{ source_id, segment_id: segment?.segment_id }], payload: claim, subject_refs: ['node:x'] })
  const contested = await from.know({ payload: { ...claim, object: 'node:other' } })
  await from.ask('remember', 'promote', { knowledge_id: contested })
  const lines = await linesOf(from)
  to.world.clock.set(from.world.clock.peek() + 1e6)
  await importLines(to.world.engine.context(), each(lines), {
    actor: 'test',
    signal: new AbortController().signal,
    progress: () => undefined,
  })
  for (const value of [id, contested, source_id]) expect(await to.object(value)).toEqual(await from.object(value))
  for (const value of [id, contested, source_id])
    expect(await to.ask('query', 'graph', { id: value })).toEqual(await from.ask('query', 'graph', { id: value }))
  expect(await to.refusal('remember', 'knowledge', { ...(await claimAgain(from, id)) })).toBe(`duplicate knowledge exists: ${id}`)
  expect(await comparable(to)).toEqual(await comparable(from))
})

/** Input that repeats a stored claim. */
async function claimAgain(substrate: Substrate, id: string) {
  const { kind, title, summary, reason, memory_source, scope_refs, payload } = await substrate.object(id)
  const { subject, predicate, object } = z.record(z.string(), z.unknown()).parse(payload)
  return { kind, title, summary, reason, memory_source, scope_refs, payload: { subject, predicate, object } }
}

/** The number of writes of a source differs: its files come in commits of their own. */
async function comparable(substrate: Substrate): Promise<readonly string[]> {
  const lines = await linesOf(substrate)
  return lines.map((line) => (line.startsWith('{"source"') ? line.replace(/"version":\d+/u, '') : line)).sort()
}
