import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VARIABLE_ALIASES } from './aliases.js'
import { toAbsolute } from './paths.js'

/** Which store a command line means, and whether it may be reached through a process that others use too. */
export interface StorePlace {
  readonly dataDir: string
  readonly database: string | undefined
  readonly isShared: boolean
}

/** Reads as little of the settings as tells the store; the shared process itself reads and compares all of them. */
export function findStore(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): StorePlace {
  const given = (key: 'dataDir' | 'database' | 'shared', flag: string, variable: string): string | undefined =>
    flagIn(argv, flag) ?? [variable, ...(VARIABLE_ALIASES[key] ?? [])].map((name) => env[name]).find(Boolean)
  const dataDir = toAbsolute(given('dataDir', '--data-dir', 'MNEME_DATA_DIR') ?? '~/.mneme')
  const file = readSettings(join(dataDir, 'config.json'))
  const database = given('database', '--database', 'MNEME_DATABASE') ?? file.database
  const shared = given('shared', '--shared', 'MNEME_SHARED') ?? file.shared
  return { dataDir, database: typeof database === 'string' ? database : undefined, isShared: shared !== 'off' && !isRelative(database) }
}

/** A file that is named from the current folder: another process has another one. */
const isRelative = (database: unknown): boolean => typeof database === 'string' && /^(?:sqlite|file):(?!\/|~|[A-Za-z]:)/.test(database)

/** As the command line reads it: the last one counts, and none behind `--`. */
function flagIn(argv: readonly string[], flag: string): string | undefined {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  let found: string | undefined
  words.forEach((word, at) => {
    if (word.startsWith(`${flag}=`)) found = word.slice(flag.length + 1)
    else if (word === flag) found = words[at + 1] ?? found
  })
  return found
}

function readSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // The program itself reports what is wrong with the file.
    return {}
  }
}
