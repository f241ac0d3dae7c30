import { MemoryError } from '../../errors.js'

const MISSING_MODULE_CODES = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']
const NOT_LOADED = 'ERR_DLOPEN_FAILED'
/** Texts of the loader's error, by the package concerned. */
const LOADER_TEXTS: readonly (readonly [sign: string, module: string])[] = [
  ['better_sqlite3', 'better-sqlite3'],
  ['better-sqlite3', 'better-sqlite3'],
  ['onnxruntime', 'onnxruntime-node'],
]
/** Compiled for one Node version on the machine; the other packages are prebuilt. */
const COMPILED_PACKAGE = 'better-sqlite3'

const NEWER_NODE = 'Node 22.16 and newer do without this package.'

/** True if loading a package failed. */
export const isBrokenModule = (failure: unknown): boolean => brokenModule(failure, '') !== undefined

/** The error for a package that is missing or whose native part does not load in this Node; undefined for other failures. */
export function brokenModule(failure: unknown, folder: string): MemoryError | undefined {
  if (!(failure instanceof Error)) return undefined
  const code = 'code' in failure ? String(failure.code) : ''
  const message = failure.message
  const unbuilt = message.startsWith('Could not locate the bindings file')
  const missing = MISSING_MODULE_CODES.includes(code)
  if (!missing && !unbuilt && code !== NOT_LOADED) return undefined
  const module = moduleOf(message)
  if (module === undefined) return undefined
  const what = missing
    ? 'is not installed, or not whole'
    : unbuilt
      ? 'has not been compiled'
      : /NODE_MODULE_VERSION/.test(message)
        ? 'was compiled for another version of Node'
        : 'cannot be loaded'
  const command = module === COMPILED_PACKAGE && !missing ? `npm rebuild ${module}` : 'npm ci'
  return new MemoryError('unavailable', `The package ${module} ${what} (${firstLine(message)}).`, {
    hint: `Run \`${command}\` in ${folder} with the Node that runs mneme, then start mneme again.${module === COMPILED_PACKAGE ? ` ${NEWER_NODE}` : ''}`,
    cause: failure,
  })
}

function moduleOf(message: string): string | undefined {
  const known = LOADER_TEXTS.find(([sign]) => message.includes(sign))?.[1]
  return known ?? /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^/'.][^/']*)/.exec(message)?.[1]
}

const firstLine = (message: string): string => message.split('\n', 1)[0]?.replace(/[.:]$/, '') ?? ''
