import { baseName, extensionOf, languageOf, languageOfPath } from '../code/languages.js'
import { isCredentialFile } from './credential-files.js'
import { isGenerated, isMinified } from './generated-files.js'

const SKIP_REASONS = [
  'credentials',
  'unsupported',
  'lockfile',
  'generated',
  'minified',
  'binary',
  'oversized',
  'empty',
  'unreadable',
  'changing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export interface SourceLimits {
  readonly maxBytes: number
  /** Data formats carry little meaning per byte, so their limit is lower. */
  readonly maxDataBytes: number
}

export const DEFAULT_SOURCE_LIMITS: SourceLimits = { maxBytes: 1_048_576, maxDataBytes: 131_072 }

const DATA_LANGUAGES = new Set(['json', 'yaml', 'toml', 'ini', 'xml', 'text', 'sql'])
const PROSE_LANGUAGES = new Set(['markdown', 'text', 'html'])

const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'cargo.lock',
  'poetry.lock',
  'pdm.lock',
  'uv.lock',
  'pipfile.lock',
  'composer.lock',
  'gemfile.lock',
  'go.sum',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'podfile.lock',
  'packages.lock.json',
  'gradle.lockfile',
  'package.resolved',
])

const MINIFIED_NAME = /[.-]min\.(?:js|mjs|cjs|css)$|\.bundle\.js$/
const GENERATED_NAME = /\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.g\.(?:cs|dart)$|\.designer\.cs$|\.generated\.[a-z]+$|_generated\.[a-z]+$/
/** Keys and certificates occur in files of any name. */
const ARMOUR = /^-----BEGIN [A-Z0-9 ]+-----/m
/** Where a folder without sources of the project is excluded. */
interface FolderRule {
  /** Indexing: at any depth, only where a project or package starts, or by the rule for hidden folders. */
  readonly indexing: 'everywhere' | 'project root' | 'hidden'
  /** Capturing evidence: at any depth. */
  readonly capturing: boolean
}

const folderRules = (names: string, indexing: FolderRule['indexing'], capturing: boolean): readonly (readonly [string, FolderRule])[] =>
  names.split(' ').map((name) => [name, { indexing, capturing }])

/** Dependencies, caches and build output, which some projects do not ignore. A rule such as `!venv/` includes one in the index. */
const EXCLUDED_FOLDERS: ReadonlyMap<string, FolderRule> = new Map([
  ...folderRules('node_modules __pycache__ venv', 'everywhere', true),
  ...folderRules('bower_components jspm_packages site-packages DerivedData Pods htmlcov', 'everywhere', false),
  ...folderRules('dist build target', 'project root', true),
  ...folderRules('out coverage vendor', 'project root', false),
  ...folderRules('.git .venv .next .idea .pytest_cache', 'hidden', true),
])

/** `build_folder` is excluded by convention, as opposed to an ignore rule. */
export type IgnoreReason = 'ignored' | 'build_folder'

/** Why a folder that no ignore rule mentions is not indexed; null if it is. */
export function whyFolderSkipped(name: string, startsProject: boolean): IgnoreReason | null {
  const rule = EXCLUDED_FOLDERS.get(name)?.indexing
  if (rule === 'everywhere') return 'ignored'
  return rule === 'project root' && startsProject ? 'build_folder' : null
}

/** True for folders that evidence never includes. */
export const isNeverCaptured = (name: string): boolean => EXCLUDED_FOLDERS.get(name)?.capturing === true

/**
 * Why a file is not indexed or captured; null if it is. Without `text` the decision is made by name and size, before the file is opened.
 * `text` is null for a binary file.
 */
export function whySkipped(
  path: string,
  { size }: { readonly size: number },
  text?: string | null,
  limits: SourceLimits = DEFAULT_SOURCE_LIMITS,
): SkipReason | null {
  const byName = skipByName(path, size, limits)
  if (byName !== null || text === undefined) return byName
  return text === null ? 'binary' : skipByContent(languageOf(path, text), text, limits)
}

/** Decides by name and size, without opening the file. A file without an extension may still have a shebang. */
function skipByName(path: string, size: number, limits: SourceLimits): SkipReason | null {
  const base = baseName(path)
  if (isCredentialFile(path)) return 'credentials'
  if (LOCK_FILES.has(base)) return 'lockfile'
  const language = languageOfPath(path)
  if (language === null && extensionOf(base) !== '') return 'unsupported'
  if (MINIFIED_NAME.test(base)) return 'minified'
  if (GENERATED_NAME.test(base)) return 'generated'
  if (size === 0) return 'empty'
  return size > limitOf(language, limits) ? 'oversized' : null
}

const limitOf = (language: string | null, limits: SourceLimits): number =>
  language !== null && DATA_LANGUAGES.has(language) ? Math.min(limits.maxDataBytes, limits.maxBytes) : limits.maxBytes

/** Decides by the text. */
function skipByContent(language: string | null, text: string, limits: SourceLimits): SkipReason | null {
  if (language === null || (DATA_LANGUAGES.has(language) && ARMOUR.test(text.slice(0, 1_000)))) return 'unsupported'
  if (text.trim() === '') return 'empty'
  if (text.length > limitOf(language, limits)) return 'oversized'
  const prose = PROSE_LANGUAGES.has(language)
  if (isMinified(text, prose)) return 'minified'
  return !prose && isGenerated(text) ? 'generated' : null
}
