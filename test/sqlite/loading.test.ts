import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadedFactsAfter } from '../../src/backends/memory-index/fact-rows.js'
import type { Value } from '../../src/backends/sql/plan/plan.js'
import { openDatabase } from '../../src/backends/sqlite/open-file.js'

const plansOf = (statement: string, values: readonly Value[]): readonly unknown[] => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-loading-'))
  const db = openDatabase(join(folder, 'mneme.db'))
  try {
    return db
      .prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .all(...values)
      .map(({ detail }) => detail)
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('data loaded for an owner is contiguous in the file', () => {
  const { text, values } = loadedFactsAfter('ann', 0, 100)
  expect(plansOf(text, values)).toEqual([
    'SEARCH f USING COVERING INDEX facts_to_load (owner=? AND rid>?)',
    'SEARCH c USING PRIMARY KEY (owner=? AND rid=?) LEFT-JOIN',
  ])
})

test('a lookup uses its own index, although a covering index exists', () => {
  expect(plansOf('SELECT count(*) FROM facts WHERE owner = ? AND session = ? AND status = ?', ['ann', 's', 'active'])).toEqual([
    'SEARCH facts USING INDEX facts_session (owner=? AND session=?)',
  ])
  expect(plansOf('SELECT rid FROM facts WHERE owner = ? AND id IN (?, ?)', ['ann', 'a', 'b'])).toEqual([
    'SEARCH facts USING INDEX sqlite_autoindex_facts_1 (id=?)',
  ])
})
