// npm run test:package: installs and uses what is published on every supported Node. npm 12 runs no install scripts; there is no compiler
// on the path, and no network after the installation.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { fetchTool, nodeOf, ownNpm, registryAddress, run, system } from './fetched-tools.mjs'
import { ensureInstalled } from './install.mjs'
import { startRegistry } from './loopback-registry.mjs'
import { makeBundle, mcpbTool } from './mcpb.mjs'
import { companions, pack } from './package.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'mneme-package-'))
const MOST_DOWNLOADED = 75e6
const MOST_INSTALLED = 155e6
const only = process.argv.slice(2)
let passed = 0
let failed = 0

await ensureInstalled()
await ensureBuilt()
const upstream = await registryAddress()
if (upstream === undefined) {
  process.stdout.write('skipped: the package registry cannot be reached\n0 passed, 0 failed\n')
  process.exit(0)
}
const registry = await startRegistry(
  await pack(Object.keys(companions).filter((name) => name.endsWith(system) || name === 'mneme-sqlite')),
  upstream,
)
try {
  const npm12 = await fetchTool('npm@12', 'npm', 'bin/npm-cli.js')
  for (const major of ['22', '24', '26']) {
    const node = await nodeOf(major)
    await check(`Node ${major}, npm 12, no install scripts, no compiler`, () => use({ node, npm: npm12, compiler: false }))
  }
  if (process.versions.node.startsWith('20.'))
    await check('Node 20, with install scripts and a compiler', () => use({ node: process.execPath, npm: ownNpm(), compiler: true }))
  await check('without the native runtime, as on Alpine', async () => {
    const node = await nodeOf('24')
    await use({ node, npm: npm12, compiler: false, flags: ['--libc=musl'], withoutRuntime: true })
  })
  await check('the bundle: checked and packed by the official tool, unpacked it answers over stdio', bundle)
} finally {
  await registry.close()
  rmSync(scratch, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function check(name, work) {
  if (only.length > 0 && !only.some((word) => name.includes(word))) return
  const startedAt = performance.now()
  try {
    await work()
    passed++
    process.stdout.write(`ok: ${name} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)\n`)
  } catch (failure) {
    failed++
    process.stdout.write(`FAILED: ${name}\n${failure.message}\n`)
  }
}

async function use({ node, npm, compiler, flags = [], withoutRuntime = false }) {
  const home = mkdtempSync(join(scratch, 'home-'))
  const app = join(home, 'app')
  mkdirSync(app)
  const env = {
    HOME: home,
    USERPROFILE: home,
    PATH: compiler ? [dirname(node), process.env.PATH].join(delimiter) : shellOnly(node),
    npm_config_cache: join(home, 'cache'),
    npm_config_registry: registry.address,
    npm_config_userconfig: join(home, 'npmrc'),
    ...(compiler ? { npm_config_nodedir: dirname(dirname(node)) } : {}),
  }
  registry.taken()
  await run(node, [npm, 'install', 'mneme', '--no-audit', '--no-fund', ...flags], { cwd: app, env })
  const downloaded = registry.taken()
  const installed = sizeOf(join(app, 'node_modules'))
  say(`  downloaded ${megabytes(downloaded)}, installed ${megabytes(installed)}`)
  rmSync(join(home, 'cache'), { recursive: true, force: true })
  // A package compiled during installation also contains sources and build output.
  if (!compiler && (downloaded > MOST_DOWNLOADED || installed > MOST_INSTALLED)) throw new Error('that is more than it may be')
  const has = (name) => existsSync(join(app, 'node_modules', name))
  if (has(`mneme-runtime-${system}`) === withoutRuntime) throw new Error('the native runtime is there, or not there, as it should not be')
  if (has('better-sqlite3') !== compiler) throw new Error('better-sqlite3 is there, or not there, as it should not be')
  const offline = { cwd: app, env: { HOME: home, USERPROFILE: home, PATH: env.PATH, npm_config_offline: 'true' } }
  const main = join(app, 'node_modules', 'mneme', 'dist', 'main.js')
  const mneme = async (...args) => JSON.parse(await runApart(node, [main, ...args], offline))
  await asLibrary(node, offline)
  await askedOften(node, offline)
  await mneme('remember', 'The otter swims in the river every morning')
  await mneme('remember', 'Invoices are paid within thirty days')
  // On a busy machine the model may not be ready, as the result says.
  let answer = await mneme('recall', 'an animal that likes water', '--limit', '1')
  for (let tries = 0; tries < 5 && answer.notice !== undefined; tries++)
    answer = await mneme('recall', 'an animal that likes water', '--limit', '1')
  const { results } = answer
  if (!JSON.stringify(results).includes('otter')) throw new Error(`recall found ${JSON.stringify(results)}`)
  await findsCode(app, mneme)
  const { healthy, findings } = await mneme('doctor')
  const expected = withoutRuntime ? findings.filter(({ what }) => !what.includes('WebAssembly')) : findings
  if (!healthy || expected.length > 0) throw new Error(`doctor found ${JSON.stringify(findings)}`)
}

/** Definitions of a grammar of the package and of one of its dependency. */
async function findsCode(app, mneme) {
  const folder = join(app, 'code')
  mkdirSync(folder)
  writeFileSync(join(folder, 'kiln.js'), 'export function heatKiln() {\n  return 1\n}\n')
  writeFileSync(join(folder, 'oven.c'), 'int heatOven(void) {\n  return 1;\n}\n')
  await mneme('index', folder)
  for (const symbol of ['heatKiln', 'heatOven']) {
    const found = JSON.stringify(await mneme('call', 'memory', 'search_code', JSON.stringify({ query: symbol })))
    if (!found.includes(`"symbol":"${symbol}"`)) throw new Error(`code search for ${symbol} found ${found}`)
  }
}

/** The library is not bundled, so it needs its own packages. */
async function asLibrary(node, options) {
  const program = `
    import { openMemory } from 'mneme'
    const memory = await openMemory({ dataDir: 'library', embedder: 'hash' })
    await memory.remember('The lamp in the hall is broken.')
    const { results } = await memory.recall('hall lamp')
    await memory.call('memory', 'get_status')
    await memory.close()
    console.log(results.length)`
  const said = await runApart(node, ['--input-type=module', '-e', program], options)
  if (said.trim() !== '1') throw new Error(`the library answered ${said}`)
}

/** Both models alternately and concurrently, in two memories of one process, which are closed and reopened. */
async function askedOften(node, options) {
  const program = `
    import { openMemory } from 'mneme'
    let found = 0
    for (let round = 0; round < 2; round++) {
      const memories = await Promise.all(['one', 'two'].map((dataDir) => openMemory({ dataDir })))
      for (const memory of memories) await memory.remember('The otter swims in the river, says ' + round)
      for (let i = 0; i < 3; i++)
        for (const { results } of await Promise.all(memories.map((memory) => memory.recall('an animal in water ' + i))))
          found += Math.min(1, results.length)
      for (const memory of memories) await memory.close()
    }
    console.log(found)`
  const said = await runApart(node, ['--input-type=module', '-e', program], options)
  if (said.trim() !== '12') throw new Error(`of 12 questions ${said.trim()} were answered`)
}

async function bundle() {
  const { Client } = await import('@modelcontextprotocol/client')
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const file = await makeBundle(system, upstream)
  const folder = mkdtempSync(join(scratch, 'bundle-'))
  await run(process.execPath, [await mcpbTool(), 'unpack', file, folder], { cwd: folder })
  const { server, tools } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const data = join(folder, 'data')
  const fill = (text) => text.replace(/\$\{__dirname\}/, folder).replace(/\$\{user_config.data_dir\}/, data)
  const { args, env } = server.mcp_config
  const client = new Client({ name: 'package-test', version: '1' })
  const transport = new StdioClientTransport({
    command: await nodeOf('24'),
    args: args.map(fill),
    env: { PATH: '', HOME: folder, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])) },
  })
  await client.connect(transport)
  try {
    const listed = (await client.listTools()).tools.map(({ name }) => name).sort()
    if (JSON.stringify(listed) !== JSON.stringify(tools.map(({ name }) => name).sort()))
      throw new Error(`the manifest and the server list other tools: ${listed}`)
    await client.callTool({ name: 'store_memory', arguments: { content: 'The otter swims in the river' } })
    const answer = await client.callTool({ name: 'recall', arguments: { query: 'an animal that likes water' } }, { timeout: 120_000 })
    if (!JSON.stringify(answer).includes('otter')) throw new Error(`recall answered ${JSON.stringify(answer)}`)
    if (!existsSync(join(data, 'mneme.db'))) throw new Error('the memory is not where the manifest says')
  } finally {
    await client.close()
  }
  say(`  ${megabytes(statSync(file).size)}`)
}

/** A path with a shell but no compiler. */
function shellOnly(node) {
  const folder = mkdtempSync(join(scratch, 'path-'))
  for (const tool of ['sh', 'env', 'cat', 'uname']) if (existsSync(`/bin/${tool}`)) symlinkSync(`/bin/${tool}`, join(folder, tool))
  return [dirname(node), folder].join(delimiter)
}

/** Without a network, if the system can isolate it. */
function runApart(node, args, options) {
  return process.platform === 'linux' && existsSync('/usr/bin/unshare')
    ? run('/usr/bin/unshare', ['-rn', node, ...args], options)
    : run(node, args, options)
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0)
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
