import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOW, sourcesFor, withFolder, writeFiles } from './read-tree.js'

const json = (value: unknown): string => JSON.stringify(value)
const graph = json({ type: 'entity', name: 'a', entityType: 't', observations: ['one'] })

test('stores in known places, and where settings of their programs name them, are found with format and size', async () => {
  await withFolder(async (home) => {
    const elsewhere = join(home, 'elsewhere')
    await writeFiles(home, {
      '.claude/CLAUDE.md': '- Use tabs\n',
      '.claude/projects/-app/memory/MEMORY.md': '- Deploys on Fridays\n',
      '.codeium/windsurf/memories/global_rules.md': '- Name the tests\n',
      '.gemini/tmp/app/memory/MEMORY.md': '- Ann prefers Go\n',
      '.npm/_npx/abc/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl': graph,
      '.config/obsidian/obsidian.json': json({ vaults: { x: { path: join(elsewhere, 'vault') }, y: { path: '../relative' }, z: null } }),
      'elsewhere/vault/.obsidian/app.json': '{}',
      'elsewhere/vault/Ann.md': 'Likes tea.\n',
      '.basic-memory/config.json': json({ projects: { main: join(elsewhere, 'notes'), other: { path: join(elsewhere, 'gone') } } }),
      'elsewhere/notes/a.md': '---\npermalink: a\n---\n- [fact] Bees sleep\n',
      '.mempalace/config.json': 'not JSON',
    })
    const stores = await sourcesFor(home).discover(join(home, 'project'), NOW)
    expect(stores.map(({ format, path }) => [format, path.slice(home.length + 1)])).toEqual([
      ['rules', '.claude/CLAUDE.md'],
      ['rules', '.codeium/windsurf/memories/global_rules.md'],
      ['client-memory', '.claude/projects'],
      ['client-memory', '.gemini/tmp'],
      ['obsidian', 'elsewhere/vault'],
      ['basic-memory', 'elsewhere/notes'],
      ['server-memory', '.npm/_npx/abc/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl'],
    ])
    expect(stores[0]).toMatchObject({ files: 1, bytes: 11, records: { memories: 1 }, isCounted: true })
    expect(stores.at(-1)?.records).toEqual({ entities: 1, memories: 1 })
    expect((await sourcesFor(join(home, 'empty')).discover(join(home, 'project'), NOW)).length).toBe(0)
  })
})
