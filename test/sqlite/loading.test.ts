import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadedFactsAfter } from '../../src/backends/resident/fact-rows.js'
import { openDatabase } from '../../src/backends/sqlite/open-file.js'

test('what search loads of an owner lies side by side in the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-loading-'))
  const db = openDatabase(join(folder, 'mneme.db'))
  try {
    const { text, values } = loadedFactsAfter('ann', 0, 100)
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)
    expect(steps.map(({ detail }) => detail)).toEqual([
      'SEARCH f USING COVERING INDEX facts_of_owner (owner=? AND rid>?)',
      'SEARCH c USING PRIMARY KEY (owner=? AND rid=?) LEFT-JOIN',
    ])
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
