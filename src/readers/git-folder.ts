import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Where the rules of a clone that are not shared stand. All worktrees of a clone have one such file in common. */
export async function excludeFile(gitRoot: string): Promise<string> {
  const pointer = /^gitdir: (.+)$/m.exec(await readOrEmpty(join(gitRoot, '.git')))?.[1]
  if (pointer === undefined) return join(gitRoot, '.git', 'info', 'exclude')
  const own = resolve(gitRoot, pointer.trim())
  const common = (await readOrEmpty(join(own, 'commondir'))).trim()
  return join(common === '' ? own : resolve(own, common), 'info', 'exclude')
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (failure) {
    // `.git` is a folder in an ordinary clone, and a submodule has no `commondir`.
    if (failure instanceof Error && 'code' in failure) return ''
    throw failure
  }
}
