import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createPageFolder } from '../../src/backends/pages/page-folder.js'
import { loadConfig } from '../../src/config.js'
import { pageName } from '../../src/core/projection/page.js'
import { remember } from '../../src/engine/facts/remember.js'
import { forget, revise } from '../../src/engine/facts/revise.js'
import { eraseMemory } from '../../src/engine/maintenance/erase-all.js'
import { ingestConversation } from '../../src/engine/substrate/evidence/ingest.js'
import { createProjections } from '../../src/engine/substrate/projections/projections.js'
import { EVENTUALLY } from '../eventually.js'
import { type Opened, openBoth } from '../opened.js'
import { CALL, removeTemporaryFolders, temporaryFolder } from './workbench.js'

let open: Opened[] = []
afterEach(async () => {
  for (const opened of open) await opened.engine.close()
  open = []
})
afterAll(removeTemporaryFolders)

async function start(dataDir: string, profile = 'substrate'): Promise<Opened> {
  const world = await openBoth(loadConfig({ flags: { dataDir, embedder: 'hash', profile } }).config)
  open.push(world)
  return world
}

const pages = (dataDir: string, folder: string): readonly string[] => {
  const path = join(dataDir, 'projections', folder)
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.md'))
        .sort()
    : []
}

const caller = { actor: 'test', connection: 'test' }

describe('pages of objects', () => {
  it('show objects with links, and follow every change', async () => {
    const dataDir = temporaryFolder('pages')
    const world = await start(dataDir)
    const statement = { title: 'Talk: about "lamps"', messages: [{ role: 'user', content: 'Lamps are lit at dusk.' }] }
    const { source, nodeId, activityId, patch } = await ingestConversation(world.engine.context(), CALL, statement)
    expect(patch.projections).toBe(3)
    const page = (folder: string, id: string) => readFileSync(join(dataDir, 'projections', folder, `${pageName(id)}.md`), 'utf8')
    expect(page('sources', source.id)).toContain(`id: "${source.id}"`)
    expect(page('sources', source.id)).toContain('aliases: ["Talk: about \\"lamps\\""]')
    expect(page('sources', source.id)).toContain(`- node: [[${pageName(nodeId)}]]`)
    expect(page('nodes', nodeId)).toContain(`- source: [[${pageName(source.id)}]]`)
    expect(page('activities', activityId)).toContain(`- source_refs: [[${pageName(source.id)}]]`)
    const [fact] = await remember(world.engine.context(), caller, [{ text: 'The keeper sleeps by day.' }])
    await vi.waitFor(() => expect(page('knowledge', fact?.id ?? '')).toContain('The keeper sleeps by day.'), EVENTUALLY)
    await revise(world.engine.context(), 'test', {
      id: fact?.id ?? '',
      owner: 'default',
      change: (old) => ({ ...old, text: 'The keeper reads by day.' }),
    })
    await vi.waitFor(() => expect(page('knowledge', fact?.id ?? '')).toContain('reads by day'), EVENTUALLY)
    await forget(world.engine.context(), 'test', { id: fact?.id ?? '', owner: 'default', reason: 'x' })
    expect(pages(dataDir, 'knowledge')).toEqual([])
  })

  it('are written only for what a commit touched', async () => {
    const dataDir = temporaryFolder('pages')
    const world = await start(dataDir)
    await remember(
      world.engine.context(),
      caller,
      Array.from({ length: 50 }, (_, i) => ({ text: `Fact number ${i}.` })),
    )
    await world.environment.projections.follow('default')
    await vi.waitFor(() => expect(pages(dataDir, 'knowledge')).toHaveLength(50), EVENTUALLY)
    const folder = createPageFolder(join(dataDir, 'projections'), 'default')
    const written: string[] = []
    const counting = createProjections({
      store: world.backend.store,
      log: { warn: () => undefined },
      folder: {
        ...folder,
        write: async (owner, page, text) => {
          written.push(page.id)
          await folder.write(owner, page, text)
        },
      },
    })
    const [fact] = await world.backend.store.listFacts({ owner: 'default', limit: 1, offset: 0 })
    if (fact === undefined) throw new Error('no fact')
    await world.backend.store.commit({ actor: 'test', owners: ['default'] }, () => [
      { op: 'fact.put', fact: { ...fact, text: 'Changed.', version: fact.version + 1 } },
    ])
    await counting.follow('default')
    expect(written).toEqual([fact.id])
    await counting.close()
  })

  it('are caught up after a crash, created for existing objects, and rebuilt when deleted', async () => {
    const dataDir = temporaryFolder('pages')
    const before = await start(dataDir, 'memory')
    await remember(before.engine.context(), caller, [{ text: 'From before there were pages.' }])
    await before.engine.close()
    expect(existsSync(join(dataDir, 'projections'))).toBe(false)
    const world = await start(dataDir)
    await world.environment.projections.follow('default')
    await vi.waitFor(() => expect(pages(dataDir, 'knowledge')).toHaveLength(1), EVENTUALLY)
    // Committed, but the process ended before the page was written.
    const [fact] = await world.backend.store.listFacts({ owner: 'default', limit: 1, offset: 0 })
    if (fact === undefined) throw new Error('no fact')
    await world.backend.store.commit({ actor: 'test', owners: ['default'] }, () => [
      { op: 'fact.put', fact: { ...fact, text: 'Written in the last moment.', version: fact.version + 1 } },
    ])
    await world.engine.close()
    open = []
    const again = await start(dataDir, 'memory')
    await again.environment.projections.follow('default')
    expect(readFileSync(join(dataDir, 'projections', 'knowledge', `${pageName(fact.id)}.md`), 'utf8')).toContain('in the last moment')
    expect(await again.environment.projections.diagnose('default')).toEqual({ missing: [], stale: [], behind: 0 })
    writeFileSync(join(dataDir, 'projections', 'knowledge', `${pageName(fact.id)}.md`), 'edited')
    expect(await again.environment.projections.diagnose('default')).toMatchObject({ stale: [fact.id] })
    writeFileSync(join(dataDir, 'projections', 'knowledge', 'unknown.md'), 'of nothing')
    expect(await again.environment.projections.rebuild('default')).toBe(1)
    expect(await again.environment.projections.diagnose('default')).toEqual({ missing: [], stale: [], behind: 0 })
    expect(pages(dataDir, 'knowledge')).toEqual([`${pageName(fact.id)}.md`])
    rmSync(join(dataDir, 'projections'), { recursive: true })
    await again.environment.projections.follow('default')
    await vi.waitFor(() => expect(pages(dataDir, 'knowledge')).toHaveLength(1), EVENTUALLY)
  })

  it('of several processes end up consistent', async () => {
    const dataDir = temporaryFolder('pages')
    const [opened, two] = [await start(dataDir), await start(dataDir)]
    const [fact] = await remember(opened.engine.context(), caller, [{ text: 'Start.' }])
    const id = fact?.id ?? ''
    for (let i = 0; i < 20; i++) {
      const { engine } = i % 2 === 0 ? opened : two
      await revise(engine.context(), 'test', { id, owner: 'default', change: (old) => ({ ...old, text: `Turn ${i}.` }) })
      if (i % 3 === 0) void revise(engine.context(), 'test', { id, owner: 'default', change: (old) => ({ ...old, importance: i / 10 }) })
    }
    await Promise.all([opened.environment.projections.follow('default'), two.environment.projections.follow('default')])
    expect(await opened.environment.projections.diagnose('default')).toMatchObject({ missing: [], stale: [] })
  })

  it('of other owners are separate, and are deleted by a reset', async () => {
    const dataDir = temporaryFolder('pages')
    const world = await start(dataDir)
    await remember(world.engine.context(), caller, [{ text: 'Mine.' }, { text: 'Of Bob.', owner: 'bob' }])
    await world.environment.projections.follow('default')
    await world.environment.projections.follow('bob')
    const owners = readdirSync(join(dataDir, 'projections', 'owners'))
    expect(owners).toEqual([expect.stringMatching(/^bob-/)])
    expect(pages(dataDir, join('owners', owners[0] ?? '', 'knowledge'))).toHaveLength(1)
    await eraseMemory(world.engine.context(), 'test', { owner: 'bob', reason: 'x' })
    expect(pages(dataDir, join('owners', owners[0] ?? '', 'knowledge'))).toHaveLength(0)
    expect(pages(dataDir, 'knowledge')).toHaveLength(1)
    await eraseMemory(world.engine.context(), 'test', { owner: null, reason: 'x' })
    expect(pages(dataDir, 'knowledge')).toHaveLength(0)
  })
})
