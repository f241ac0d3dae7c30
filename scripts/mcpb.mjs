// npm run mcpb [-- system...]: bundles for Claude Desktop and other hosts, one per system, in .cache/packages. The official tool, which
// validates and packs them, is fetched on demand.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { fetchTool, ownNpm, registryAddress, run, system } from './fetched-tools.mjs'
import { ensureInstalled, root } from './install.mjs'
import { startRegistry } from './loopback-registry.mjs'
import { pack, packages } from './package.mjs'

/** Per system: npm's platform settings, and the packages it needs in addition. */
const BUNDLES = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc', needs: ['mneme-runtime-linux-x64'] },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc', needs: ['mneme-runtime-linux-arm64'] },
  // Claude Desktop runs bundles in its own process, which rejects native modules of others: WebAssembly is used then.
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', needs: ['mneme-runtime-darwin-arm64'], also: ['mneme-wasm'] },
  'darwin-x64': { os: 'darwin', cpu: 'x64', needs: ['mneme-wasm-darwin-x64'] },
  'win32-x64': { os: 'win32', cpu: 'x64', needs: ['mneme-runtime-win32-x64'], also: ['mneme-wasm'] },
  'win32-arm64': { os: 'win32', cpu: 'arm64', needs: ['mneme-runtime-win32-arm64'], also: ['mneme-wasm'] },
}

const MAIN = 'node_modules/mneme/dist/main.js'

/** Builds, validates and packs the bundle of a system. Returns its path. */
export async function makeBundle(which, upstream) {
  const { os, cpu, libc, needs, also = [] } = BUNDLES[which]
  const folder = join(packages, `mcpb-${which}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const registry = await startRegistry(await pack([...needs, ...also]), upstream)
  try {
    const args = ['install', 'mneme', ...also, `--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])]
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save']
    await run(process.execPath, [ownNpm(), ...args, ...flags, `--registry=${registry.address}`, `--prefix=${folder}`], { cwd: folder })
  } finally {
    await registry.close()
  }
  // Only needed by hosts with an older Node.
  for (const name of ['mneme-sqlite', 'better-sqlite3', '.package-lock.json'])
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(await manifest(os), null, 2)}\n`)
  const mcpb = await mcpbTool()
  const file = join(packages, `mneme-${which}.mcpb`)
  rmSync(file, { force: true })
  await run(process.execPath, [mcpb, 'validate', join(folder, 'manifest.json')], { cwd: folder })
  await run(process.execPath, [mcpb, 'pack', folder, file], { cwd: folder })
  return file
}

export const mcpbTool = () => fetchTool('@anthropic-ai/mcpb@2', '@anthropic-ai/mcpb', 'dist/cli/cli.js')

async function manifest(os) {
  const { version, description, license, keywords } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    manifest_version: '0.3',
    name: 'mneme',
    display_name: 'mneme',
    version,
    description,
    author: { name: 'The authors of mneme' },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: MAIN,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${MAIN}`, 'mcp'],
        env: { MNEME_DATA_DIR: `\${user_config.data_dir}` },
      },
    },
    tools: await tools(),
    user_config: {
      data_dir: {
        type: 'directory',
        title: 'Data directory',
        description: 'Where the memory is kept. Programs that use the same directory share it.',
        default: `\${HOME}/.mneme`,
        required: false,
      },
    },
    compatibility: { platforms: [os], runtimes: { node: '>=22.16.0' } },
  }
}

/** What `mneme mcp` lists to a client without extensions: names and descriptions. */
async function tools() {
  const { Client } = await import('@modelcontextprotocol/client')
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-tools-'))
  const client = new Client({ name: 'mcpb', version: '1' })
  const args = [join(root, 'dist', 'main.js'), 'mcp', '--data-dir', dataDir, '--shared', 'off']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  try {
    return (await client.listTools()).tools.map(({ name, description }) => ({ name, description }))
  } finally {
    await client.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  await ensureBuilt()
  const upstream = await registryAddress()
  if (upstream === undefined) throw new Error('The package registry cannot be reached, and what a bundle holds comes from there.')
  const wanted = process.argv.slice(2)
  for (const which of wanted)
    if (!(which in BUNDLES)) throw new Error(`There is no bundle for ${which}, only for ${Object.keys(BUNDLES).join(', ')}.`)
  for (const which of wanted.length > 0 ? wanted : [system]) {
    const file = await makeBundle(which, upstream)
    process.stdout.write(`${relative(root, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)
  }
}
