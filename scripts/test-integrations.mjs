// npm run test:integrations: the adapters in packages/ with the real frameworks and scripted models. Arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

const packages = join(root, 'packages')
const stamp = join(packages, 'node_modules', '.installed')

await ensureInstalled()
await ensureBuilt()
installFrameworks()
const types = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'])
const tests = run(process.execPath, [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  'vitest.config.ts',
  ...process.argv.slice(2),
])
process.stdout.write(`types: ${types ? 'ok' : 'FAILED'}, tests: ${tests ? 'ok' : 'FAILED'}\n`)
process.exitCode = types && tests ? 0 : 1

/** What the lockfile of packages/ names: about 500 MB, once. */
function installFrameworks() {
  const locked = readFileSync(join(packages, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === locked) return
  process.stderr.write('installing the frameworks (about 500 MB)\n')
  if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])) {
    process.stderr.write('The frameworks could not be installed; npm says why above.\n')
    process.exit(1)
  }
  // The adapters find the package that they belong to as their users do.
  symlinkSync(root, join(packages, 'node_modules', 'mneme'), 'junction')
  writeFileSync(stamp, locked)
}

function run(command, args) {
  return (
    spawnSync(command, args, { cwd: packages, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' }).status === 0
  )
}
