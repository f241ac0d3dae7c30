import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { exportLines } from '../../src/engine/transfer/transfer.js'
import { openWorld, type World } from '../graph/world.js'
import { DOCUMENTED_CONVERSATIONS } from './documented-conversations.js'
import { DOCUMENTED_NOTES } from './documented-notes.js'
import { DOCUMENTED_STORES } from './documented-stores.js'
import { readPath, withFolder } from './read-tree.js'

const report = z.looseObject({ run: z.string(), bad: z.number().default(0) })

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

async function exported(): Promise<string> {
  const all: string[] = []
  for await (const line of exportLines(world.engine.context(), {})) all.push(line)
  return all.join('\n')
}

test.each([...DOCUMENTED_NOTES, ...DOCUMENTED_STORES, ...DOCUMENTED_CONVERSATIONS])(
  '$format, $name: recognised, stored once, undone without a trace',
  async ({ format, write, stored, spot, entity }) => {
    await world.call('memory/store_memory', { content: 'The lamp is green.' })
    await withFolder(async (folder) => {
      const path = await write(folder)
      const before = await exported()
      expect((await readPath(path)).format).toBe(format)
      const preview = await world.call('admin/import', { paths: [path], dry_run: true })
      expect(preview).toMatchObject(stored)
      expect(await exported()).toBe(before)
      const first = await world.call('admin/import', { paths: [path] })
      expect(first).toMatchObject({ entities: 0, edges: 0, ...stored, skipped: 0 })
      expect(report.parse(first).bad).toBe(0)
      const after = await exported()
      const { facts } = await storeCounts()
      expect(facts).toBe(stored.facts + 1)
      const found = (await world.environment.store.pageFacts({ limit: 100 })).items.find(({ text }) => text === spot.text)
      expect(found).toMatchObject(spot)
      const entities = (await world.environment.store.pageEntities({ limit: 100 })).items
      if (entity !== undefined) expect(entities.find(({ name }) => name === entity.name)).toMatchObject(entity)
      expect(await world.call('admin/import', { paths: [path] })).toMatchObject({ facts: 0, entities: 0, edges: 0 })
      expect(await exported()).toBe(after)
      await world.call('admin/undo', { what: report.parse(first).run })
      expect(await exported()).toBe(before)
    })
  },
)

const storeCounts = () => world.environment.store.counts(undefined)
