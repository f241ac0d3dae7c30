import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VARIABLE_ALIASES } from './aliases.js'
import { toAbsolute } from './paths.js'

/** The store of a command line, and whether a shared process may serve it. */
interface StorePlace {
  readonly dataDir: string
  readonly database: string | undefined
  readonly isShared: boolean
}

/** Reads only the settings that determine the store; the shared process reads and compares all of them. */
export function findStore(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): StorePlace {
  const settingOf = (key: 'dataDir' | 'database' | 'shared', flag: string, variable: string): string | undefined =>
    flagIn(argv, flag) ?? [variable, ...(VARIABLE_ALIASES[key] ?? [])].map((name) => env[name]).find(Boolean)
  const dataDir = toAbsolute(settingOf('dataDir', '--data-dir', 'MNEME_DATA_DIR') ?? '~/.mneme')
  const file = readSettings(join(dataDir, 'config.json'))
  const database = settingOf('database', '--database', 'MNEME_DATABASE') ?? file.database
  const shared = settingOf('shared', '--shared', 'MNEME_SHARED') ?? file.shared
  return { dataDir, database: typeof database === 'string' ? database : undefined, isShared: shared !== 'off' && !isRelative(database) }
}

/** True for a file named relative to the working directory, which differs between processes. */
const isRelative = (database: unknown): boolean => typeof database === 'string' && /^(?:sqlite|file):(?!\/|~|[A-Za-z]:)/.test(database)

/** As the command line parses it: the last occurrence counts, and none after `--`. */
function flagIn(argv: readonly string[], flag: string): string | undefined {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  let found: string | undefined
  words.forEach((word, index) => {
    if (word.startsWith(`${flag}=`)) found = word.slice(flag.length + 1)
    else if (word === flag) found = words[index + 1] ?? found
  })
  return found
}

function readSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // The program itself reports the problem in the file.
    return {}
  }
}
