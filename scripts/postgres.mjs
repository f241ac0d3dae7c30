// A PostgreSQL with pgvector for tests: fetched once from the Debian archive configured on the machine, unpacked without root or compiler,
// and started on its own socket.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './fetched-tools.mjs'
import { root } from './install.mjs'

const VERSION = 17
const SUITE = 'trixie'
const cache = join(root, '.cache')

/** Library folder and loader per architecture. */
const LIBRARIES = {
  x64: { folder: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
}[process.arch]

/** The server, its extension, and all their libraries, because the machine may have older ones or none. */
const PACKAGES = [
  ...[`postgresql-${VERSION}`, `postgresql-${VERSION}-pgvector`, `postgresql-client-${VERSION}`],
  ...['libc6', 'libgcc-s1', 'libstdc++6', 'libicu76', 'libpq5', 'libssl3t64', 'libxml2', 'libreadline8t64', 'libtinfo6', 'libsystemd0'],
  ...['zlib1g', 'libzstd1', 'liblz4-1', 'liblzma5', 'libxxhash0', 'libpam0g', 'libaudit1', 'libcap-ng0', 'libcap2', 'libkeyutils1'],
  ...['libgssapi-krb5-2', 'libkrb5-3', 'libk5crypto3', 'libkrb5support0', 'libcom-err2', 'libldap2', 'libsasl2-2'],
]
const PROGRAMS = ['postgres', 'initdb', 'pg_ctl', 'psql', 'pg_dump', 'pgbench']

/** An unprivileged user, because PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const asServer = isRoot ? NOBODY : {}

/** The folder of its programs, fetched if needed; undefined if unavailable. */
export async function postgresPrograms() {
  const home = join(cache, `postgres-${VERSION}`)
  if (!existsSync(join(home, 'complete'))) {
    if (LIBRARIES === undefined || process.platform !== 'linux') return undefined
    try {
      await fetchTree(home)
    } catch (error) {
      process.stderr.write(
        `No PostgreSQL for the tests: ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : error}\n`,
      )
      return undefined
    }
  }
  return programsFor(home)
}

const programFolder = (home) => join(home, 'root', 'usr', 'lib', 'postgresql', String(VERSION), 'bin')

/** A server without root needs a readable folder: if only root can read it, it is copied. */
function programsFor(home) {
  const programs = programFolder(home)
  if (!isRoot || spawnSync(join(programs, 'postgres'), ['-V'], NOBODY).status === 0) return programs
  const open = join(tmpdir(), `mneme-postgres-${VERSION}`)
  if (!existsSync(join(open, 'complete'))) {
    rmSync(open, { recursive: true, force: true })
    cpSync(home, open, { recursive: true, verbatimSymlinks: true })
    wrapPrograms(open)
  }
  return programFolder(open)
}

async function fetchTree(home) {
  rmSync(home, { recursive: true, force: true })
  const apt = join(home, 'apt')
  for (const folder of ['parts', 'none', 'lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, folder), { recursive: true })
  writeFileSync(join(apt, 'status'), '')
  writeFileSync(join(apt, 'parts', 'archive.list'), `deb [signed-by=${KEYRING}] ${debianArchive()} ${SUITE} main\n`)
  const settings = {
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': join(apt, 'parts'),
    'Dir::Etc::preferencesparts': join(apt, 'none'),
    'Dir::Etc::parts': join(apt, 'none'),
    'Dir::State': apt,
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  }
  const config = join(apt, 'apt.conf')
  writeFileSync(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  )
  const env = { ...process.env, APT_CONFIG: config, HOME: apt }
  const packages = join(apt, 'cache')
  await run('apt-get', ['update', '-qq'], { cwd: packages, env })
  await run('apt-get', ['download', '-qq', ...PACKAGES], { cwd: packages, env })
  for (const file of readdirSync(packages).filter((name) => name.endsWith('.deb')))
    await run('dpkg', ['-x', join(packages, file), join(home, 'root')], { cwd: packages })
  wrapPrograms(home)
  rmSync(apt, { recursive: true, force: true })
  writeFileSync(join(home, 'complete'), '')
}

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** The archive configured on this machine, in either file format. */
function debianArchive() {
  const files = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].filter((file) => existsSync(file))
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const addresses = lines.flatMap((line) => (/^(?:URIs:|deb\s)/.test(line) ? (line.match(/https?:\/\/\S+/g) ?? []) : []))
  const found = addresses.find((address) => /\/debian\/*$/.test(address))
  if (found === undefined) throw new Error('this machine has no Debian archive in its apt settings')
  return found
}

/** The programs need their own libraries, so each is started through their loader. */
function wrapPrograms(home) {
  const programs = programFolder(home)
  const libraries = join(home, 'root', 'usr', 'lib', LIBRARIES.folder)
  mkdirSync(join(programs, 'real'), { recursive: true })
  for (const name of PROGRAMS) {
    const path = join(programs, name)
    const real = join(programs, 'real', name)
    if (!existsSync(real)) renameSync(path, real)
    writeFileSync(path, `#!/bin/sh\nexec ${join(libraries, LIBRARIES.loader)} --library-path ${libraries} --argv0 ${path} ${real} "$@"\n`)
    chmodSync(path, 0o755)
  }
}

/**
 * Creates a cluster in its own folder and starts it on a socket there, without fsync by default. The server outlives its starter; stop it
 * with `stopPostgres`.
 */
export async function startPostgres(programs, { flush = false, settings = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-pg-'))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  mkdirSync(data)
  if (isRoot) for (const path of [folder, data]) chownSync(path, NOBODY.uid, NOBODY.gid)
  const options = { cwd: folder, env: { ...process.env, HOME: folder }, ...asServer }
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'mneme', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], options)
  return restartPostgres(programs, folder, { flush, settings })
}

/** Starts a stopped cluster of `startPostgres` again. */
export async function restartPostgres(programs, folder, { flush = false, settings = {} } = {}) {
  const given = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '300',
    shared_buffers: '128MB',
    // The JIT compiler needs a library of a hundred megabytes that is not fetched.
    jit: 'off',
    ...(flush ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  }
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = join(folder, 'log')
  writeFileSync(logFile, '')
  const log = openSync(logFile, 'a')
  const server = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...flags], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    ...asServer,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  let ended = false
  server.once('exit', () => {
    ended = true
  })
  server.unref()
  while (!readFileSync(logFile, 'utf8').includes('ready to accept connections')) {
    if (ended) throw new Error(`PostgreSQL did not start:\n${readFileSync(logFile, 'utf8')}`)
    await rest()
  }
  return { url: `postgres://mneme@localhost/postgres?host=${encodeURIComponent(folder)}`, folder, pid: server.pid }
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 20))

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Stops the server at once, and deletes its folder unless kept. */
export async function stopPostgres({ pid, folder }, { keep = false } = {}) {
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
  while (isAlive(pid)) await rest()
  if (!keep) rmSync(folder, { recursive: true, force: true })
}
