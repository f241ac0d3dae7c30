// Compiles each package in packages/ into its dist, as it is published.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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
    return runInPackages(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...OPTIONS, ...LIBRARIES, ...places, ...files])
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
