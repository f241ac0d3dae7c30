import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pinned, so that a published comparison can be repeated. The last two are optional parts of mem0 that improve its ranking. */
const packages = ['mem0ai@3.3.1', '@modelcontextprotocol/server-memory@2026.8.31', 'natural@8.1.1', 'compromise@14.17.0']

/** Installs the compared systems outside of the project's dependencies; null if impossible. */
export function installPeers(cacheFolder: string, progress: (text: string) => void): string | null {
  const folder = join(cacheFolder, 'bench-peers')
  const present = (name: string) => existsSync(join(folder, 'node_modules', name, 'package.json'))
  if (packages.every((name) => present(name.replace(/@[^@]*$/, '')))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true,"name":"bench-peers"}\n')
  try {
    progress('installing the compared systems')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts', ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 300_000,
    })
    return folder
  } catch (error) {
    progress(
      `the compared systems cannot be installed and are left out: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    )
    return null
  }
}
