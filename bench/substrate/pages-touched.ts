import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

type Pages = ReadonlyMap<string, string>

/** Every page below a folder, with its inode, which changes with every write. */
function pagesBelow(folder: string): Pages {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.md')) continue
    const path = join(entry.parentPath, entry.name)
    const { ino, mtimeNs } = statSync(path, { bigint: true })
    found.set(path, `${ino} ${mtimeNs}`)
  }
  return found
}

/** Number of pages that some work writes, changes or removes. */
export async function pagesTouchedBy(folder: string, work: () => Promise<unknown>): Promise<number> {
  const before = pagesBelow(folder)
  await work()
  const after = pagesBelow(folder)
  const written = [...after].filter(([path, state]) => before.get(path) !== state).length
  return written + [...before.keys()].filter((path) => !after.has(path)).length
}
