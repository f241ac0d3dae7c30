// npm run docs site: builds the documentation site into site/dist; --serve serves it on loopback, --check opens every page in Chromium.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { llmsFull, llmsList } from './llms.mjs'
import { gatherPages } from './site-pages.mjs'

const site = join(root, 'site')
const stamp = join(site, 'node_modules', '.installed')
const locked = readFileSync(join(site, 'package-lock.json'), 'utf8')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== locked) {
  process.stderr.write('installing VitePress (about 100 MB)\n')
  if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])) fail('VitePress could not be installed; npm says why above.')
  writeFileSync(stamp, locked)
}
gatherPages(root, join(site, '.pages'))
const program = join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
if (!run(process.execPath, [program, 'build'])) fail('The site could not be built; VitePress says why above.')
const dist = join(site, 'dist')
cpSync(join(root, 'docs', 'openapi.json'), join(dist, 'docs', 'openapi.json'))
writeFileSync(join(dist, 'llms.txt'), llmsList(root))
writeFileSync(join(dist, 'llms-full.txt'), llmsFull(root))
process.stderr.write(`built ${dist}\n`)
if (process.argv.includes('--check')) {
  const { checkSite } = await import('./check-site.mjs')
  const problems = await checkSite(dist, { shots: process.env.MNEME_SITE_PICTURES })
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.stderr.write(`${problems.length} problems in Chromium\n`)
  if (problems.length > 0) process.exitCode = 1
}
if (process.argv.includes('--serve')) run(process.execPath, [program, 'preview', '--host', '127.0.0.1', '--port', '7078'])

function run(command, args) {
  return spawnSync(command, args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' }).status === 0
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
