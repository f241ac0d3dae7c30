import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { normalRemote, remoteIn } from '../core/hooks/project.js'
import type { ProjectResolver, ResolvedProject } from '../ports/project-resolver.js'
import { configFile, mainFolderOf } from './git-folder.js'
import { readRegularFile } from './regular-file.js'

const MAX_CONFIG_CHARS = 1_000_000
const MAX_KNOWN = 200

/** The remote of the repository, otherwise its root, otherwise the folder; read from its files, without running git. */
export function createProjectResolver(): ProjectResolver {
  const known = new Map<string, { readonly changed: number; readonly project: ResolvedProject }>()
  return {
    async projectOf(folder) {
      if (!isAbsolute(folder)) return undefined
      const real = await realpath(folder).catch(() => folder)
      const root = await repositoryOf(real)
      if (root === undefined) return real === homedir() || dirname(real) === real ? undefined : { root: real, remote: undefined }
      const config = await configFile(root)
      const changed = (await lstat(config).catch(() => undefined))?.mtimeMs ?? 0
      const earlier = known.get(root)
      if (earlier !== undefined && earlier.changed === changed) return earlier.project
      const read = await readRegularFile(config, { maxBytes: MAX_CONFIG_CHARS, followLinks: true })
      const remote = read === null || read === 'too_large' ? undefined : remoteIn(read.toString('utf8'))
      const project = { root: await mainFolderOf(root), remote: remote === undefined ? undefined : normalRemote(remote) }
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(root, { changed, project })
      return project
    },
  }
}

async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let url = folder; ; url = dirname(url)) {
    if ((await lstat(join(url, '.git')).catch(() => undefined)) !== undefined) return url
    if (dirname(url) === url) return undefined
  }
}
