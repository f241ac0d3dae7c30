import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MemoryError } from '../../errors.js'

/** Start of the front matter that only an export writes. */
const OWN_PAGE = '---\nmneme: 1\n'

export interface WrittenFolder {
  readonly files: number
  /** Number of new or changed files. */
  readonly written: number
  /** Number of removed pages of deleted objects. */
  readonly removed: number
}

/** Writes the files that differ from those in a folder. Of other files, only outdated export pages are removed. */
export async function writeFolder(
  folder: string,
  files: AsyncIterable<{ readonly path: string; readonly text: string }>,
  signal: AbortSignal,
): Promise<WrittenFolder> {
  const paths = new Set<string>()
  let written = 0
  try {
    for await (const { path, text } of files) {
      signal.throwIfAborted()
      paths.add(path)
      const target = join(folder, path)
      if ((await readFile(target, 'utf8').catch(() => undefined)) === text) continue
      await mkdir(dirname(target), { recursive: true })
      // Readers never see a partial page.
      await writeFile(`${target}.partial`, text)
      await rename(`${target}.partial`, target)
      written++
    }
    return { files: paths.size, written, removed: await removeOldPages(folder, paths) }
  } catch (failure) {
    if (failure instanceof MemoryError || signal.aborted) throw failure
    throw new MemoryError('storage', `Cannot write to ${folder}: ${failure instanceof Error ? failure.message : String(failure)}`, {
      hint: 'Check the folder and its free space.',
      cause: failure,
    })
  }
}

async function removeOldPages(folder: string, kept: ReadonlySet<string>): Promise<number> {
  const owners = new Set([...kept].map((path) => dirname(path)))
  let removed = 0
  for (const owner of owners)
    for (const name of await readdir(join(folder, owner))) {
      const path = `${owner}/${name}`
      if (kept.has(path) || !name.endsWith('.md')) continue
      const text = await readFile(join(folder, path), 'utf8').catch(() => '')
      if (!text.startsWith(OWN_PAGE)) continue
      await rm(join(folder, path))
      removed++
    }
  return removed
}
