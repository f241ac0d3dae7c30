// npm run check: types, lint, architecture.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
const checks = [
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.test.json']],
  ['architecture', ['node_modules/vitest/vitest.mjs', 'run', 'test/architecture.test.ts']],
]
for (const [name, args] of checks) {
  const ok = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0
  process.stdout.write(`${ok ? 'ok' : 'FAILED'}: ${name}\n`)
  if (!ok) process.exitCode = 1
}
