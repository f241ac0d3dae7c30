import { join, resolve } from 'node:path'
import { readRegularFile } from './regular-file.js'

/** Maximum length of a pointer file, a path with a prefix. */
const MAX_POINTER_CHARS = 16_384
const GIT_FOLDER = 'gitdir: '

/** The unshared ignore file of a clone, common to its worktrees. */
export const excludeFile = async (gitRoot: string): Promise<string> => join(await commonFolder(gitRoot), 'info', 'exclude')

/** The configuration of a clone, common to its worktrees. */
export const configFile = async (gitRoot: string): Promise<string> => join(await commonFolder(gitRoot), 'config')

async function commonFolder(gitRoot: string): Promise<string> {
  const lines = (await readOrEmpty(join(gitRoot, '.git'))).split('\n')
  const pointer = lines.find((line) => line.startsWith(GIT_FOLDER))?.slice(GIT_FOLDER.length)
  if (pointer === undefined) return join(gitRoot, '.git')
  const own = resolve(gitRoot, pointer.trim())
  const common = (await readOrEmpty(join(own, 'commondir'))).trim()
  return common === '' ? own : resolve(own, common)
}

/** `.git` is a folder in an ordinary clone, and a submodule has no `commondir`. */
async function readOrEmpty(path: string): Promise<string> {
  const read = await readRegularFile(path, { maxBytes: MAX_POINTER_CHARS, followLinks: true })
  return read === null || read === 'too_large' ? '' : read.toString('utf8')
}
