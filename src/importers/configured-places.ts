import { readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { MachineEnvironment, MachinePlace } from './machine-places.js'
import { isRow, type Row, rowOf, textOf } from './values.js'

const MAX_CONFIG_BYTES = 1024 * 1024
const MAX_PLACES = 50

/** Stores whose place is named in the settings of their program, or chosen by npm. Settings that cannot be read name none. */
export async function configuredPlaces(machine: MachineEnvironment): Promise<readonly MachinePlace[]> {
  const found = await Promise.all([obsidianVaults(machine), basicMemoryProjects(machine), palaces(machine), serverMemories(machine)])
  return found.flat().slice(0, MAX_PLACES)
}

async function readSettings(path: string): Promise<Row> {
  try {
    if ((await stat(path)).size > MAX_CONFIG_BYTES) return {}
    return rowOf(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return {}
  }
}

const places = (format: string, paths: readonly (string | undefined)[]): readonly MachinePlace[] =>
  paths.flatMap((path) => (path !== undefined && isAbsolute(path) ? [{ path, format }] : []))

async function obsidianVaults({ home, platform, variables }: MachineEnvironment): Promise<readonly MachinePlace[]> {
  const folder =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (variables.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (variables.XDG_CONFIG_HOME ?? join(home, '.config'))
  const { vaults } = await readSettings(join(folder, 'obsidian', 'obsidian.json'))
  return places(
    'obsidian',
    Object.values(rowOf(vaults)).map((vault) => textOf(rowOf(vault).path)),
  )
}

/** By name: a path, or an object with one. */
async function basicMemoryProjects({ home }: MachineEnvironment): Promise<readonly MachinePlace[]> {
  const { projects } = await readSettings(join(home, '.basic-memory', 'config.json'))
  return places(
    'basic-memory',
    Object.values(rowOf(projects)).map((project) => textOf(isRow(project) ? project.path : project)),
  )
}

async function palaces({ home }: MachineEnvironment): Promise<readonly MachinePlace[]> {
  return places('mempalace', [textOf((await readSettings(join(home, '.mempalace', 'config.json'))).palace_path)])
}

/** The file next to the program, in the folder that npx chose for it. */
async function serverMemories({ home, variables }: MachineEnvironment): Promise<readonly MachinePlace[]> {
  const cache = join(variables.npm_config_cache ?? join(home, '.npm'), '_npx')
  const folders = await readdir(cache).catch(() => [])
  const program = join('node_modules', '@modelcontextprotocol', 'server-memory', 'dist')
  return places(
    'server-memory',
    folders.flatMap((folder) => ['memory.jsonl', 'memory.json'].map((name) => join(cache, folder, program, name))),
  )
}
