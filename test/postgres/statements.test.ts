import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { searchCode } from '../../src/engine/code/search-code.js'
import { remember } from '../../src/engine/facts/remember.js'
import { recall } from '../../src/engine/recall/recall.js'
import { type Opened, openBoth } from '../opened.js'
import { freshDatabase, query, SERVER } from './server.js'

const PARTITIONS = 8
const signal = new AbortController().signal

/** Transaction control, which belongs to no query or write. */
const FRAME = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET LOCAL)/

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Statements without an owner, with the reason. */
const EXCEPTIONS: readonly (readonly [RegExp, string])[] = [
  [/FROM facts WHERE embedded = [02]|FROM passages WHERE embedded = 0/, 'texts of everyone that wait for a vector'],
  [/^WITH picked AS/, 'the same, claimed'],
  [/FROM owners WHERE epoch < /, 'owners whose vectors are of an earlier model'],
  [
    /FROM source_files WHERE source_id|count\(\*\) AS n FROM passages WHERE (?:embedded = 0 AND )?source_id/,
    'what there is of a project, by its id',
  ],
  [/FROM passages WHERE rid = ANY/, "passages by their numbers, which are given to everyone's together"],
  [/UPDATE calls SET answer = NULL WHERE commit_id/, 'the caller may be another owner than the one whose fact is deleted'],
  [/FROM sources/, 'projects are few, and a recall looks for code of all that it may see'],
]

describe.skipIf(SERVER === undefined)('statements sent to the server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mneme-trips-'))
  const project = mkdtempSync(join(tmpdir(), 'mneme-lake-'))
  const trips: (readonly string[])[] = []
  let opened: Opened
  let url: string

  beforeAll(async () => {
    url = await freshDatabase()
    const { config } = loadConfig({
      flags: { dataDir: directory, embedder: 'hash', database: url, partitions: String(PARTITIONS) },
      env: {},
    })
    opened = await openBoth(config, { observe: (statements) => void trips.push(statements) })
    for (let i = 0; i < 120; i++)
      await remember(opened.environment, { actor: 'test' }, [
        { owner: 'ann', text: `Note ${i}: Otter Lake lies near Heron Hill, says Bob ${i % 7}.`, author: 'Bob Lee' },
      ])
    await opened.environment.embedding.embedPending()
  }, 120_000)
  afterAll(async () => {
    await opened?.engine.close()
    for (const folder of [directory, project]) rmSync(folder, { recursive: true, force: true })
  })

  const counted = async (work: () => Promise<unknown>): Promise<{ readonly statements: readonly string[]; readonly trips: number }> => {
    trips.length = 0
    await work()
    const sent = trips.map((statements) => statements.filter((text) => !FRAME.test(text)))
    return { statements: sent.flat(), trips: trips.length }
  }
  const ask = (text: string) => recall(opened.environment, { text, limit: 10, owner: 'ann', effort: 'fast', signal })
  const QUESTIONS = ['Where is Otter Lake?', 'What does Bob say?', 'Heron Hill', 'the lake near the hill', 'note 17']

  test('a recall: at most ten statements in eight trips at the median, never more than twenty', async () => {
    await ask('warm up')
    const counts = []
    for (const question of QUESTIONS) counts.push(await counted(() => ask(question)))
    const shown = counts.map(({ statements, trips: n }) => `${n} trips\n${statements.join('\n')}`).join('\n\n')
    expect(median(counts.map(({ statements }) => statements.length)), shown).toBeLessThanOrEqual(10)
    expect(median(counts.map(({ trips: n }) => n)), shown).toBeLessThanOrEqual(8)
    expect(Math.max(...counts.map(({ statements }) => statements.length)), shown).toBeLessThanOrEqual(20)
  })

  test('a store: at most twelve statements in six trips', async () => {
    const { statements, trips: n } = await counted(() =>
      remember(opened.environment, { actor: 'test' }, [{ owner: 'ann', text: 'Otter Lake is deep, says Bob 3.' }]),
    )
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(12)
    expect(n, statements.join('\n')).toBeLessThanOrEqual(6)
  })

  test('name at most one part of each table, but for those listed', async () => {
    writeFileSync(join(project, 'a.ts'), 'export function depth(): number {\n  return 3\n}\n')
    writeFileSync(join(project, 'b.ts'), `import { depth } from './a.js'\nexport const shown = (): string => String(depth())\n`)
    const { statements } = await counted(async () => {
      await remember(opened.environment, { actor: 'test' }, [
        { owner: 'ann', text: 'Otter Lake freezes, says Bob 4.', author: 'Bob Lee', title: 'Otter Lake' },
      ])
      for (const question of QUESTIONS) await ask(question)
      await opened.code.index({ path: project, owner: 'ann', actor: 'test', signal, progress: () => undefined })
      const { results } = await searchCode(opened.environment, { text: 'depth', limit: 5, owner: 'ann', signal })
      for (const direction of ['outgoing', 'incoming'] as const)
        await opened.backend.code.links(
          results.map(({ rid }) => rid),
          direction,
        )
    })
    const wide: string[] = []
    for (const statement of new Set(statements)) {
      if (EXCEPTIONS.some(([pattern]) => pattern.test(statement))) continue
      const marks = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map((found) => Number(found[1])))
      const args = Array.from({ length: marks }, () => 'NULL').join(', ')
      const plan = await query(
        url,
        'SET plan_cache_mode = force_generic_plan',
        `PREPARE hot AS ${statement}`,
        `EXPLAIN (COSTS OFF) EXECUTE hot${marks === 0 ? '' : `(${args})`}`,
      )
      const lines = plan.map((row) => String(row['QUERY PLAN']))
      // The server counts partitions that it excludes at run time.
      const scans = lines.flatMap(
        (line) => /(?:Scan|Insert|Update|Delete|Only).* on (\w+?)_(\d+)\b/.exec(line)?.slice(1, 3).join(' ') ?? [],
      )
      const removed = lines.flatMap((line) => /Subplans Removed: (\d+)/.exec(line)?.[1] ?? []).length
      const byTable = new Map<string, Set<string>>()
      for (const scan of scans) {
        const [table = '', part = ''] = scan.split(' ')
        byTable.set(table, new Set([...(byTable.get(table) ?? []), part]))
      }
      if (removed === 0 && [...byTable.values()].some((parts) => parts.size > 1)) wide.push(`${statement}\n${lines.join('\n')}`)
    }
    expect(wide).toEqual([])
  })
})
