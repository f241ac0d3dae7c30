import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank } from '../../src/core/input/input.js'
import { graphLines } from '../../src/engine/transfer/graph-lines.js'
import { markdownFiles } from '../../src/engine/transfer/markdown-pages.js'
import { exportLines } from '../../src/engine/transfer/transfer.js'
import { openMarkdownFolder } from '../../src/importers/markdown-folder.js'
import { openWorld, type World } from '../graph/world.js'
import { runs } from '../runs.js'
import { withFolder, writeFiles } from './read-tree.js'

/** Nothing is imported from the future. */
const DAY_US = 86_400_000_000
const RUNS = runs(3, 20)

const name = fc.constantFrom('Gateway', 'Billing API', 'Ann', 'a/b', 'Zoë', 'gateway-2', 'C++', '[odd] name')
const text = fc
  .oneof(
    fc.constantFrom(
      'Talks to [[Stripe]] ^x1',
      '- nested\n  - list',
      'line one\n\nline three',
      ' leading',
      'trailing  ',
      '# heading',
      '> quote',
      'a --> b',
      '<!-- mneme\n{}\n-->',
      '---\nmneme: 1\n---',
      '```\ncode\n```',
      'tab\tand "quotes"',
    ),
    fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  )
  .filter((text) => text.trim() !== '' && !isBlank(text) && !text.includes('\0'))
const fact = fc.record({
  content: text,
  subject: fc.option(name, { nil: undefined }),
  importance: fc.integer({ min: 0, max: 10 }),
  ended: fc.boolean(),
  user: fc.constantFrom('default', 'ann', 'project:github.com/a/b'),
})
const relation = fc.record({ from: name, to: name, type: fc.constantFrom('depends_on', 'KNOWS', 'works at') })
const memory = fc.record({ facts: fc.array(fact, { maxLength: 8 }), relations: fc.array(relation, { maxLength: 5 }) })

async function fill(world: World, { facts, relations }: typeof memory extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const lines = facts.map(({ content, subject, importance, ended, user }) =>
    JSON.stringify({
      content,
      subject,
      importance_score: importance,
      user_id: user,
      ...(ended ? { valid_from: '2024-01-01T00:00:00Z', valid_until: '2025-01-01T00:00:00Z', invalidation_reason: 'over' } : {}),
    }),
  )
  const graph = [
    ...[...new Set(relations.flatMap(({ from, to }) => [from, to]))].map((name) =>
      JSON.stringify({ type: 'entity', name: name, entityType: 'thing', observations: [`about ${name}`] }),
    ),
    ...relations
      .filter(({ from, to }) => from !== to)
      .map(({ from, to, type }) => JSON.stringify({ type: 'relation', from, to, relationType: type })),
  ]
  await withFolder(async (folder) => {
    await writeFiles(folder, { 'facts.jsonl': lines.join('\n'), 'graph.jsonl': graph.join('\n') })
    if (lines.length > 0)
      await world.call('admin/import', {
        paths: [join(folder, 'facts.jsonl')],
        from: 'mneme',
        project: undefined,
        sensitive: true,
        map: [],
      })
    if (graph.length > 0) await world.call('admin/import', { paths: [join(folder, 'graph.jsonl')] })
  })
}

/** What an export holds, in an order of its own. */
async function contentsOf(world: World): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exportLines(world.engine.context(), {})) lines.push(line)
  return lines.sort()
}

test('a folder of Markdown holds ids, texts, dates, relations and status: imported elsewhere, it exports the same', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(memory, async (given) => {
      const [first, second] = [await openWorld(), await openWorld()]
      second.clock.advance(DAY_US)
      try {
        await withFolder(async (folder) => {
          await fill(first, given)
          const signal = new AbortController().signal
          const pages = openMarkdownFolder(folder)
          const written = await pages.write(markdownFiles(first.engine.context(), {}), signal)
          expect(await pages.write(markdownFiles(first.engine.context(), {}), signal)).toEqual({
            left: 0,
            files: written.files,
            written: 0,
            removed: 0,
          })
          const before = await contentsOf(first)
          if (before.length > 1) await second.call('admin/import', { paths: [folder] })
          expect(await contentsOf(second)).toEqual(before)
        })
      } finally {
        await first.close()
        await second.close()
      }
    }),
    { numRuns: RUNS },
  )
})

test('a file of server-memory comes back as it was written', { timeout: 120_000 }, async () => {
  const graph = async (world: World): Promise<readonly string[]> => {
    const lines: string[] = []
    for await (const line of graphLines(world.engine.context(), { owner: 'default' })) lines.push(line)
    return lines.sort()
  }
  await fc.assert(
    fc.asyncProperty(memory, async (given) => {
      const [first, second] = [await openWorld(), await openWorld()]
      try {
        await withFolder(async (folder) => {
          await fill(first, given)
          const lines = await graph(first)
          if (lines.length === 0) return
          await writeFiles(folder, { 'memory.jsonl': lines.join('\n') })
          await second.call('admin/import', { paths: [join(folder, 'memory.jsonl')] })
          expect(await graph(second)).toEqual(lines)
        })
      } finally {
        await first.close()
        await second.close()
      }
    }),
    { numRuns: RUNS },
  )
})

test('an edited page is imported as it reads now', async () => {
  const world = await openWorld()
  const other = await openWorld()
  try {
    await withFolder(async (folder) => {
      await fill(world, {
        facts: [{ content: 'The gate opens at seven', subject: undefined, importance: 1, ended: false, user: 'default' }],
        relations: [],
      })
      await world.call('admin/export', { to: 'markdown', file: folder })
      const [page = ''] = [...(await pagesOf(folder))]
      const text = await readFile(page, 'utf8')
      await writeFiles('/', {
        [page]: text.replace('opens at seven', 'opens at eight').replace('\n<!-- mneme', '\n- A new line\n\n<!-- mneme'),
      })
      await other.call('admin/import', { paths: [folder] })
      expect((await other.environment.store.pageFacts({ limit: 10 })).items.map((fact) => fact.text).sort()).toEqual([
        'A new line',
        'The gate opens at eight',
      ])
    })
  } finally {
    await world.close()
    await other.close()
  }
})

async function pagesOf(folder: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises')
  return (await readdir(join(folder, 'default')))
    .filter((file) => file.startsWith('memories-'))
    .map((file) => join(folder, 'default', file))
}
