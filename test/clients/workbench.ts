import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { type Disk, realDisk } from '../../src/clients/disk.js'
import { createInstaller, type Installer } from '../../src/clients/installer.js'
import type { Machine } from '../../src/clients/machine.js'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export const PROGRAM = join(process.cwd(), 'dist', 'main.js')
/** Not started: whether a command works is tried with the real one. */
export const server = { kind: 'stdio', command: process.execPath, args: [PROGRAM, 'mcp'] } as const

/** A home with a space and letters beyond ASCII in its name. */
export function homeWith(files: Readonly<Record<string, string | Buffer>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'mneme höme '))
  folders.push(home)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), content)
  }
  const machine: Machine = { platform: 'linux', home, env: { PATH: '' }, cwd: join(home, 'work'), user: process.getuid?.() }
  const installer = (disk: Disk = realDisk): Installer =>
    createInstaller({ disk, machine, dataDir: join(home, '.mneme'), program: PROGRAM })
  return { home, machine, installer, text: (name: string) => readFileSync(join(home, name), 'utf8') }
}

/** Without waiting for the disk, for hundreds of files. */
export const quickDisk: Disk = { ...realDisk, create: (path, content, mode) => writeFileSync(path, content, { mode, flag: 'wx' }) }

const hookCommand = { command: process.execPath, args: [PROGRAM, 'hook'], flags: [], windows: false }
export const choice = { hooks: false, hookCommand, names: [], project: false, dryRun: false, replace: false, server, check: false } as const
export const install = (installer: Installer, more: Partial<Parameters<Installer['install']>[0]> = {}) =>
  installer.install({ ...choice, ...more })
export const uninstall = (installer: Installer, names: readonly string[] = []) =>
  installer.uninstall({ names, project: false, dryRun: false })

/** Everything below a folder, but for the store. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  const entries: Record<string, string> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!path.includes('.mneme')) entries[path] = entry.isFile() ? readFileSync(path, 'base64') : 'folder'
  }
  return entries
}
