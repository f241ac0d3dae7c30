import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

/** Bundles the real `main.ts` around the fake composition root and returns the path of the program. */
export async function bundleProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-program-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', version: '1.2.3' }))
  await build({
    entryPoints: ['src/main.ts'],
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    plugins: [
      {
        name: 'fake-open',
        setup(plugin) {
          plugin.onResolve({ filter: /^\.\.\/open\.js$/ }, ({ importer }) =>
            importer.startsWith(resolve('src/program')) ? { path: resolve('test/surfaces/fake-open.ts') } : undefined,
          )
        },
      },
    ],
  })
  return join(folder, 'dist', 'main.js')
}
