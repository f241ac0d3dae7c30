// npm run bench <name> -- [arguments]: builds, then runs bench/<name>/main.ts against dist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled, root } from './install.mjs'

const [name, ...args] = process.argv.slice(2).filter((argument) => argument !== '--')
const folder = join(root, 'bench', name ?? '')
const entry = join(folder, 'main.ts')
if (name === undefined || !existsSync(entry)) {
  const names = readdirSync(join(root, 'bench')).filter((bench) => existsSync(join(root, 'bench', bench, 'main.ts')))
  process.stderr.write(`Usage: npm run bench <name> -- [arguments]. Names: ${names.join(', ')}\n`)
  process.exit(2)
}

// A bench measures the processes it starts; the bench of the shared process turns it on.
process.env.MNEME_SHARED ??= 'off'
await ensureInstalled()
await ensureBuilt()
const program = await transpile(entry)
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

/** Resolves imports of src to dist, so that the built program is measured. The bench's own files keep their import.meta.url. */
function againstDist() {
  return {
    name: 'against-dist',
    setup(context) {
      const source = join(root, 'src') + sep
      context.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const target = resolve(resolveDir, path)
        // Scripts locate the repository by their own import.meta.url.
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
