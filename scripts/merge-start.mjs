// Dynamic imports split shared code into many chunks, and a start would read about seventy. This merges the chunks that every server start
// reads into one; the originals re-export its members, so that later imports get the same modules.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** What a start loads that only prints or forwards. */
const THIN = ['src/main.ts', 'src/program/forwarding.ts']
/** What a server loads before it answers. */
const STARTED = [
  'src/program/run-here.ts',
  'src/program/shared-process.ts',
  'src/surfaces/mcp/stdio.ts',
  'src/backends/sqlite/open.ts',
  'src/contracts/memory/contract.ts',
]

export async function mergeStart(outdir, { outputs }) {
  const files = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
  const names = staticallyImported(files)
  const entry = names.map((name, nth) => handOn(name, files.get(name).exports, (member) => [member, `m${nth}_${member}`])).join('\n')
  await build({
    stdin: { contents: entry, resolveDir: outdir },
    outfile: join(outdir, 'start.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [onlyThese(new Set(names))],
    logLevel: 'warning',
  })
  names.forEach((name, nth) => {
    const text = handOn('start.js', files.get(name).exports, (member) => [`m${nth}_${member}`, member])
    writeFileSync(join(outdir, name), `${text}\n`)
  })
}

/** In loading order. */
function staticallyImported(files) {
  const found = []
  // These stay in files of their own: such a start must not read the rest.
  const thin = []
  const visit = (name, into = found) => {
    if (found.includes(name) || thin.includes(name)) return
    into.push(name)
    for (const { path, kind, external } of files.get(name).imports)
      if (kind === 'import-statement' && !external) visit(basename(path), into)
  }
  const entryOf = (started) => {
    const [name] = [...files].find(([, { entryPoint }]) => entryPoint === started) ?? []
    if (name === undefined) throw new Error(`${started} is no longer a file of its own in the bundle: scripts/merge-start.mjs names it`)
    return name
  }
  for (const entry of THIN) visit(entryOf(entry), thin)
  for (const started of STARTED) visit(entryOf(started))
  return found
}

const handOn = (from, members, rename) =>
  members.length === 0
    ? `import './${from}'`
    : `export { ${members.map((member) => rename(member).join(' as ')).join(', ')} } from './${from}'`

const onlyThese = (names) => ({
  name: 'only-these',
  setup(context) {
    context.onResolve({ filter: /./ }, ({ path, kind }) => {
      const isOurs = path.startsWith('./') && names.has(basename(path)) && kind !== 'dynamic-import'
      return kind === 'entry-point' || isOurs ? undefined : { path, external: true }
    })
  },
})
