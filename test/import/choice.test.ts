import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importMemory } from '../../src/contracts/admin/import.js'
import type { Call, Pipe } from '../../src/contracts/operation.js'
import { openWorld, type World } from '../graph/world.js'
import { NOW, sourcesFor, withFolder, writeFiles } from './read-tree.js'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

/** `mneme import` without a path at a terminal where a person types an answer. */
async function importAt(home: string, answer: string | undefined): Promise<{ readonly asked: string; readonly answered: unknown }> {
  let asked = ''
  const context = world.engine.context()
  const pipe: Pipe = {
    write: async () => undefined,
    lines: async function* () {},
    ask: async (question) => {
      asked = question
      return answer
    },
  }
  const imports = { ...context.imports, discover: () => sourcesFor(home).discover(join(home, 'project'), NOW) }
  const call: Call = { context: { ...context, imports }, actor: 'cli', connection: 'test', progress: () => undefined, pipe }
  return { answered: await importMemory.call(call, {}), asked }
}

const HOME = {
  '.claude/CLAUDE.md': '- Use tabs\n- Name the tests\n',
  '.gemini/GEMINI.md': '- Answer in German\n',
}

test('stores are listed with their counts, and the chosen ones are imported', async () => {
  await withFolder(async (folder) => {
    const home = await writeFiles(folder, HOME)
    const { asked, answered } = await importAt(home, '2')
    expect(asked).toMatch(/1\. .*CLAUDE\.md: 2 memories, 1 file, 1 kB\n2\. .*GEMINI\.md: 1 memory, 1 file, 1 kB\nImport which\?/)
    expect(answered).toMatchObject({ facts: 1, run: expect.stringContaining('import:rules:') })
    expect((await importAt(home, 'all')).answered).toMatchObject({ facts: 2, skipped: 1 })
  })
})

test('nothing is imported without an answer or a terminal, and another number is refused', async () => {
  await withFolder(async (folder) => {
    const home = await writeFiles(folder, HOME)
    expect((await importAt(home, ' ')).answered).toMatchObject({ facts: 0, skipped: 0 })
    expect((await importAt(home, undefined)).answered).toMatchObject({ facts: 0, stores: [{ records: { memories: 2 } }, { files: 1 }] })
    await expect(importAt(home, '3')).rejects.toMatchObject({ code: 'invalid_input', hint: 'Type numbers from 1 to 2, or all.' })
  })
})

test('a store is counted up to a limit', async () => {
  await withFolder(async (folder) => {
    const graph = Array.from({ length: 20_500 }, (_, n) =>
      JSON.stringify({ type: 'entity', name: `e${n}`, entityType: 't', observations: [] }),
    )
    await writeFiles(folder, { '.npm/_npx/x/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl': graph.join('\n') })
    const sources = sourcesFor(folder)
    const [store] = await sources.discover(join(folder, 'project'), NOW)
    expect(store).toMatchObject({ isCounted: false, records: { entities: 20_000 } })
  })
})
