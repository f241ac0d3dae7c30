import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Copies,
  copyStore,
  damagedLog,
  differing,
  factsIn,
  flippedPage,
  type Harm,
  replacedFiles,
} from '../../bench/corruption/harm.js'
import { makeCopies } from '../../bench/corruption/store.js'
import type { Database } from '../../src/backends/sqlite/driver.js'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Finding } from '../../src/ports/backend.js'
import { commit, putFact } from '../contract/samples.js'
import { openWorld, tickingClock, type World } from '../graph/world.js'

const root = mkdtempSync(join(tmpdir(), 'mneme-damage-'))
const clock = { now: () => Date.now() * 1000 }
let copies: Copies
let truth: ReadonlyMap<string, string>

beforeAll(async () => {
  copies = await makeCopies(root)
  truth = factsIn(join(copies.closed, 'mneme.db')) ?? new Map()
  expect(truth.size).toBe(259)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const newFolder = (): string => mkdtempSync(join(root, 'case-'))
const open = (directory: string) => openSqlite({ directory, clock, busyTimeoutMs: 2000 })

/** Findings of doctor, or that the store cannot be opened. */
async function examine(directory: string): Promise<readonly Finding[]> {
  let backend: Awaited<ReturnType<typeof open>> | undefined
  try {
    backend = await open(directory)
    return await backend.maintenance.diagnose()
  } catch (error) {
    return [{ severity: 'error', what: String(error), remedy: '' }]
  } finally {
    await backend?.close().catch(() => undefined)
  }
}

async function expectNoLie(harm: Harm): Promise<void> {
  const folder = newFolder()
  harm.apply(folder)
  const findings = await examine(folder)
  const wrong = differing(truth, join(folder, 'mneme.db'))
  const healthy = !findings.some(({ severity }) => severity === 'error')
  expect(healthy && wrong > 0, `${harm.name}: ${wrong} facts altered or missing, and called healthy`).toBe(false)
}

/** Modifies a store and returns doctor's findings. */
async function after(change: (db: Database) => void): Promise<string> {
  const folder = newFolder()
  copyStore(copies.closed, folder)
  const db = openFile(join(folder, 'mneme.db'))
  change(db)
  db.close()
  return (await examine(folder)).map(({ what }) => what).join('\n')
}

describe('doctor never says healthy when it is not', () => {
  test('a store whose process was killed is healthy, with and without a checkpoint', async () => {
    for (const from of [copies.killed, copies.closed, copies.other]) {
      const folder = newFolder()
      copyStore(from, folder)
      expect(await examine(folder)).toEqual([])
      expect(await examine(folder)).toEqual([])
    }
  })

  test('flipped pages', async () => {
    for (let seed = 1; seed <= 40; seed++) await expectNoLie(flippedPage(copies, seed))
  }, 120_000)

  test('damaged logs', async () => {
    for (let seed = 0; seed < 20; seed++) await expectNoLie(damagedLog(copies, seed))
  }, 120_000)

  test('replaced files', async () => {
    for (const harm of replacedFiles(copies)) await expectNoLie(harm)
  }, 120_000)

  test('a page whose rows are out of order ends the check', async () => {
    const folder = newFolder()
    copyStore(copies.closed, folder)
    const file = join(folder, 'mneme.db')
    const db = openFile(file, { readonly: true })
    const table = z.number().parse(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'entity_edges'`).value())
    db.close()
    const bytes = readFileSync(file)
    // Its header counts sixteen rows; there are none.
    bytes.writeUInt16BE(16, (table - 1) * 4096 + 3)
    writeFileSync(file, bytes)
    const findings = await examine(folder)
    expect(findings.some(({ severity }) => severity === 'error')).toBe(true)
  }, 60_000)

  test('commits lost with a log are reported until the loss is accepted', async () => {
    const folder = newFolder()
    copyStore(copies.killed, folder)
    truncateSync(join(folder, 'mneme.db-wal'), 0)
    const first = await open(folder)
    for (let i = 0; i < 30; i++) await commit(first, putFact({ id: `new-${i}` }))
    expect(await first.maintenance.diagnose()).toMatchObject([
      {
        severity: 'error',
        what: expect.stringContaining('20 acknowledged changes are missing'),
        remedy: expect.stringContaining('--accept-loss'),
      },
    ])
    await first.close()
    const second = await open(folder)
    expect((await second.maintenance.diagnose()).length).toBe(1)
    expect([await second.maintenance.acceptLoss(), await second.maintenance.acceptLoss()]).toEqual([true, false])
    expect(await second.maintenance.diagnose()).toEqual([])
    await second.close()
  })

  test.each([
    ['a fact that was altered', `UPDATE facts SET text = replace(text, 'otter', 'adder') WHERE id = 'fact-00000'`, 'fact-00000'],
    [
      'an entry of the journal that was altered',
      `UPDATE journal SET actor = 'eve' WHERE seq = 7`,
      '1 entries of the journal are not what was stored: 7',
    ],
    ['contents of the journal that were altered', `UPDATE journal SET after = replace(after, 'otter', 'adder') WHERE seq = 1`, 'journal'],
    ['an entry of the journal that is missing', `DELETE FROM journal WHERE seq = 9`, '1 entries of the journal are missing'],
    ['a fact that is missing', `DELETE FROM facts WHERE id = 'fact-00010'`, '1 facts of the journal are missing'],
    [
      'search words of another text',
      `UPDATE facts SET terms = (SELECT terms FROM facts WHERE rid = 2) WHERE rid = 1`,
      'The search words of 1 facts',
    ],
    ['words in the full-text index', `INSERT INTO fts_facts (rowid, title, text) VALUES (99999, 'x', 'y')`, 'full-text index'],
    ['a row that an index lacks', INDEX_WITHOUT_ROW(), 'The file is damaged'],
    [
      'codes of another vector',
      `UPDATE fact_codes SET codes = (SELECT codes FROM fact_codes WHERE rid = 2) WHERE rid = 1`,
      'search codes of vec_facts',
    ],
  ])('%s', async (_, change, finding) => {
    expect(await after((db) => db.unguarded(() => db.exec(change)))).toContain(finding)
  })

  test('a file truncated while open accepts no writes, and the status reports it', async () => {
    for (const size of [0, 40 * 4096]) {
      const folder = newFolder()
      copyStore(copies.closed, folder)
      const backend = await open(folder)
      expect(await backend.problem()).toBeUndefined()
      truncateSync(join(folder, 'mneme.db'), size)
      await expect(commit(backend, putFact({ id: 'late' }))).rejects.toMatchObject({ code: 'storage' })
      expect(await backend.problem()).toMatch(/cut short|damaged/)
      await backend.close().catch(() => undefined)
    }
  })
})

describe('status', () => {
  const statusOf = async (world: World) =>
    z.object({ status: z.string(), problems: z.array(z.string()).optional() }).parse(await world.call('memory/get_status'))

  test('reports a missing file', async () => {
    const world = await openWorld()
    await world.call('memory/store_memory', { content: 'An otter' })
    expect(await statusOf(world)).toEqual({ status: 'healthy' })
    renameSync(join(world.directory, 'mneme.db'), join(world.directory, 'gone.db'))
    expect(await statusOf(world)).toMatchObject({ status: 'degraded', problems: [expect.stringContaining('moved, deleted or replaced')] })
    renameSync(join(world.directory, 'gone.db'), join(world.directory, 'mneme.db'))
    expect(await statusOf(world)).toEqual({ status: 'healthy' })
    await world.close()
  })

  test('reports a full disk', async ({ skip }) => {
    const directory = newFolder()
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', directory], { stdio: 'ignore' })
    } catch {
      return skip('no file system can be mounted here')
    }
    try {
      const world = await openWorld({}, { directory, clock: tickingClock() })
      await world.call('memory/store_memory', { content: 'An otter' })
      expect(await statusOf(world)).toEqual({ status: 'healthy' })
      const filler = join(directory, 'filler')
      for (const size of [1 << 20, 1 << 14, 1 << 12])
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size))
        } catch {
          // Not enough space.
        }
      expect(await statusOf(world)).toMatchObject({ status: 'degraded', problems: [expect.stringContaining('is full')] })
      rmSync(filler)
      expect(await statusOf(world)).toEqual({ status: 'healthy' })
      await world.close()
    } finally {
      execFileSync('umount', [directory])
    }
  })
})

/** Changes the definition of an index, so that it should contain a row it does not. */
function INDEX_WITHOUT_ROW(): string {
  return `PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'WHERE expires_at IS NOT NULL', '') WHERE name = 'facts_expiry';
    PRAGMA writable_schema = RESET;`
}
