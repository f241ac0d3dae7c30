// npm run bench -- <name> [arguments]: builds, then runs bench/<name>/main.ts against dist.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

const [name, ...args] = process.argv.slice(2)
const folder = join(root, 'bench', name ?? '')
const entry = ['main.ts', 'main.mjs'].map((file) => join(folder, file)).find((file) => existsSync(file))
if (name === undefined || entry === undefined) {
  process.stderr.write(`There is no bench/${name ?? ''}/main.ts. Usage: node scripts/bench.mjs <name> [arguments]\n`)
  process.exit(2)
}

await ensureInstalled()
await ensureBuilt()
const program = entry.endsWith('.ts') ? await transpile(entry) : entry
process.argv = [process.execPath, program, ...args]
await import(pathToFileURL(program).href)

async function transpile(source) {
  const { build, stop } = await import('esbuild')
  const outfile = join(root, '.cache', 'bench', `${name}.mjs`)
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [againstDist()],
    logLevel: 'warning',
  })
  await stop()
  return outfile
}

/** What is measured is the built program; the bench's own files keep their addresses. */
function againstDist() {
  return {
    name: 'against-dist',
    setup(context) {
      const source = join(root, 'src') + sep
      context.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const target = resolve(resolveDir, path)
        // What fetches and starts things finds its place by its own address.
        if (target.startsWith(join(root, 'scripts') + sep)) return { path: pathToFileURL(target).href, external: true }
        if (!target.startsWith(source)) return undefined
        return { path: pathToFileURL(join(root, 'dist', relative(source, target))).href, external: true }
      })
      context.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        loader: 'ts',
      }))
    },
  }
}
