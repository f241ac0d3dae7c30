// npm run test:postgres: the tests of engine, graph, code, wire and the contracts with a database on a server in the place of each file.
// Arguments name other tests. What differs, and why, is in test/postgres/everywhere/differences.ts.
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
await ensureBuilt()
const given = process.argv.slice(2)
const tests = given.length > 0 ? given : ['test/engine', 'test/graph', 'test/code', 'test/wire', 'test/stigmem', 'test/substrate']
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.postgres.config.ts', ...tests]
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
