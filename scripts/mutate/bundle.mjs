// Bundles a test file with its sources, so that module constants are re-evaluated for each mutant.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from '../install.mjs'

/** `instrumented` maps paths to the text of files under test. */
export async function bundleTest(file, instrumented) {
  const plugin = {
    name: 'mutants',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        contents: (instrumented.get(path) ?? readFileSync(path, 'utf8')).replaceAll(
          'import.meta.url',
          JSON.stringify(pathToFileURL(path).href),
        ),
        loader: 'ts',
      }))
    },
  }
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [plugin],
    logLevel: 'silent',
  })
  return outputFiles[0].text
}
