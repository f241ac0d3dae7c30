// npm run test:package -- image: builds and runs the image with docker. Without a docker daemon, as root on Debian, it executes the steps of the
// Dockerfile in a clean root created by debootstrap, with the Node and npm of the base image.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fetchTool, nodeOf, registryAddress, run } from './fetched-tools.mjs'
import { root } from './install.mjs'

const PORT = 7177
const TRUSTED = '/etc/extra-ca.pem'
const PLAIN = {
  PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...(process.env.NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS: TRUSTED }),
}

if ((await registryAddress()) === undefined) skip('the package registry cannot be reached')
if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0) await withDocker()
else if (process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version'], { stdio: 'ignore' }).status !== 0)
  skip('there is no docker daemon, and a clean root needs debootstrap and the rights of root')
else await inCleanRoot()
process.stdout.write('1 passed, 0 failed\n')

function skip(reason) {
  process.stdout.write(`skipped: ${reason}\n0 passed, 0 failed\n`)
  process.exit(0)
}

async function withDocker() {
  await run('docker', ['build', '-t', 'mneme-test', '.'], { cwd: root })
  const volume = ['-v', 'mneme-test:/data']
  const { key } = JSON.parse(await run('docker', ['run', '--rm', ...volume, 'mneme-test', 'keys', 'create', 'default'], { cwd: root }))
  const port = ['-p', `127.0.0.1:${PORT}:7077`]
  const container = (await run('docker', ['run', '-d', '--rm', ...port, ...volume, 'mneme-test'], { cwd: root })).trim()
  try {
    await healthy()
    await lockedTo(key)
  } finally {
    await run('docker', ['stop', container], { cwd: root })
    await run('docker', ['volume', 'rm', 'mneme-test'], { cwd: root })
  }
}

/** Instructions with continued lines joined and comments removed. */
function instructions() {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
  return text.split('\n').flatMap((line) => {
    const found = /^([A-Z]+)\s+(.*)$/.exec(line)
    return found === null ? [] : [{ word: found[1], rest: found[2].trim() }]
  })
}

async function inCleanRoot() {
  const scratch = mkdtempSync(join(tmpdir(), 'mneme-image-'))
  try {
    const base = await makeBase(scratch)
    const stage = { folder: '', cwd: '/', env: {}, user: undefined, entry: [], command: [], check: [], built: new Map() }
    for (const { word, rest } of instructions()) await carryOut(word, rest, stage, base, scratch)
    await serve(stage)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function makeBase(scratch) {
  const base = join(scratch, 'base')
  say('debootstrap')
  await run('debootstrap', ['--variant=minbase', 'bookworm', base, ...mirror()], { cwd: scratch })
  const node = await nodeOf('24')
  cpSync(node, join(base, 'usr', 'local', 'bin', 'node'))
  const npm = dirname(dirname(await fetchTool('npm@12', 'npm', 'bin/npm-cli.js')))
  cpSync(npm, join(base, 'usr', 'local', 'lib', 'node_modules', 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr', 'local', 'bin', 'npm'))
  await run('/usr/sbin/chroot', [base, 'useradd', '--create-home', '--uid', '1000', 'node'], { cwd: scratch })
  for (const file of ['resolv.conf', 'hosts']) cpSync(join('/etc', file), join(base, 'etc', file), { dereference: true })
  // A machine behind a proxy must trust it.
  const trusted = process.env.NODE_EXTRA_CA_CERTS
  if (trusted !== undefined) cpSync(trusted, join(base, TRUSTED), { dereference: true })
  return base
}

/** The machine's own package source. */
function mirror() {
  const lists = ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources'].filter((file) => existsSync(file))
  const found = /https?:\/\/[^\s]+\/debian\/?(?=\s)/.exec(lists.map((file) => readFileSync(file, 'utf8')).join('\n'))
  return found === null ? [] : [found[0]]
}

async function carryOut(word, rest, stage, base, scratch) {
  if (word === 'FROM') {
    const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'image'
    const folder = join(scratch, name)
    await run('cp', ['-a', base, folder], { cwd: scratch })
    Object.assign(stage, { folder, cwd: '/', env: {}, user: undefined })
    stage.built.set(name, folder)
  } else if (word === 'WORKDIR') {
    stage.cwd = rest
    mkdirSync(join(stage.folder, rest), { recursive: true })
  } else if (word === 'COPY') await copy(rest, stage)
  else if (word === 'RUN') {
    say(`RUN ${rest.slice(0, 60)}`)
    await run(...inside(stage.folder, ['sh', '-c', `cd ${stage.cwd} && ${rest}`]), { env: { ...PLAIN, HOME: '/root', ...stage.env } })
  } else if (word === 'ENV') for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value
  else if (word === 'USER') stage.user = rest
  else if (word === 'ENTRYPOINT') stage.entry = JSON.parse(rest)
  else if (word === 'CMD') stage.command = JSON.parse(rest)
  else if (word === 'HEALTHCHECK') stage.check = JSON.parse(rest.slice(rest.indexOf('[')))
  else if (!['VOLUME', 'EXPOSE'].includes(word)) throw new Error(`The Dockerfile has a step that is not known here: ${word}`)
}

/** With a process namespace, as in a container, which ends with the command. */
function inside(folder, words, flags = []) {
  const script = 'mount -t proc proc "$0/proc" && exec chroot "$@"'
  return ['/usr/bin/unshare', ['--mount', 'sh', '-c', script, folder, ...flags, folder, ...words]]
}

async function copy(rest, stage) {
  const [, from, source, target] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest)
  if (from !== undefined) await run('cp', ['-a', join(stage.built.get(from), source), join(stage.folder, target)], {})
  // Like .dockerignore, excludes what is not in the repository.
  else await run('sh', ['-c', `git archive HEAD | tar x -C "${join(stage.folder, stage.cwd)}"`], { cwd: root })
}

/** Runs like the image and checks its health like docker. */
async function serve({ folder, env, user, entry, command, check }) {
  const words = (given) => inside(folder, given, [`--userspec=${user}`])
  const given = { env: { ...PLAIN, HOME: `/home/${user}`, ...env, MNEME_PORT: String(PORT) } }
  const mneme = async (...args) => JSON.parse(await run(...words([...entry, ...args]), given))
  const { key } = await mneme('keys', 'create', 'default')
  const child = spawn(...words([...entry, ...command]), { ...given, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    await healthy()
    await lockedTo(key)
    await run(...words(check.map((word) => word.replace('7077', String(PORT)))), given)
    await mneme('remember', 'The otter swims in the river')
    if (!JSON.stringify(await mneme('recall', 'an animal that likes water')).includes('otter')) throw new Error('recall found nothing')
    if (!existsSync(join(folder, 'data', 'mneme.db'))) throw new Error('the memory is not in the volume')
  } finally {
    child.kill()
  }
  say('it serves, is healthy, remembers and recalls')
}

async function healthy() {
  const address = `http://127.0.0.1:${PORT}/healthz`
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return
    await delay(500)
  }
  throw new Error(`${address} did not answer`)
}

/** Requests with the key succeed, all others are rejected. */
async function lockedTo(key) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const plain = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const [headers, expected] of [
    [plain, 401],
    [{ ...plain, authorization: `Bearer ${key}` }, 200],
  ]) {
    const { status } = await fetch(`http://127.0.0.1:${PORT}/mcp`, { method: 'POST', headers, body })
    if (status !== expected) throw new Error(`/mcp answered ${status} instead of ${expected}`)
  }
}

function say(line) {
  process.stdout.write(`  ${line}\n`)
}
