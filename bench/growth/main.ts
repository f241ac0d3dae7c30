import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { loadConfig } from '../../src/config.js'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { assertStatement } from '../../src/engine/stigmem/assert.js'
import { readCard } from '../../src/engine/stigmem/read-card.js'
import { openEngine } from '../../src/open.js'
import { saveResult } from '../result.js'

// npm run bench growth -- [--facts 10000] [--entities 100] [--out file]
// Size of file and journal for the same statements with and without cards.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    facts: { type: 'string', default: '10000' },
    entities: { type: 'string', default: '100' },
    out: { type: 'string' },
  },
})

/** Statements between two reads of every card. */
const READ_EVERY = 500

async function grow(
  withCards: boolean,
): Promise<{ readonly bytesPerFact: number; readonly journalBytesPerFact: number; readonly cards: number }> {
  const [facts, entities] = [Number(values.facts), Number(values.entities)]
  const directory = mkdtempSync(join(tmpdir(), 'mneme-growth-'))
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: 'hash', logLevel: 'silent' }, env: {} })
  const speaker = { principal: LOCAL_PRINCIPAL, actor: 'bench' }
  try {
    const engine = await openEngine(config)
    for (let i = 0; i < facts; i++) {
      const value = { type: 'text', v: `observation ${i} of a series that goes on for a while` } as const
      await assertStatement(engine.context(), speaker, {
        entity: `stigmem://bench/thing/${i % entities}`,
        relation: `memory:seen${i}`,
        value,
        source: 'agent:bench',
        scope: 'company',
      })
      if (withCards && i % READ_EVERY === READ_EVERY - 1)
        for (let k = 0; k < entities; k++)
          await readCard(engine.context(), speaker, { entity: `stigmem://bench/thing/${k}`, scope: 'company', force: false })
    }
    await engine.close()
    const db = defaultDriver().open(join(directory, 'mneme.db'))
    const sum = (query: string): number => Number(db.prepare(query).value() ?? 0)
    const journal = sum(`SELECT sum(coalesce(length(before), 0) + coalesce(length(after), 0) + 120) FROM journal`)
    const cards = sum(`SELECT count(*) FROM facts WHERE form = 'card'`)
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    return {
      bytesPerFact: Math.round(statSync(join(directory, 'mneme.db')).size / facts),
      journalBytesPerFact: Math.round(journal / facts),
      cards,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const without = await grow(false)
const withCards = await grow(true)
const ratio = (name: 'bytesPerFact' | 'journalBytesPerFact'): number => Math.round((withCards[name] / without[name]) * 1000) / 1000
const results = {
  facts: Number(values.facts),
  entities: Number(values.entities),
  without,
  withCards,
  file: ratio('bytesPerFact'),
  journal: ratio('journalBytesPerFact'),
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
saveResult('growth', results, values.out)
