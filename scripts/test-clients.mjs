// npm run test:clients: real MCP clients from npm, driven by a model on loopback. Arguments are passed to vitest.
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
await ensureBuilt()
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.clients.config.ts', ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
