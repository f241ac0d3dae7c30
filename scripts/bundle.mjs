// Bundles the program into few files: Node 20 spends most of a start on hundreds of small modules. The library (dist/open.js) and the
// worker threads stay unbundled.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build } from 'esbuild'
import { EXTERNAL } from './external.mjs'
import { root } from './install.mjs'
import { mergeStart } from './merge-start.mjs'
import { writeNotices } from './notices.mjs'

export async function bundle() {
  const outdir = join(root, 'dist', 'bundle')
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    external: EXTERNAL,
    // Its other build resolves its parts dynamically.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'\nconst require = createBundleRequire(import.meta.url)",
    },
    plugins: [keepOwnUrl, leaveOut],
    logLevel: 'warning',
  })
  writeNotices(metafile)
  await mergeStart(outdir, metafile)
  const main = join(root, 'dist', 'main.js')
  writeFileSync(main, "#!/usr/bin/env node\nimport './bundle/main.js'\n")
  chmodSync(main, 0o755)
}

/** Modules that locate files relative to themselves must find them from dist/bundle. */
const keepOwnUrl = {
  name: 'keep-own-url',
  setup(context) {
    const source = join(root, 'src')
    context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!path.startsWith(source + sep) || !text.includes('import.meta.url')) return undefined
      const compiled = relative(source, path).split(sep).join('/').replace(/\.ts$/, '.js')
      return { contents: text.replaceAll('import.meta.url', `new URL('../${compiled}', import.meta.url).href`), loader: 'ts' }
    })
  },
}

/** Half a megabyte of unused code: localised messages and form validation. */
const UNUSED = [
  [/zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js'"],
  [
    /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    "export { default as process } from 'node:process'\nexport class DefaultJsonSchemaValidator {\n  getValidator() { throw new Error('forms are not part of this program') }\n}",
  ],
]

const leaveOut = {
  name: 'leave-out',
  setup(context) {
    for (const [filter, contents] of UNUSED)
      context.onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path), loader: 'js' }))
  },
}
