import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { undoChange } from '../../src/engine/history/undo.js'
import { exportLines, importLines } from '../../src/engine/transfer/transfer.js'
import { aFile, aSource, commit } from '../contract/samples.js'
import { openWorld, type World } from './world.js'

describe('sources', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  async function* lineByLine(lines: readonly string[]): AsyncGenerator<string> {
    yield* lines
  }

  test('are exported and imported, repeatedly without duplicates', async () => {
    const folder = aSource({ id: 's', owner: 'ann', metadata: { index: 'completed' } })
    const page = aSource({ id: 'p', owner: 'ann', kind: 'web', title: 'A page', origin: 'https://example.org/' })
    const files = [aFile(folder, 'a.ts', ['a0', 'a1']), aFile(folder, 'b.ts', ['b0'])]
    await commit(
      world.backend,
      { op: 'source.put', source: folder, files },
      { op: 'source.put', source: page, files: [aFile(page, 'page', ['p0'])] },
    )
    const lines: string[] = []
    for await (const line of exportLines(world.engine.context(), { owner: 'ann' })) lines.push(line)
    const other = await openWorld()
    const load = () =>
      importLines(other.engine.context(), lineByLine(lines), {
        actor: 'test',
        signal: new AbortController().signal,
        progress: () => undefined,
      })
    expect(await load()).toEqual({ facts: 0, entities: 0, edges: 0, sources: 5, skipped: 0 })
    const read = async ({ backend }: World) => Promise.all(['s', 'p'].map((id) => backend.store.sourceFiles(id, { after: '', limit: 99 })))
    expect(await read(other)).toEqual(await read(world))
    expect(await load()).toEqual({ facts: 0, entities: 0, edges: 0, skipped: 5 })
    expect(await other.backend.maintenance.diagnose()).toEqual([])
    await other.call('memory/reset_all_memory', { confirm: true, user_id: 'ann' })
    expect(await read(other)).toEqual([[], []])
    await other.close()
  })

  test('can be undone unless something was replaced', async () => {
    const source = aSource({ id: 's', owner: 'ann' })
    await commit(world.backend, { op: 'source.put', source })
    await commit(world.backend, { op: 'source.put', source: { ...source, title: 'Renamed', version: 2 } })
    const last = async () => (await world.backend.store.journal({ target: 's', newestFirst: true, limit: 1 }))[0]?.seq ?? 0
    await undoChange(world.engine.context(), 'test', await last())
    expect(await world.backend.store.sources(['s'])).toMatchObject([{ title: 'A project', version: 3 }])
    await commit(world.backend, { op: 'source.put', source: { ...source, version: 4 }, files: [aFile(source, 'a.ts', ['a0'])] })
    expect(await undoChange(world.engine.context(), 'test', await last())).toMatchObject({ undone: 0 })
  })
})
