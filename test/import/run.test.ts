import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exportLines } from '../../src/engine/transfer/transfer.js'
import { openWorld, type World } from '../graph/world.js'
import { withFolder, writeFiles } from './read-tree.js'
import { zipFile } from './zip-file.js'

const report = z.looseObject({
  facts: z.number(),
  entities: z.number(),
  edges: z.number(),
  skipped: z.number(),
  revised: z.number().optional(),
  run: z.string().optional(),
  bad: z.number().optional(),
  samples: z.array(z.record(z.string(), z.unknown())).optional(),
})

const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n')

describe('a run of imports', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  const run = async (input: Readonly<Record<string, unknown>>) => report.parse(await world.call('admin/import', input))
  const exported = async (): Promise<string> => {
    const all: string[] = []
    for await (const line of exportLines(world.engine.context(), {})) all.push(line)
    return all.join('\n')
  }

  const MEMORY = lines(
    { type: 'entity', name: 'billing-api', entityType: 'service', observations: ['talks to Stripe', 'owned by Dana'] },
    { type: 'relation', from: 'billing-api', to: 'gateway', relationType: 'depends_on' },
    { type: 'relation', from: 'gateway', to: 'billing-api', relationType: 'calls' },
  )

  test('stores once, changes nothing the second time, and is taken back without a trace', async () => {
    await world.call('memory/store_memory', { content: 'The gate opens at seven.' })
    const before = await exported()
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'memory.jsonl': MEMORY }), 'memory.jsonl')
      const first = await run({ paths: [path] })
      expect(first).toMatchObject({ facts: 2, entities: 2, edges: 2, skipped: 0, bad: 0 })
      const after = await exported()
      expect(await run({ paths: [path] })).toMatchObject({ facts: 0, entities: 0, edges: 0, skipped: 6 })
      expect(await exported()).toBe(after)
      await world.call('admin/undo', { what: first.run })
      expect(await exported()).toBe(before)
    })
  })

  test('a preview stores nothing, and shows what would be stored, masked', async () => {
    const before = await exported()
    await withFolder(async (folder) => {
      const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
      const path = join(
        await writeFiles(folder, { 'notes.csv': `content,date\nThe token is ${secret},2026-01-02T00:00:00Z\nSecond,\n` }),
        'notes.csv',
      )
      const shown = await run({ paths: [path], dry_run: true })
      expect(shown).toMatchObject({ facts: 2, preview: true })
      expect(shown.run).toBeUndefined()
      expect(JSON.stringify(shown)).not.toContain(secret)
      expect(await exported()).toBe(before)
      await run({ paths: [path] })
      expect(await exported()).not.toContain(secret)
    })
  })

  test('a preview counts a record that is repeated far apart once, as the import stores it', async () => {
    const rows = Array.from({ length: 1300 }, (_, i) => JSON.stringify({ text: `note ${i % 650}`, id: i % 650 })).join('\n')
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'rows.jsonl': rows }), 'rows.jsonl')
      expect(await run({ paths: [path], dry_run: true })).toMatchObject({ facts: 650, skipped: 650 })
      expect(await run({ paths: [path] })).toMatchObject({ facts: 650, skipped: 650 })
    })
  })

  test('a record that changed in its source becomes a version, unless it was changed here', async () => {
    const item = (memory: string) => JSON.stringify({ results: [{ id: 'm1', memory, user_id: 'ann', created_at: '2026-01-01T00:00:00Z' }] })
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'mem0.json': item('Likes tea') }), 'mem0.json')
      await run({ paths: [path] })
      await writeFiles(folder, { 'mem0.json': item('Likes coffee') })
      const second = await run({ paths: [path] })
      expect(second).toMatchObject({ facts: 0, revised: 1 })
      await writeFiles(folder, { 'mem0.json': item('Likes water') })
      expect(await run({ paths: [path] })).toMatchObject({ revised: 1 })
      const [fact] = (await world.environment.store.pageFacts({ limit: 10 })).items
      expect(fact).toMatchObject({ text: 'Likes water', version: 3, owner: 'ann' })
      await world.call('memory/update_memory', { id: fact?.id, content: 'Likes juice' })
      await writeFiles(folder, { 'mem0.json': item('Likes milk') })
      expect(await run({ paths: [path] })).toMatchObject({ facts: 0, revised: 0, skipped: 1 })
    })
  })

  test('conversations leave what capture would have kept; --turns stores them as documents', async () => {
    const envelope = { sessionId: 's1', cwd: '/home/ann/app', timestamp: '2026-05-01T00:00:00Z', version: '2.1.0' }
    const transcript = lines(
      {
        type: 'user',
        uuid: '1',
        message: { role: 'user', content: 'Please fix the login page.\nWe decided to use SQLite for the store.' },
        ...envelope,
      },
      {
        type: 'assistant',
        uuid: '2',
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Fixed it.' }] },
        ...envelope,
      },
      { type: 'user', uuid: '3', message: { role: 'user', content: 'I prefer short answers.' }, ...envelope },
    )
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 's1.jsonl': transcript }), 's1.jsonl')
      expect(await run({ paths: [path] })).toMatchObject({ facts: 3 })
      const facts = (await world.environment.store.pageFacts({ limit: 10 })).items
      expect(facts.map(({ owner, status, text }) => [owner, status, text.split('\n')[0]])).toEqual(
        expect.arrayContaining([
          ['project:/home/ann/app', 'candidate', 'We decided to use SQLite for the store.'],
          ['default', 'candidate', 'I prefer short answers.'],
          ['project:/home/ann/app', 'active', 'Task: Please fix the login page. We decided to use SQLite for the store.'],
        ]),
      )
      const turns = await run({ paths: [path], turns: true })
      expect(turns).toMatchObject({ facts: 0, sources: 1 })
      const [source] = (await world.environment.store.pageSources({ limit: 10 })).items
      const passages = await world.environment.store.passages(source?.id ?? '', { path: '', from: 0, limit: 10 })
      expect(passages.map(({ text }) => text)).toEqual([
        'user: Please fix the login page.\nWe decided to use SQLite for the store.',
        'assistant: Fixed it.',
        'user: I prefer short answers.',
      ])
    })
  })

  test('one bad record never ends an import: it is counted and named', async () => {
    const long = 'x'.repeat(2_000_000)
    const rows = [
      { content: 'ends early', valid_from: '2026-02-01T00:00:00Z', valid_until: '2026-01-01T00:00:00Z', date: '2026-01-01' },
      { content: 'fine' },
      { content: 'a\u0000b' },
      { content: 'later', date: '2999-01-01' },
      { content: long },
    ]
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'rows.json': JSON.stringify(rows) }), 'rows.json')
      const done = await run({ paths: [path] })
      expect(done).toMatchObject({ facts: 3, bad: 2 })
      expect((await world.environment.store.pageFacts({ limit: 10 })).items.map(({ text }) => text).sort()).toEqual(['ab', 'fine', 'later'])
    })
  })

  test('owner, project and date decide what is stored where', async () => {
    const rows = lines(
      { text: 'old', created: '2020-01-01T00:00:00Z', project: 'a' },
      { text: 'new', created: '2026-01-01T00:00:00Z', project: 'b' },
    )
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'rows.jsonl': rows }), 'rows.jsonl')
      expect(
        await run({ paths: [path], from: 'table', since: '2025-01-01T00:00:00Z', project: 'git@github.com:acme/widget.git' }),
      ).toMatchObject({ facts: 1 })
      expect((await world.environment.store.pageFacts({ limit: 10 })).items).toMatchObject([
        { owner: 'project:github.com/acme/widget', text: 'new' },
      ])
    })
  })

  test('a run of many commits is taken back as a whole', async () => {
    const rows = Array.from({ length: 9000 }, (_, i) => JSON.stringify({ text: `note ${i}`, id: i })).join('\n')
    const before = await exported()
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'rows.jsonl': rows }), 'rows.jsonl')
      const done = await run({ paths: [path] })
      expect(done).toMatchObject({ facts: 9000 })
      expect(await world.call('admin/undo', { what: done.run })).toMatchObject({ undone: 9000, skipped: [] })
      expect(await exported()).toBe(before)
    })
  })

  test('the same import is not run twice at once', async () => {
    await withFolder(async (folder) => {
      const rows = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ text: `note ${i}`, id: i })).join('\n')
      const path = join(await writeFiles(folder, { 'rows.jsonl': rows }), 'rows.jsonl')
      const both = await Promise.allSettled([run({ paths: [path] }), run({ paths: [path] })])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect((await world.environment.store.counts(undefined)).facts).toBe(3000)
    })
  })

  test('archives are read without unpacking; entries that lead outside, links and bombs are refused by name', async () => {
    await withFolder(async (folder) => {
      const good = {
        path: 'conversations.json',
        content: JSON.stringify([
          {
            uuid: 'u',
            name: 'n',
            created_at: '2026-01-01T00:00:00Z',
            chat_messages: [{ sender: 'human', text: 'Remember that the gate opens at seven.' }],
          },
        ]),
      }
      const archive = zipFile([
        good,
        { path: '../../etc/passwd', content: 'x' },
        { path: '/etc/shadow', content: 'x' },
        { path: 'C:\\temp\\x', content: 'x' },
        { path: 'link', content: '/etc/passwd', mode: 0o120777 },
        { path: 'locked.json', content: 'x', flags: 1 },
        { path: 'bomb.json', content: Buffer.alloc(40_000_000) },
        { path: 'new\nline.json', content: '[]' },
      ])
      const path = join(await writeFiles(folder, { 'data.zip': archive }), 'data.zip')
      const done = await run({ paths: [path] })
      expect(done).toMatchObject({ facts: 2 })
      expect(
        z
          .array(z.looseObject({ seems: z.string() }))
          .parse(done.refused)
          .map(({ seems }) => seems),
      ).toEqual([
        ...Array.from({ length: 3 }, () => 'its path leads outside of the archive'),
        'it is a link',
        'it is encrypted; unpack the archive with its password and import the folder',
        expect.stringContaining('times its size'),
        'its name contains control characters',
      ])
    })
  })
})
