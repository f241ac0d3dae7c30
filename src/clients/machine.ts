import { posix, win32 } from 'node:path'

/** Determines the locations of client files. */
export interface Machine {
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the project is detected. */
  readonly cwd: string
  /** The current user; undefined if files have no owner. */
  readonly user: number | undefined
}

export const pathsOf = ({ platform }: Machine): typeof posix => (platform === 'win32' ? win32 : posix)

/** A path below the user's home. */
export const inHome = (machine: Machine, ...parts: readonly string[]): string => pathsOf(machine).join(machine.home, ...parts)

/** A path below `~/.config`, or its equivalent. */
export function inConfig(machine: Machine, ...parts: readonly string[]): string {
  const { join } = pathsOf(machine)
  const configHome = machine.platform === 'win32' ? undefined : machine.env.XDG_CONFIG_HOME
  return join(configHome || join(machine.home, '.config'), ...parts)
}

/** A path below the settings folder of desktop programs. */
export function inAppData(machine: Machine, ...parts: readonly string[]): string {
  const { join } = pathsOf(machine)
  if (machine.platform === 'win32') return join(machine.env.APPDATA || join(machine.home, 'AppData', 'Roaming'), ...parts)
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Application Support', ...parts)
  return inConfig(machine, ...parts)
}

/** A path below a folder that a variable may override. */
export const inFolderOf = (machine: Machine, variable: string, fallback: string, ...parts: readonly string[]): string =>
  pathsOf(machine).join(machine.env[variable] || inHome(machine, fallback), ...parts)

/** VS Code and its variants, each with its own settings. */
const VSCODE_EDITIONS = ['Code', 'Code - Insiders', 'VSCodium']

export const inEditions = (machine: Machine, ...parts: readonly string[]): readonly string[] =>
  VSCODE_EDITIONS.map((edition) => inAppData(machine, edition, 'User', ...parts))
