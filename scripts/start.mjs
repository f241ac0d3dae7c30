// npm start: install and build what is missing, then serve in this process, so that signals and exit codes are the server's own.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './install.mjs'

await ensureInstalled()
// In a separate process, so that the compiler's memory is not kept.
const build = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] })
if (build.status !== 0) process.exit(build.status ?? 1)

const main = join(root, 'dist', 'main.js')
process.argv = [process.execPath, main, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(main).href)
