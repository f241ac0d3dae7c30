// The pages of the console, with their libraries, as a few static files.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './install.mjs'

export async function buildConsole() {
  const outdir = join(root, 'dist', 'console')
  rmSync(outdir, { recursive: true, force: true })
  mkdirSync(outdir, { recursive: true })
  await build({
    ...SHARED,
    entryPoints: [
      { in: 'console/app.tsx', out: 'app' },
      { in: 'console/app.css', out: 'app' },
    ],
    outdir,
    legalComments: 'linked',
  })
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(root, 'console', name), join(outdir, name))
  for (const [name, title] of Object.entries(APPS)) writeFileSync(join(outdir, `${name}.html`), await buildApp(name, title))
}

const SHARED = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
}

/** Pages of MCP Apps: hosts show them in a frame that may load nothing, so each is one file. */
const APPS = { results: 'Recalled memories', review: 'Review' }

async function buildApp(name, title) {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: [
      { in: `console/apps/${name}.tsx`, out: 'page' },
      { in: 'console/apps/page.css', out: 'page' },
    ],
    outdir: 'out',
    write: false,
    legalComments: 'none',
  })
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  const style = textOf('.css').replaceAll('</', '<\\/')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main id="app"></main>
<script type="module">${textOf('.js').replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
}
