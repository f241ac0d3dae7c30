// The pages of the console, with their libraries, as a few static files.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './install.mjs'

export async function buildConsole() {
  const outdir = join(root, 'dist', 'console')
  rmSync(outdir, { recursive: true, force: true })
  mkdirSync(outdir, { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'console/app.tsx', out: 'app' },
      { in: 'console/app.css', out: 'app' },
    ],
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'linked',
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(root, 'console', name), join(outdir, name))
}
