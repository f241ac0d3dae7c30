// npm run package [-- name...]: everything that is published, as npm packs it, in .cache/packages.
// What depends on the system or the version of Node comes in optional packages that are made here; installers fetch only
// those that fit. A clone has all of it from its own dependencies, so package.json does not name them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { EXTERNAL } from './external.mjs'
import { ensureInstalled, root } from './install.mjs'

export const packages = join(root, '.cache', 'packages')

/** Only what computing on the processor needs: Windows loads the files of graphics cards when it is asked to use one. */
const NATIVE = {
  'linux-x64': ['libonnxruntime.so.1'],
  'linux-arm64': ['libonnxruntime.so.1'],
  'darwin-arm64': ['libonnxruntime.1.dylib'],
  'win32-x64': ['onnxruntime.dll'],
  'win32-arm64': ['onnxruntime.dll'],
}

/** Systems without a native runtime; on Linux those with musl. */
const WASM = ['darwin-x64', 'linux-x64', 'linux-arm64']

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What is published beside the program, by name. */
export const companions = {
  ...Object.fromEntries(Object.keys(NATIVE).map((system) => [`mneme-runtime-${system}`, (folder) => fillNative(folder, system)])),
  ...Object.fromEntries(WASM.map((system) => [`mneme-wasm-${system}`, (folder) => fillWasm(folder, system)])),
  'mneme-wasm': (folder) => fillWasm(folder),
  'mneme-sqlite': fillSqlite,
}

/** Packs the program and some of its companions. Answers each file and its manifest, by name. */
export function pack(wanted = Object.keys(companions)) {
  mkdirSync(packages, { recursive: true })
  const staged = [stageProgram(), ...wanted.map(stageCompanion)]
  return new Map(staged.map((folder) => describe(folder, npmPack(folder))))
}

const describe = (folder, file) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [manifest.name, { file, manifest }]
}

/** The folder of the program as it is published, before npm packs it. */
export function stageProgram() {
  const folder = emptyFolder('mneme')
  const { scripts: _scripts, devDependencies: _dev, overrides: _overrides, private: _private, ...published } = own
  // The others are inside the bundle, with their licences.
  const needed = Object.entries(own.dependencies).filter(([name]) => EXTERNAL.includes(name) || OF_THE_LIBRARY.includes(name))
  const optional = Object.keys(companions).filter((name) => name !== 'mneme-wasm')
  for (const name of own.files) cpSync(join(root, name), join(folder, name), { recursive: true, filter: isPublished })
  writeJson(join(folder, 'package.json'), {
    ...published,
    dependencies: Object.fromEntries(needed),
    optionalDependencies: Object.fromEntries(optional.map((name) => [name, own.version])),
  })
  return folder
}

/** Imported by the library and its workers, which are not bundled. */
const OF_THE_LIBRARY = ['zod', 'onnxruntime-common', 'pg']

/** Source maps, tests, the stamp of the build and what companions bring stay at home. */
const isPublished = (path) => !/\.map$|\.test\.(?:d\.ts|js)$|^\.built$|^models[\\/]wasm\b/.test(relative(join(root, 'dist'), path))

function stageCompanion(name) {
  const folder = emptyFolder(name)
  const { manifest, notices } = companions[name](folder)
  for (const file of notices) cpSync(join(root, file), join(folder, basename(file)))
  writeJson(join(folder, 'package.json'), { name, version: own.version, ...manifest })
  return folder
}

const ONNX_NOTICES = ['LICENSE', 'ThirdPartyNotices.txt', 'NOTICE.md'].map((file) => join('assets', 'onnxruntime', file))

function fillNative(folder, system) {
  const [os, cpu] = system.split('-')
  const from = join(root, 'node_modules', 'onnxruntime-node')
  const { version, license, dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const binaries = join('bin', 'napi-v6', os, cpu)
  mkdirSync(join(folder, binaries), { recursive: true })
  for (const file of ['onnxruntime_binding.node', ...NATIVE[system]]) cpSync(join(from, binaries, file), join(folder, binaries, file))
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

/** A package that installers leave out where Node has a SQLite of its own, together with what it needs. */
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
  for (const { file } of pack(wanted.length > 0 ? wanted : undefined).values())
    process.stdout.write(`${relative(root, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)
}
