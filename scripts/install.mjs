// Uses only Node's own modules, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.mneme-installed')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 11)) {
  process.stderr.write(`mneme needs Node 20.11 or newer; this is ${process.version}.\n`)
  process.exit(1)
}

/** Installs what package-lock.json lists, unless installed. */
export async function ensureInstalled() {
  if (isStamped()) return
  try {
    await withLock(join(root, '.cache', 'work.lock'), install)
  } catch (failure) {
    process.stderr.write(`${failure.message}\n`)
    process.exit(1)
  }
}

function install() {
  if (isStamped()) return
  if (!matchesLockfile()) {
    process.stderr.write('installing dependencies, which takes a minute or two the first time\n')
    // npm would empty the target of a link, which belongs to another checkout.
    if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error('node_modules is a link: remove it, or install what package-lock.json names there.')
    // Most install scripts only fetch what the packages contain; the one that compiles runs below.
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
    // Installs locked versions by hash: `npm install` would accept others within the ranges.
    if (!npm(['ci', ...flags])) throw new Error('The dependencies could not be installed; npm says why above.')
  }
  if (!hasOwnSqlite() && !nativeModuleLoads()) buildNativeModule()
  writeFileSync(stamp, fingerprint())
}

function isStamped() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

function fingerprint() {
  const lockfile = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${lockfile} ${process.platform} ${process.arch} ${process.versions.modules}`
}

/** True if every package is installed in its locked version. */
function matchesLockfile() {
  const installedFile = join(modules, '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return Object.entries(locked).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || entry.peer || installed[path]?.version === entry.version,
  )
}

/** From this version on the built-in SQLite is used, and nothing is compiled. */
function hasOwnSqlite() {
  return major >= 24 || (major === 22 && minor >= 16)
}

function nativeModuleLoads() {
  const probe = "new (require('better-sqlite3'))(':memory:').close()"
  return spawnSync(process.execPath, ['-e', probe], { cwd: root, stdio: 'ignore' }).status === 0
}

function buildNativeModule() {
  process.stderr.write('building better-sqlite3\n')
  const attempts = [{}, ...headerFolders().map((nodedir) => ({ npm_config_nodedir: nodedir }))]
  let output = ''
  for (const env of attempts) {
    const run = spawnSync('npm', ['rebuild', 'better-sqlite3', '--foreground-scripts'], {
      cwd: root,
      env: { ...process.env, npm_config_ignore_scripts: 'false', ...env },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (run.status === 0 && nativeModuleLoads()) return
    output = `${run.stdout ?? ''}${run.stderr ?? ''}${run.error ?? ''}`
  }
  throw new Error(
    `${output}\nbetter-sqlite3 could not be built: install python3, make and a C++ compiler, then try again.\nNode 22.16 and newer need none of them.`,
  )
}

/** Possible locations of Node's headers, for machines without a network. */
function headerFolders() {
  return [...new Set([dirname(dirname(process.execPath)), '/usr'])].filter((prefix) => {
    const header = join(prefix, 'include', 'node', 'node_version.h')
    return existsSync(header) && new RegExp(`NODE_MAJOR_VERSION ${major}\\b`).test(readFileSync(header, 'utf8'))
  })
}

function npm(args) {
  return spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }).status === 0
}
