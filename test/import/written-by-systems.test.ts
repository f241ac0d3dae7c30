import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ImportRecord } from '../../src/ports/importer.js'
import { ofKind, readPath, readText, withFolder, writeFiles } from './read-tree.js'

/** Files that the systems themselves wrote: server-memory 2026.8.31, mem0ai 3.3.1, claude-mem 13.25.3, OpenCode 1.18.33. */
const fixture = (name: string): Buffer => {
  const bytes = readFileSync(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)))
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

const counts = (records: readonly ImportRecord[]): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const { kind } of records) found[kind] = (found[kind] ?? 0) + 1
  return found
}

test.each([
  ['server-memory.jsonl', 'server-memory', { entity: 3, fact: 5, relation: 2 }],
  ['mem0-get-all.json', 'mem0', { fact: 2 }],
  ['vector_store.db.gz', 'mem0', { fact: 3 }],
  ['vector_store_entities.db.gz', 'mem0', { entity: 1 }],
  ['history.db.gz', 'mem0', { fact: 3, skipped: 1 }],
  ['claude-mem.db.gz', 'claude-mem', { fact: 7 }],
  ['opencode.db.gz', 'opencode', { conversation: 1, skipped: 1 }],
  ['opencode-export.json', 'opencode', { conversation: 1 }],
])('%s is recognised as %s and read without loss', async (name, format, expected) => {
  const found = await readText(name.replace(/\.gz$/, ''), fixture(name))
  expect([found.format, counts(found.records)]).toEqual([format, expected])
})

test('mem0: a folder with store and history keeps earlier wordings', async () => {
  await withFolder(async (folder) => {
    await writeFiles(folder, { 'vector_store.db': fixture('vector_store.db.gz'), 'history.db': fixture('history.db.gz') })
    const { records } = await readPath(folder)
    const facts = ofKind(records, 'fact')
    expect(facts.map(({ text, owner, earlier }) => [owner, text, earlier?.map((text) => text.text)])).toEqual(
      expect.arrayContaining([
        ['ann', 'Prefers window seats', ['Prefers aisle seats']],
        ['ann', 'Is allergic to nuts', []],
      ]),
    )
    expect(facts).toHaveLength(3)
  })
})

test('claude-mem: facts keep session, project, files and date; sensitive ones are candidates unless asked for', async () => {
  const { records } = await readText('claude-mem.db', fixture('claude-mem.db.gz'))
  const facts = ofKind(records, 'fact')
  expect(facts[0]).toMatchObject({
    ...{ text: 'Retries are capped at five', project: 'widget', session: 'mem-1', title: 'Gate uses retries' },
    ...{ createdAt: Date.UTC(2026, 4, 1) * 1000, tags: ['decision', 'reliability', 'why-it-exists'] },
    metadata: { files_modified: ['src/gate.ts'] },
  })
  const sensitive = (all: readonly ImportRecord[]) =>
    ofKind(all, 'fact')
      .filter(({ status }) => status === 'candidate')
      .map(({ text }) => text)
  expect(sensitive(records)).toEqual(['The log held a token'])
  const asked = await readText('claude-mem.db', fixture('claude-mem.db.gz'), { sensitive: true })
  expect(sensitive(asked.records)).toEqual([])
})

test('OpenCode: the words of the person and the assistant, from the database and from an exported session', async () => {
  for (const name of ['opencode.db.gz', 'opencode-export.json']) {
    const { records } = await readText(name.replace(/\.gz$/, ''), fixture(name))
    const [session] = ofKind(records, 'conversation')
    expect(session).toMatchObject({ key: 'ses_0000000000000000000000001', title: 'Store', startedAt: Date.UTC(2026, 4, 1) * 1000 })
    expect(session?.turns.map(({ author, text }) => [author, text])).toEqual([
      ['user', 'We decided to use SQLite for the store.'],
      ['assistant', 'Fine, SQLite it is.'],
    ])
  }
})
