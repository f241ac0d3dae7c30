import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { substrate } from '../../src/contracts/substrate/contract.js'
import { undoChange } from '../../src/engine/history/undo.js'
import { diagnose } from '../../src/engine/maintenance/diagnose.js'
import { ingestConversation, ingestFile } from '../../src/engine/substrate/evidence/ingest.js'
import { exportLines, importLines } from '../../src/engine/transfer/transfer.js'
import { EVENTUALLY } from '../eventually.js'
import type { Opened } from '../opened.js'
import { allSegments, CALL, head, makeProject, openEvidence, removeTemporaryFolders, temporaryFolder } from './workbench.js'

let open: Opened[] = []
afterEach(async () => {
  for (const opened of open) await opened.engine.close()
  open = []
})
afterAll(removeTemporaryFolders)

async function start(): Promise<Opened> {
  const world = await openEvidence({ profile: 'substrate' })
  open.push(world)
  return world
}

async function call({ engine }: Opened, tool: string, mode: string, input_data: unknown): Promise<Record<string, unknown>> {
  const operation = substrate.operations.find(({ name }) => name === tool)
  const caller = {
    context: engine.context(),
    actor: 'test',
    connection: 'test',

    progress: () => undefined,
  }
  return { ...(await operation?.call(caller, { args: { mode, input_data } })) }
}

async function exported({ engine }: Opened): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exportLines(engine.context(), {})) lines.push(line)
  return lines
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

/** Versions count local changes; everything else is equal. */
const withoutVersions = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replaceAll(/"version":\d+/g, '"version":0')).sort()

it('import restores an export, with sources, segments and citations', async () => {
  const [opened, two] = [await start(), await start()]
  const path = makeProject('farm', { 'README.md': '# Farm\n\nText.\n\n## More\n\nText.\n', 'src/a.ts': 'export const a = 1\n' })
  const repo = await call(opened, 'memory_ingest', 'repo', { path })
  const talk = await ingestConversation(opened.engine.context(), CALL, {
    title: 'T',
    messages: [{ role: 'user', content: 'Lamps are lit.' }],
  })
  const cited = (source_id: unknown, segment_id: string) => ({
    kind: 'fact',
    title: `Cites ${segment_id}`,
    summary: 'x',
    reason: 'test',
    memory_source: 'user_declared',
    scope_refs: ['s'],
    evidence_refs: [{ source_id, segment_id }],
  })
  const first = await call(opened, 'memory_remember', 'knowledge', cited(repo.source_id, 'doc-readme-md-5-more'))
  await call(opened, 'memory_remember', 'knowledge', cited(talk.source.id, '1-user'))
  const lines = await exported(opened)
  await importLines(two.engine.context(), linesOf(lines), { actor: 'test', signal: CALL.signal, progress: () => undefined })
  expect(withoutVersions(await exported(two))).toEqual(withoutVersions(lines))
  for (const id of [String(repo.source_id), talk.source.id]) expect(await allSegments(two, id)).toEqual(await allSegments(opened, id))
  const page = await call(two, 'memory_query', 'page', { id: first.object_id })
  expect(JSON.stringify(page)).toContain('"state":"current"')
  // Nothing is imported twice, and captured sources need not be captured again.
  const before = await head(two)
  expect(
    await importLines(two.engine.context(), linesOf(lines), { actor: 'test', signal: CALL.signal, progress: () => undefined }),
  ).toMatchObject({ facts: 0 })
  expect(await head(two)).toBe(before)
  expect(
    await ingestConversation(two.engine.context(), CALL, { title: 'T', messages: [{ role: 'user', content: 'Lamps are lit.' }] }),
  ).toMatchObject({ status: 'noop' })
})

it('an ingest can be undone, and doctor reports outdated pages', async () => {
  const world = await start()
  const path = join(temporaryFolder('undo'), 'a.md')
  writeFileSync(path, '# Unmistakable words\n')
  const captured = await ingestFile(world.engine.context(), CALL, { path, mode: 'markdown' })
  expect((await diagnose(world.engine.context(), CALL.signal)).findings.filter(({ what }) => what.includes('pages'))).toEqual([])
  const page = join(world.environment.location, '..', 'projections', 'sources', `${captured.source.id.replace(':', '-')}.md`)
  // Pages that are still being written replace the edit.
  await expect
    .poll(async () => {
      writeFileSync(page, 'edited')
      return (await diagnose(world.engine.context(), CALL.signal)).findings
    }, EVENTUALLY)
    .toContainEqual(expect.objectContaining({ what: expect.stringContaining('pages of 1 objects') }))
  const [entry] = await world.backend.store.journal({ owner: 'default', target: captured.source.id, limit: 1 })
  await undoChange(world.engine.context(), 'test', entry?.seq ?? 0, 'default')
  expect(await world.backend.store.sources([captured.source.id])).toEqual([])
  expect(await allSegments(world, captured.source.id)).toEqual([])
})
