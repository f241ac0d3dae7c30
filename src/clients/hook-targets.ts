import { spawnSync } from 'node:child_process'
import type { Client, Edit } from './client.js'
import { commandsOf } from './detect.js'
import type { Disk } from './disk.js'
import { readEntry } from './edit/edit-config.js'
import { type HookCommand, isOwnHook } from './hook-table.js'
import { type Machine, pathsOf } from './machine.js'
import type { Target } from './target.js'

/** Placeholder for the command if only the locations matter. */
export const NO_COMMAND: HookCommand = { command: '', args: [], flags: [], windows: false }

/** The location of a client's hooks; undefined if it has none. */
export function hookTarget(machine: Machine, client: Client, how: HookCommand, root: string | undefined): Target | undefined {
  const { hooks, name } = client
  if (hooks === undefined) return undefined
  const file = root === undefined ? hooks.file(machine) : pathsOf(machine).join(root, hooks.projectFile)
  const written = hooks.form.write(how)
  if (written.kind === 'own') return { client, file, root, format: 'json', edits: [], own: written.text }
  const heads = Object.entries(written.head).map(([key, value]): Edit => ({ path: [key], value, onlyIfMissing: true }))
  const lists = Object.entries(written.lists).map(
    ([event, value]): Edit => ({ path: ['hooks', event], value, sameItem: (item) => isOwnHook(item, name) }),
  )
  return { client, file, root, format: 'json', edits: [...heads, ...lists] }
}

/** True if an earlier installation wrote them. */
export function hasHooks(disk: Disk, { file, format, edits, own }: Target): boolean {
  if (!disk.has(file)) return false
  if (own !== undefined) return true
  try {
    const text = disk.read(file).toString('utf8')
    return edits.some((edit) => edit.sameItem !== undefined && readEntry(format, text, edit) !== undefined)
  } catch {
    return false
  }
}

/** Merges targets in the same file, which are written at once. */
export function joined(targets: readonly Target[]): readonly Target[] {
  const byFile = new Map<string, Target>()
  for (const target of targets) {
    const known = byFile.get(target.file)
    byFile.set(target.file, known === undefined ? target : { ...known, edits: [...known.edits, ...target.edits] })
  }
  return [...byFile.values()]
}

const VERSION_MS = 10_000

/** The version that a client reports; undefined if it reports none. */
export function versionOf(disk: Disk, machine: Machine, client: Client): string | undefined {
  const [command] = commandsOf(disk, machine, client)
  if (command === undefined) return undefined
  const run = spawnSync(command, ['--version'], {
    timeout: VERSION_MS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  })
  return /\d+\.\d+(?:\.\d+)?/.exec(run.stdout ?? '')?.[0]
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  for (const [i, least] of (b ?? []).entries()) {
    const part = a?.[i] ?? 0
    if (part !== least) return part < least
  }
  return false
}
