import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { guardOf } from '../core/files/guarded-folders.js'
import { MemoryError } from '../errors.js'
import type { ProjectFiles } from '../ports/project-files.js'
import { isBelow, type PathRules, readablePath, refuseStore } from './documents/readable-path.js'
import { absolutePath, formerPath, isMissing } from './local-path.js'

interface ProjectFilesOptions {
  /** Allows system folders and whole home directories. */
  readonly allowSystemFolders?: boolean
  /** Which folders a caller may name; `dataDir` is never read. */
  readonly rules?: PathRules
}

const NO_PATH_RULES: PathRules = { roots: [], needsRoots: false }

/** Combines the readers of a project, loaded on first use, since most processes never index code. */
export function createProjectFiles({ allowSystemFolders = false, rules = NO_PATH_RULES }: ProjectFilesOptions = {}): ProjectFiles {
  const scanning = () => import('./repo-scan.js')
  const isStore = async (): Promise<(path: string) => boolean> => {
    const { dataDir } = rules
    if (dataDir === undefined) return () => false
    const store = await realpath(dataDir).catch(() => dataDir)
    return (path) => isBelow(path, store)
  }
  return {
    async find(path, options) {
      // First, so that an absent folder outside of the roots gives the same error as one that exists.
      if (options?.named === true && path.trim() !== '' && !path.includes('\0')) await readablePath(absolutePath(path), rules, 'Project')
      const project = await (await scanning()).findProject(path)
      await refuseStore(project.path, rules)
      if (!allowSystemFolders) await refuseGuarded(path, project.path)
      return project
    },
    formerPath,
    async *scan(path, options) {
      const inStore = await isStore()
      for await (const file of (await scanning()).scanProject(path, options)) if (!inStore(file.absolute)) yield file
    },
    async stat(root, path) {
      const { toMicros } = await scanning()
      const absolute = join(root, path)
      if ((await isStore())(absolute)) return undefined
      try {
        const stats = await lstat(absolute)
        return stats.isFile() ? { path, absolute, size: stats.size, mtimeUs: toMicros(stats.mtimeMs) } : undefined
      } catch (failure) {
        if (!(failure instanceof Error && 'code' in failure)) throw failure
        return isMissing(failure) ? undefined : 'unreadable'
      }
    },
    read: async (file) => (await import('./repo-source.js')).readSource(file),
    watch: async (path, onChange) => (await import('./repo-watch.js')).watchProject(path, onChange),
  }
}

/** `real` has links resolved: a link to a guarded folder is that folder. */
async function refuseGuarded(path: string, real: string): Promise<void> {
  const home = await realpath(homedir()).catch(() => homedir())
  const what = guardOf(real, home)
  if (what === undefined) return
  throw new MemoryError('invalid_input', `Not indexed: ${real === path ? path : `${path} (${real})`} is ${what}.`, {
    hint: 'Pass the folder of one project. To index it anyway, start mneme with --allow-system-folders (MNEME_ALLOW_SYSTEM_FOLDERS=true).',
  })
}
