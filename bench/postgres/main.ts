import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresPrograms, startPostgres, stopPostgres } from '../../scripts/postgres.mjs'
import { saveResult } from '../result.js'
import { serverCpu } from './cpu.js'
import { freshDatabase } from './database.js'
import { largeOwner, wordsAmong } from './large.js'
import { latency, type Place, throughput } from './measure.js'
import { many, manyOwners, sideBySide } from './nodes.js'
import { sameAnswers } from './same-answers.js'

// npm run bench postgres -- [--facts 10000,100000] [--seconds 10] [--owners 2000] [--out file]
// SQLite and PostgreSQL over a local socket with fsync: recall and store, the server's CPU for each, the first search of a cold shard,
// writes of 64 clients for one owner, import, several nodes, and many owners under a memory limit. `--same notes,locomo` compares the
// results of these sets on both databases; `--only memory` (latency, throughput, nodes) runs one part; `--large 100000` searches an owner
// of this size in the database, `--words 1000000` by keyword only. Uses the hash embedder, so that the model does not dominate.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    facts: { type: 'string', default: '10000,100000' },
    seconds: { type: 'string', default: '10' },
    owners: { type: 'string', default: '2000' },
    out: { type: 'string' },
    node: { type: 'string' },
    same: { type: 'string' },
    large: { type: 'string' },
    words: { type: 'string' },
    only: { type: 'string' },
  },
})

if (values.node !== undefined) await sideBySide(JSON.parse(values.node))
else {
  const programs = await postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not available here')
  const server = await startPostgres(programs, { flush: true, settings: { plan_cache_mode: 'force_generic_plan' } })
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-pg-'))
  const results: object[] = []
  const report = (result: object): void => {
    results.push(result)
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
  const cpu = (): number => serverCpu(server.pid)
  try {
    const place = async (name: string): Promise<Place> => ({
      name: 'PostgreSQL',
      flags: { dataDir: join(folder, name), database: await freshDatabase(server.url) },
    })
    const isSpecial = values.same !== undefined || values.large !== undefined || values.words !== undefined
    if (values.same !== undefined) report(await sameAnswers(values.same.split(','), folder, () => freshDatabase(server.url)))
    if (values.large !== undefined) report({ what: 'large owner', ...(await largeOwner(await place('large'), Number(values.large))) })
    if (values.words !== undefined) report({ what: 'words', ...(await wordsAmong(await place('words'), Number(values.words))) })
    const runs = (what: string): boolean => !isSpecial && (values.only?.split(',').includes(what) ?? true)
    for (const facts of !runs('latency') ? [] : values.facts.split(',').map(Number)) {
      const places: readonly Place[] = [{ name: 'SQLite', flags: { dataDir: join(folder, `sqlite-${facts}`) } }, await place(`pg-${facts}`)]
      for (const place of places) report({ what: 'latency', facts, ...(await latency(place, facts, cpu)) })
    }
    if (runs('throughput')) report({ what: 'throughput', ...(await throughput(await place('load'), Number(values.seconds))) })
    if (runs('nodes'))
      for (const nodes of [1, 2, 4])
        report({ what: 'nodes', ...(await many(process.argv[1] ?? '', await freshDatabase(server.url), nodes, Number(values.seconds))) })
    if (runs('memory')) {
      const owners = Number(values.owners)
      const memory = { url: await freshDatabase(server.url), owners, facts: 500, memoryMb: 256 }
      await manyOwners(memory.url, owners, memory.facts)
      const plan = JSON.stringify({ kind: 'memory', ...memory })
      const output = execFileSync(process.execPath, ['--expose-gc', process.argv[1] ?? '', '--node', plan], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      })
      report({ what: 'memory', ...JSON.parse(output) })
    }
  } finally {
    await stopPostgres(server)
    rmSync(folder, { recursive: true, force: true })
  }
  saveResult('postgres', results, values.out)
}
