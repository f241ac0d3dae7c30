import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectFiles } from '../ports/project-files.js'
import { formerPath, isMissing } from './local-path.js'

/** The readers of a project behind one door; they are loaded on first need, since most processes never index code. */
export function createProjectFiles(): ProjectFiles {
  const scanning = () => import('./repo-scan.js')
  return {
    find: async (path) => (await scanning()).findProject(path),
    formerPath,
    async *scan(path, options) {
      yield* (await scanning()).scanProject(path, options)
    },
    async stat(root, path) {
      const { toMicros } = await scanning()
      const absolute = join(root, path)
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
