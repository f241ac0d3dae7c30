// Compiles each package in packages/ into its dist, as it is published.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { ensureBuilt } from './build.mjs'
import { installFrameworks, packages, runInPackages } from './frameworks.mjs'
import { ensureInstalled, root } from './install.mjs'

const OPTIONS = [
  '--ignoreConfig',
  '--strict',
  '--declaration',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--types',
  'node',
]
const LIBRARIES = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable']

/** Whether all of them compiled. */
export function buildAdapters() {
  const names = readdirSync(packages, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && hasSources(entry.name) ? [entry.name] : [],
  )
  return names.every((name) => {
    rmSync(join(packages, name, 'dist'), { recursive: true, force: true })
    const files = sourcesOf(name).map((file) => `${name}/src/${file}`)
    const places = ['--rootDir', `${name}/src`, '--outDir', `${name}/dist`]
    const compiled = [join(root, 'node_modules/typescript/bin/tsc'), ...OPTIONS, ...LIBRARIES, ...places, ...files]
    if (!runInPackages(process.execPath, compiled)) return false
    includeClient(name)
    return true
  })
}

/** A plugin whose host installs it alone contains the client: its package names no `mneme`. */
function includeClient(name) {
  const { exports: entries, peerDependencies } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  if (peerDependencies.mneme !== undefined) return
  const file = join(packages, name, entries['.'].default)
  buildSync({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: { 'mneme/client': join(root, 'dist', 'client', 'connect.js') },
    logLevel: 'warning',
  })
}

const sourcesOf = (name) => readdirSync(join(packages, name, 'src')).filter((file) => file.endsWith('.ts'))
const hasSources = (name) => name !== 'node_modules' && readdirSync(join(packages, name)).includes('src')

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  await ensureBuilt()
  installFrameworks()
  process.exitCode = buildAdapters() ? 0 : 1
}
