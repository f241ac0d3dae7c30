// Programs from the package registry for tests of packages and Node versions.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './install.mjs'

export const system = `${process.platform}-${process.arch}`

const tools = join(root, '.cache', 'package-tools')

/** A Node with this major version, from npm. */
export function nodeOf(major) {
  const name = `node-${system.replace('win32', 'win')}`
  return fetchTool(`${name}@${major}`, name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
}

/** A cached tool from npm. Flags go to the installer. */
export async function fetchTool(spec, name, file, ...flags) {
  const folder = join(tools, spec.replaceAll(/[@/]/g, '-'))
  const path = join(folder, 'node_modules', name, file)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    const how = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...flags]
    await run(process.execPath, [ownNpm(), 'install', spec, ...how], { cwd: folder })
  }
  return path
}

/** The npm that runs this script, or the one installed with Node. */
export function ownNpm() {
  const npmCli = join(dirname(dirname(process.execPath)), 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  return process.env.npm_execpath ?? npmCli
}

/** URL of the package registry, or undefined if unreachable. */
export async function registryAddress() {
  const configured = (await run(process.execPath, [ownNpm(), 'config', 'get', 'registry'], { cwd: tmpdir() })).trim()
  const address = configured.endsWith('/') ? configured : `${configured}/`
  try {
    return (await fetch(new URL('onnxruntime-common', address))).ok ? address : undefined
  } catch {
    return undefined
  }
}

export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let all = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      all += chunk
    })
    child.stderr.on('data', (chunk) => {
      all += chunk
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${args.slice(0, 4).join(' ')} ended with ${code}:\n${all}`)),
    )
  })
}
