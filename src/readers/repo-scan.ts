import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, parse } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ScanScope } from '../core/evidence/scan-scope.js'
import type { IgnoreReason } from '../core/files/skipped-files.js'
import { MemoryError } from '../errors.js'
import { absolutePath, isMissing } from './local-path.js'
import { type IgnoreRules, openIgnoreRules } from './repo-ignore.js'

interface ScannedFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly absolute: string
  readonly size: number
  readonly mtimeUs: number
}

/** Why an entry was skipped. Names that are not valid UTF-8 cannot be stored or opened. */
export type ScanSkip = IgnoreReason | 'symlink' | 'special' | 'unreadable' | 'name'

interface ScanOptions {
  readonly signal?: AbortSignal
  readonly scope?: ScanScope
  onSkip?(path: string, reason: ScanSkip, isDirectory: boolean): void
  /** Called for each folder entered, the root as ''. */
  onDirectory?(path: string): void
}

export interface Project {
  /** The requested real path. */
  readonly path: string
  /** The Git root, or the path itself. */
  readonly root: string
  readonly name: string
  readonly git: boolean
}

/** Deeper trees are loops, for example through mounts. */
const MAX_DEPTH = 100
const STAT_BATCH = 64
/** Yields while a large folder is matched against many rules. */
const TURN_MS = 5

const invalidPath = (path: string, why: string, cause?: unknown): MemoryError =>
  new MemoryError('invalid_input', `Invalid path: ${path}`, { hint: `${why} Pass the path of a folder that this process can read.`, cause })

/** Checks that a folder can be indexed and determines its project. */
export async function findProject(path: string): Promise<Project> {
  if (path.trim() === '' || path.includes('\0')) throw invalidPath(path, 'It is empty or contains a NUL.')
  let real: string
  try {
    real = await realpath(absolutePath(path))
    if (!(await stat(real)).isDirectory()) throw invalidPath(path, 'It is not a folder.')
    await readdir(real)
  } catch (failure) {
    if (failure instanceof MemoryError) throw failure
    throw invalidPath(path, 'It does not exist or cannot be read.', failure)
  }
  if (parse(real).root === real) throw invalidPath(path, 'It is the root of the file system.')
  const gitRoot = await findGitRoot(real)
  const root = gitRoot ?? real
  return { path: real, root, name: basename(root), git: gitRoot !== null }
}

/** `.git` is a file in worktrees and submodules. A repository at the root of the file system has no name. */
async function findGitRoot(from: string): Promise<string | null> {
  for (let folder = from; parse(folder).root !== folder; folder = dirname(folder)) {
    if ((await lstatOrNull(join(folder, '.git'))) !== null) return folder
  }
  return null
}

async function lstatOrNull(path: string) {
  try {
    return await lstat(path)
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure) return null
    throw failure
  }
}

/** Every file of the project in a stable order. Links are not followed: their targets are outside, or found directly. */
export async function* scanProject(path: string, options: ScanOptions = {}): AsyncGenerator<ScannedFile, void, undefined> {
  const project = await findProject(path)
  const rules = await openIgnoreRules(project.path, project.git ? project.root : null)
  yield* scanFolder(project.path, '', rules, options, 0)
}

/** Files below one folder of a project. */
export async function* scanFolder(
  root: string,
  folder: string,
  rules: IgnoreRules,
  options: ScanOptions,
  depth: number,
): AsyncGenerator<ScannedFile, void, undefined> {
  const stopIfCancelled = () => {
    if (options.signal?.aborted === true) throw new MemoryError('cancelled', 'The scan was cancelled.')
  }
  stopIfCancelled()
  let entries: Awaited<ReturnType<typeof listFolder>>
  try {
    entries = await listFolder(join(root, folder))
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure)) throw failure
    // Entries that disappeared since the parent was listed are not counted.
    if (!isMissing(failure)) options.onSkip?.(folder, 'unreadable', true)
    return
  }
  options.onDirectory?.(folder)
  const files: string[] = []
  const folders: string[] = []
  let since = performance.now()
  for (const entry of entries) {
    if (performance.now() - since > TURN_MS) {
      await nextTurn()
      stopIfCancelled()
      since = performance.now()
    }
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const isDirectory = entry.isDirectory()
    const verdict = options.scope?.(path, isDirectory)
    const ignored = verdict === 'leave' ? 'ignored' : rules.ignores(path, isDirectory, verdict === 'named')
    if (ignored !== null) options.onSkip?.(path, ignored, isDirectory)
    else if (entry.isSymbolicLink()) options.onSkip?.(path, 'symlink', false)
    else if (isDirectory) folders.push(path)
    else if (entry.isFile()) files.push(path)
    else options.onSkip?.(path, 'special', false)
  }
  for (let index = 0; index < files.length; index += STAT_BATCH) {
    stopIfCancelled()
    const batch = await Promise.all(files.slice(index, index + STAT_BATCH).map((file) => statFile(root, file, options)))
    for (const file of batch) if (file !== null) yield file
  }
  for (const inner of folders) {
    if (depth >= MAX_DEPTH) options.onSkip?.(inner, 'unreadable', true)
    else if (await isUnusableName(root, inner)) options.onSkip?.(inner, 'name', true)
    else yield* scanFolder(root, inner, await rules.enter(inner), options, depth + 1)
  }
}

async function listFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

async function statFile(root: string, path: string, options: ScanOptions): Promise<ScannedFile | null> {
  const absolute = join(root, path)
  try {
    const stats = await lstat(absolute)
    return stats.isFile() ? { path, absolute, size: stats.size, mtimeUs: toMicros(stats.mtimeMs) } : null
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure)) throw failure
    if (path.includes('\uFFFD')) options.onSkip?.(path, 'name', false)
    else if (!isMissing(failure)) options.onSkip?.(path, 'unreadable', false)
    return null
  }
}

export const toMicros = (ms: number): number => Math.floor(ms * 1_000)

/** Invalid UTF-8 is returned with replacement characters, so the name cannot be opened. */
const isUnusableName = async (root: string, path: string): Promise<boolean> =>
  path.includes('\uFFFD') && (await lstatOrNull(join(root, path))) === null
