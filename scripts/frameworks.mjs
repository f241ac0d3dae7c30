// The frameworks that the adapters in packages/ are built and tested against.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

export const packages = join(root, 'packages')
const stamp = join(packages, 'node_modules', '.installed')

/** What the lockfile of packages/ names: about 500 MB, once. */
export function installFrameworks() {
  const locked = readFileSync(join(packages, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === locked) return
  process.stderr.write('installing the frameworks (about 500 MB)\n')
  if (!runInPackages('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'])) {
    process.stderr.write('The frameworks could not be installed; npm says why above.\n')
    process.exit(1)
  }
  // The adapters find the package that they belong to as their users do.
  symlinkSync(root, join(packages, 'node_modules', 'mneme'), 'junction')
  writeFileSync(stamp, locked)
}

export function runInPackages(command, args) {
  return (
    spawnSync(command, args, { cwd: packages, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' }).status === 0
  )
}
