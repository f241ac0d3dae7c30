import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './install.mjs'
import { withLock } from './lock.mjs'

const dist = join(root, 'dist')
const stamp = join(dist, '.built')

/** Brings dist up to date with the sources. With `tolerant`, type errors are shown but do not stop the build. */
export async function ensureBuilt({ tolerant = false } = {}) {
  if (isFresh()) return false
  return withLock(join(root, '.cache', 'work.lock'), async () => {
    if (isFresh()) return false
    say('building mneme, which takes about a minute the first time')
    say('1 of 3: the vector kernel')
    const { buildWasm } = await import('./build-wasm.mjs')
    await buildWasm()
    const digest = sourceDigest()
    const { buildModel } = await import('./build-model.mjs')
    const { bundle } = await import('./bundle.mjs')
    const { copyParts } = await import('./shipped-parts.mjs')
    const { buildConsole } = await import('./build-console.mjs')
    say('2 of 3: compiling the sources')
    const typed = await compile()
    say('3 of 3: the embedding model and the program')
    await Promise.all([buildModel(), copyParts(), bundle(), buildConsole()])
    if (typed) await writeTextsInProcess()
    removeOrphans()
    if (typed) writeFileSync(stamp, digest)
    else if (!tolerant) throw new Error('the sources have type errors')
    return true
  })
}

const say = (line) => process.stderr.write(`${line}\n`)

function isFresh() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest()
}

/** By content rather than times, so that switching branches does not rebuild. */
function sourceDigest() {
  const hash = createHash('sha256')
  const files = ['src', 'console', 'assembly', 'scripts'].flatMap((folder) => walk(join(root, folder)))
  for (const name of ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...files.map((file) => relative(root, file)).sort()]) {
    if (!name.endsWith('.test.ts')) hash.update(name).update(readFileSync(join(root, name)))
  }
  return hash.digest('hex')
}

function walk(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function compile() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: ['ignore', 2, 2] })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** In a process of its own: this one may have loaded an earlier build. */
function writeTextsInProcess() {
  const script = `import(${JSON.stringify(pathToFileURL(join(root, 'scripts', 'texts.mjs')).href)}).then(({ writeTexts }) => writeTexts())`
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: ['ignore', 2, 2] })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the texts of the help could not be made'))))
  })
}

/** Outputs of deleted sources would still be imported, tested and published. */
function removeOrphans() {
  for (const file of walk(dist)) {
    const path = relative(dist, file)
    if (path.startsWith(`bundle${sep}`) || path.startsWith(`console${sep}`) || path.startsWith(join('models', 'gte-small'))) continue
    const source = path.replace(/(\.d\.ts|\.js)$/, '.ts')
    if (source !== path && !existsSync(join(root, 'src', source))) rmSync(file)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  try {
    process.stderr.write((await ensureBuilt()) ? 'built\n' : 'dist is up to date\n')
  } catch (failure) {
    process.stderr.write(`build failed: ${failure.message}\n`)
    process.exitCode = 1
  }
}
