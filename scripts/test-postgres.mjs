// npm run test:postgres: the tests of engine, graph, code, wire and contracts with a PostgreSQL database in place of each file. Arguments
// select other tests. Differences and their reasons are in test/postgres/everywhere/differences.ts.
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
await ensureBuilt()
const chosen = process.argv.slice(2)
const tests =
  chosen.length > 0
    ? chosen
    : [
        'test/recall',
        'test/facts',
        'test/history',
        'test/embedding',
        'test/access',
        'test/secrets/stored.test.ts',
        'test/graph',
        'test/code',
        'test/wire',
        'test/stigmem',
        'test/substrate',
      ]
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.postgres.config.ts', ...tests]
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
