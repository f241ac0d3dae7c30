// npm run package [-- name...]: packs everything that is published into .cache/packages. Parts that depend on the system or the Node
// version are optional packages built here; installers fetch only the matching ones. A clone has all of them from its own dependencies, so
// package.json does not list them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { EXTERNAL } from './external.mjs'
import { fetchTool } from './fetched-tools.mjs'
import { ensureInstalled, root } from './install.mjs'

export const packages = join(root, '.cache', 'packages')

/**
 * Later versions contain GPU support, which doubles the download on some systems. This is the last one without; it is fetched on demand.
 */
const RUNTIME = '1.21.1'

/** Files needed for CPU inference, pinned as tested. */
const NATIVE = {
  'linux-x64': {
    'libonnxruntime.so.1': '3d03e6de8f828ae7432e67764ab4c02d4c9d4804db1b46ad60484c46188bb144',
    'onnxruntime_binding.node': '61278544b4668a50a481b8a451cbd8f7627e2006b2b54cd9a96438dff24b67da',
  },
  'linux-arm64': {
    'libonnxruntime.so.1': '2dba27b484f8171f9fd39182230b4ace5f85401114d65a53c767ee924284806b',
    'onnxruntime_binding.node': 'c1af123e973aa95b71df207e79a0ce63def9b2b8a0e6f384a8c4455c64d5b1a8',
  },
  'darwin-arm64': {
    'libonnxruntime.1.21.1.dylib': '2ea5e7f4202bfa9e0cfe4822576d8a7bb71e430a57c84decb7c4830dea4337ef',
    'onnxruntime_binding.node': 'd748eb499784a400e4c4ee5932e61a79d5cbb6fde26382fe3fb62aeeda3a9dd4',
  },
  'win32-x64': {
    'onnxruntime.dll': '253cdf35f87692394205b01d8b6430f7926479bde557200f98d08193e8160a82',
    'onnxruntime_binding.node': '9f3026a462fb77d9f5866680209dd683ee51f6fbf8967da7770e154c395f73ef',
  },
  'win32-arm64': {
    'onnxruntime.dll': '705d445a93d59db8f3ac540e9c94d9498a7399bca90047fc9ca18cc87f6c0af2',
    'onnxruntime_binding.node': '401a1a66a9f01237c7b60340554ed3e65a8cd88402f72260fa0c14d348491de9',
  },
}

/** Systems without a native runtime; on Linux those with musl. */
const WASM = ['darwin-x64', 'linux-x64', 'linux-arm64']

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Packages published with the program. */
export const companions = {
  ...Object.fromEntries(Object.keys(NATIVE).map((system) => [`mneme-runtime-${system}`, (folder) => fillNative(folder, system)])),
  ...Object.fromEntries(WASM.map((system) => [`mneme-wasm-${system}`, (folder) => fillWasm(folder, system)])),
  'mneme-wasm': (folder) => fillWasm(folder),
  'mneme-sqlite': fillSqlite,
}

/** Packs the program and some of its companions. Returns file and manifest by name. */
export async function pack(wanted = Object.keys(companions)) {
  mkdirSync(packages, { recursive: true })
  const staged = [stageProgram()]
  for (const name of wanted) staged.push(await stageCompanion(name))
  return new Map(staged.map((folder) => describe(folder, npmPack(folder))))
}

const describe = (folder, file) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [manifest.name, { file, manifest }]
}

/** The folder of the program as published, before npm packs it. */
export function stageProgram() {
  const folder = emptyFolder('mneme')
  const { scripts: _scripts, devDependencies: _dev, overrides: _overrides, private: _private, ...published } = own
  // The other dependencies are in the bundle, with their licences.
  const needed = Object.entries(own.dependencies).filter(([name]) => EXTERNAL.includes(name) || OF_THE_LIBRARY.includes(name))
  const optional = Object.keys(companions).filter((name) => name !== 'mneme-wasm')
  const types = typesOfLibrary()
  const isWanted = (path) => isPublished(path) && (!path.endsWith('.d.ts') || types.has(path))
  const included = own.files.filter((name) => !name.startsWith('!'))
  for (const name of included) cpSync(join(root, name), join(folder, name), { recursive: true, filter: isWanted })
  writeJson(join(folder, 'package.json'), {
    ...published,
    dependencies: Object.fromEntries(needed),
    optionalDependencies: Object.fromEntries(optional.map((name) => [name, own.version])),
  })
  return folder
}

/** Type declarations reachable from the library's entry point; others cannot be imported. */
function typesOfLibrary() {
  const found = new Set()
  const waiting = [join(root, own.types)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const [, address] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)\.js['"]/g))
      waiting.push(join(dirname(file), `${address}.d.ts`))
  }
  return found
}

/** Imported by the library and its workers, which are not bundled. */
const OF_THE_LIBRARY = ['zod', 'onnxruntime-common', 'pg']

/** Excludes source maps, tests, the build stamp and parts of companions. */
const isPublished = (path) => !/\.map$|\.test\.(?:d\.ts|js)$|^\.built$|^models[\\/]wasm\b/.test(relative(join(root, 'dist'), path))

async function stageCompanion(name) {
  const folder = emptyFolder(name)
  const { manifest, notices } = await companions[name](folder)
  for (const file of notices) cpSync(join(root, file), join(folder, basename(file)))
  writeJson(join(folder, 'package.json'), { name, version: own.version, ...manifest })
  return folder
}

const ONNX_NOTICES = ['LICENSE', 'ThirdPartyNotices.txt', 'NOTICE.md'].map((file) => join('assets', 'onnxruntime', file))

async function fillNative(folder, system) {
  const [os, cpu] = system.split('-')
  const from = dirname(await fetchTool(`onnxruntime-node@${RUNTIME}`, 'onnxruntime-node', 'package.json'))
  const { version, license, dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  // The folder is named after the Node ABI of its files.
  const [made] = readdirSync(join(from, 'bin'))
  const binaries = join('bin', made, os, cpu)
  mkdirSync(join(folder, binaries), { recursive: true })
  for (const [file, hash] of Object.entries(NATIVE[system])) {
    const content = readFileSync(join(from, binaries, file))
    if (createHash('sha256').update(content).digest('hex') !== hash)
      throw new Error(`${file} of onnxruntime-node ${version} is not the file that was tried.`)
    writeFileSync(join(folder, binaries, file), content)
  }
  mkdirSync(join(folder, 'dist'))
  for (const file of readdirSync(join(from, 'dist')).filter((name) => name.endsWith('.js')))
    writeFileSync(join(folder, 'dist', file), readFileSync(join(from, 'dist', file), 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
  const manifest = {
    description: `ONNX Runtime ${version} for ${system}, as mneme uses it`,
    license,
    main: 'dist/index.js',
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
    dependencies: { 'onnxruntime-common': dependencies['onnxruntime-common'] },
  }
  return { manifest, notices: ONNX_NOTICES }
}

function fillWasm(folder, system) {
  const { version, license, dependencies } = JSON.parse(readFileSync(join(root, 'node_modules', 'onnxruntime-web', 'package.json'), 'utf8'))
  const [os, cpu] = system?.split('-') ?? []
  cpSync(join(root, 'dist', 'models', 'wasm'), folder, { recursive: true })
  const manifest = {
    description: `ONNX Runtime ${version} as WebAssembly${system === undefined ? '' : ` for ${system}`}, as mneme uses it`,
    license,
    type: 'module',
    exports: './ort.node.min.mjs',
    ...(system === undefined ? {} : { os: [os], cpu: [cpu] }),
    ...(os === 'linux' ? { libc: ['musl'] } : {}),
    dependencies: { 'onnxruntime-common': dependencies['onnxruntime-common'] },
  }
  return { manifest, notices: ONNX_NOTICES }
}

/** A package that installers skip if Node has a built-in SQLite. */
function fillSqlite(folder) {
  writeFileSync(join(folder, 'index.js'), "module.exports = require('better-sqlite3')\n")
  const manifest = {
    description: 'SQLite for mneme on versions of Node that have none',
    license: own.license,
    main: 'index.js',
    engines: { node: '>=20.11 <22.16 || ^23' },
    dependencies: own.optionalDependencies,
  }
  return { manifest, notices: ['LICENSE'] }
}

function emptyFolder(name) {
  const folder = join(packages, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

function npmPack(folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', packages, folder]
  const run = spawnSync('npm', args, { cwd: packages, encoding: 'utf8', maxBuffer: 2 ** 26, shell: process.platform === 'win32' })
  if (run.status !== 0) throw new Error(`npm pack failed in ${folder}:\n${run.stderr}`)
  const described = JSON.parse(run.stdout)
  const { filename } = Array.isArray(described) ? described[0] : Object.values(described)[0]
  return join(packages, filename)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  await ensureBuilt()
  const wanted = process.argv.slice(2)
  for (const name of wanted)
    if (!(name in companions)) throw new Error(`There is no package ${name}, only ${Object.keys(companions).join(', ')}.`)
  for (const { file } of (await pack(wanted.length > 0 ? wanted : undefined)).values())
    process.stdout.write(`${relative(root, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)
}
