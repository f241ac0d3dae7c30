import type { Client } from './client.js'
import type { Disk } from './disk.js'
import { type Machine, pathsOf } from './machine.js'

/** Folders, files and commands that indicate a client. */
export function tracesOf(disk: Disk, machine: Machine, client: Client): readonly string[] {
  return [...client.traces(machine).filter((path) => disk.has(path)), ...commandsOf(disk, machine, client)]
}

/** Its commands on the path, without repeats; several may be different versions. */
export function commandsOf(disk: Disk, machine: Machine, { programs }: Client): readonly string[] {
  const { join, delimiter } = pathsOf(machine)
  const folders = (machine.env.PATH ?? machine.env.Path ?? '').split(delimiter).filter(Boolean)
  const endings = machine.platform === 'win32' ? ['.exe', '.cmd', '.ps1'] : ['']
  const found = folders.flatMap((folder) =>
    programs.flatMap((program) => endings.map((ending) => join(folder, `${program}${ending}`)).filter((path) => disk.has(path))),
  )
  const known = new Set<string>()
  return found.filter((path) => {
    const real = disk.resolve(path)
    return !known.has(real) && known.add(real)
  })
}

/** The files to change: those of each installed edition, otherwise the default location. */
export function filesOf(disk: Disk, machine: Machine, client: Client): readonly string[] {
  const all = client.files(machine)
  const traces = client.traces(machine).filter((path) => disk.has(path))
  const there = all.filter((file) => disk.has(file) || traces.some((trace) => file.startsWith(trace)))
  const ordered = [...there.filter((file) => disk.has(file)), ...there.filter((file) => !disk.has(file))]
  const chosen = client.onlyOne === true ? ordered.slice(0, 1) : there
  return chosen.length > 0 ? chosen : all.slice(0, 1)
}
