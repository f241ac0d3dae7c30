import { basename, dirname, join, resolve } from 'node:path'
import { readRegularFile } from './regular-file.js'

/** Maximum length of a pointer file, a path with a prefix. */
const MAX_POINTER_CHARS = 16_384
const GIT_FOLDER = 'gitdir: '

/** The unshared ignore file of a clone, common to its worktrees. */
export const excludeFile = async (gitRoot: string): Promise<string> => join(await commonFolder(gitRoot), 'info', 'exclude')

/** The configuration of a clone, common to its worktrees. */
export const configFile = async (gitRoot: string): Promise<string> => join(await commonFolder(gitRoot), 'config')

/** The folder that a `.git` file names; undefined if `.git` is a folder. */
async function pointedFolder(gitRoot: string): Promise<string | undefined> {
  const lines = (await readOrEmpty(join(gitRoot, '.git'))).split('\n')
  const pointer = lines.find((line) => line.startsWith(GIT_FOLDER))?.slice(GIT_FOLDER.length)
  return pointer === undefined ? undefined : resolve(gitRoot, pointer.trim())
}

async function commonFolder(gitRoot: string): Promise<string> {
  const own = await pointedFolder(gitRoot)
  if (own === undefined) return join(gitRoot, '.git')
  const common = (await readOrEmpty(join(own, 'commondir'))).trim()
  return common === '' ? own : resolve(own, common)
}

/** The folder of the clone that a worktree belongs to, if the clone lists the worktree; otherwise the folder itself. */
export async function mainFolderOf(root: string): Promise<string> {
  const own = await pointedFolder(root)
  const common = await commonFolder(root)
  if (own === undefined || common === own || basename(common) !== '.git') return root
  // Any file may point at a clone. The clone itself names its worktrees.
  const back = (await readOrEmpty(join(own, 'gitdir'))).trim()
  return back !== '' && resolve(back) === join(root, '.git') ? dirname(common) : root
}

/** `.git` is a folder in an ordinary clone, and a submodule has no `commondir`. */
async function readOrEmpty(path: string): Promise<string> {
  const read = await readRegularFile(path, { maxBytes: MAX_POINTER_CHARS, followLinks: true })
  return read === null || read === 'too_large' ? '' : read.toString('utf8')
}
