// npm run docs: regenerates the references, builds the documentation site and serves it on 127.0.0.1:7078. `npm run docs references` only
// regenerates, `npm run docs site` only builds (`-- --check` opens every page in Chromium).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './install.mjs'

const run = (script, ...args) =>
  spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { cwd: root, stdio: 'inherit' }).status === 0

const [name, ...args] = process.argv.slice(2)
if (name === 'references') finish(run('docs.mjs', ...args))
else if (name === 'site') finish(run('site.mjs', ...args))
else if (name === undefined) finish(run('docs.mjs') && run('site.mjs', '--serve'))
else {
  process.stderr.write('Usage: npm run docs [references | site] [-- --check]\n')
  finish(false)
}

function finish(ok) {
  process.exitCode = ok ? 0 : 1
}
