// npm test: every check. Arguments are passed to vitest. The last line is always `N passed, N failed`.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'

const report = join(root, '.cache', 'vitest.json')
let passed = 0
let failed = 0

await ensureInstalled()
await check('build', ['scripts/build.mjs'])
await check('format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'])
await check('types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.test.json'])
await check('types of the console', ['node_modules/typescript/bin/tsc', '-p', 'console/tsconfig.json'])
await check('scan kernel is built from its source', ['scripts/build-wasm.mjs', '--check'])
if (existsSync(join(root, 'scripts', 'docs.mjs'))) await check('generated documents are fresh', ['scripts/docs.mjs', '--check'])
await tests(process.argv.slice(2))
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function check(name, args) {
  const startedAt = performance.now()
  const ok = (await node(args)) === 0
  if (ok) passed++
  else failed++
  process.stdout.write(`${ok ? 'ok' : 'FAILED'}: ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
}

async function tests(args) {
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args])
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { numPassedTests: 0, numFailedTests: 0 }
  passed += result.numPassedTests
  failed += result.numFailedTests
  // A file that cannot be loaded, or an unhandled rejection, fails the run without a failed test.
  if (code !== 0 && result.numFailedTests === 0) failed++
}

function node(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
