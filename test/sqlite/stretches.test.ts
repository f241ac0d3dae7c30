import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection, Plan, Row } from '../../src/backends/sql/plan/plan.js'
import { createStatementReads } from '../../src/backends/sql/statements/statement-reads.js'
import type { Database } from '../../src/backends/sqlite/driver.js'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { PageCursor } from '../../src/ports/store.js'
import { aFact, commit, handClock, NOON } from '../contract/samples.js'

const AT_ONCE = 20_000
const ELSEWHEN = 1500

describe('list of facts of which very many were recorded at one instant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-stretches-'))
  let db: Database
  const plans = new Set<string>()
  /** Runs plans on the file and records SQLite's query plans. */
  const connection: Connection = {
    read: async (plan) => stepped(plan()),
    write: async (plan) => stepped(plan()),
  }
  function stepped<T>(plan: Plan<T>): T {
    for (let step = plan.next([]); ; ) {
      if (step.done === true) return step.value
      const answers: (readonly Row[])[] = step.value.map(({ text, values }) => {
        for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)) plans.add(String(detail))
        return db.prepare(text).all(...values)
      })
      step = plan.next(answers)
    }
  }
  const { statements, countStatements } = createStatementReads(connection)

  beforeAll(async () => {
    const backend = await openSqlite({ directory: folder, clock: handClock(), busyTimeoutMs: 1000 })
    await commit(backend, { op: 'fact.put', fact: aFact({ id: 'f0', subject: 'user:ann', predicate: 'says', text: 'x' }) })
    await backend.close()
    db = openFile(join(folder, 'mneme.db'))
    const columns = db
      .prepare(`SELECT name FROM pragma_table_info('facts')`)
      .all()
      .map(({ name }) => String(name))
    const values = columns.map((name) =>
      name === 'rid'
        ? 'n + 1'
        : name === 'id'
          ? `'f' || n`
          : name === 'source'
            ? `CASE WHEN n % 7000 = 3 THEN 'rare' ELSE 'test' END`
            : name === 'recorded_at'
              ? `CASE WHEN n > ${AT_ONCE} THEN ${NOON} + (n % 2 * 2 - 1) * n ELSE ${NOON} END`
              : `facts.${name}`,
    )
    db.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${AT_ONCE + ELSEWHEN})
      INSERT INTO facts (${columns.join(', ')}) SELECT ${values.join(', ')} FROM facts, numbers WHERE facts.id = 'f0'`)
  })
  afterAll(() => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const pages = async (query: object, limit: number): Promise<readonly string[]> => {
    const found: string[] = []
    for (let before: PageCursor | null | undefined; before !== null; ) {
      const page = await statements(
        { owner: 'ann', at: NOON * 2, contradicted: true, ...query },
        { limit, ...(before === undefined ? {} : { before }) },
      )
      found.push(...page.items.map(({ id }) => id))
      before = page.next
    }
    return found
  }

  it.each([
    ['of an owner', {}],
    ['of an entity', { entity: 'user:ann' }],
    ['of a property', { entity: 'user:ann', relation: 'says' }],
  ])('%s is listed in order, each row once, and no row of the instant is read twice', async (_, query) => {
    const expected = db
      .prepare(`SELECT id FROM facts ORDER BY recorded_at DESC, rid DESC`)
      .all()
      .map(({ id }) => String(id))
    plans.clear()
    expect(await pages(query, 3000)).toEqual(expected)
    expect(await pages({ ...query, source: 'rare' }, 2)).toEqual(['f21003', 'f14003', 'f7003', 'f3'])
    expect(await countStatements({ owner: 'ann', at: NOON * 2, contradicted: true, ...query })).toBe(expected.length)
    // The remainder of an instant is found by row number, as is a batch of it.
    const ways = [...plans].filter((detail) => detail.includes('recorded_at=?')).map((detail) => /recorded_at=\?(.*)\)$/u.exec(detail)?.[1])
    expect(ways).toEqual(expect.arrayContaining([' AND rowid<?', ' AND rowid>? AND rowid<?']))
  })
})
