import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/encoding/hash.js'
import { slugify } from '../../core/evidence/object-id.js'
import { pageName } from '../../core/projection/page.js'
import type { PageFolder, PageName, PagePlace } from '../../ports/page-folder.js'

const FOLDERS: Readonly<Record<string, string>> = {
  source: 'sources',
  node: 'nodes',
  knowledge: 'knowledge',
  activity: 'activities',
  work_item: 'work_items',
}
const PROGRESS_FILE = '.place.json'
const OWNERS_FOLDER = 'owners'

const isMissing = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && (failure.code === 'ENOENT' || failure.code === 'ENOTDIR')

/** Temporary files of this process so far, of all stores: several may write to one folder. */
let made = 0

/** Markdown files in a folder: those of the default owner at the top, those of others in folders of their own. */
export function createPageFolder(root: string, defaultOwner: string): PageFolder {
  const known = new Set<string>()
  const folderOf = (owner: string): string =>
    owner === defaultOwner ? root : join(root, OWNERS_FOLDER, `${slugify(owner).slice(0, 40)}-${sha256(owner).slice(0, 8)}`)
  const fileOf = (owner: string, { type, id }: PageName): string => join(folderOf(owner), FOLDERS[type] ?? 'other', `${pageName(id)}.md`)

  /** Written next to its place and renamed, so that no reader sees a part of it. */
  const put = async (path: string, folder: string, text: string): Promise<void> => {
    const temporary = join(folder, `.${process.pid}-${++made}.tmp`)
    const attempt = async (): Promise<void> => {
      // What is left of an ended process, or a link.
      await rm(temporary, { force: true })
      await writeFile(temporary, text, { flag: 'wx' })
      await rename(temporary, path)
    }
    if (!known.has(folder)) {
      await mkdir(folder, { recursive: true })
      known.add(folder)
    }
    await attempt().catch(async (failure: unknown) => {
      // The folder was removed concurrently.
      if (!isMissing(failure)) throw failure
      await mkdir(folder, { recursive: true })
      await attempt()
    })
  }

  return {
    async place(owner) {
      try {
        const read: unknown = JSON.parse(await readFile(join(folderOf(owner), PROGRESS_FILE), 'utf8'))
        return isPlace(read) ? read : undefined
      } catch (failure) {
        if (isMissing(failure) || failure instanceof SyntaxError) return undefined
        throw failure
      }
    },
    setPlace: (owner, place) => put(join(folderOf(owner), PROGRESS_FILE), folderOf(owner), JSON.stringify(place)),
    write: (owner, page, text) => put(fileOf(owner, page), join(folderOf(owner), FOLDERS[page.type] ?? 'other'), text),
    async remove(owner, id) {
      await Promise.all(Object.keys(FOLDERS).map((type) => rm(fileOf(owner, { type, id }), { force: true })))
    },
    async clear(owners) {
      if (owners === 'everyone') await rm(root, { recursive: true, force: true, maxRetries: 9, retryDelay: 20 })
      else
        for (const owner of owners)
          for (const folder of [...Object.values(FOLDERS), PROGRESS_FILE])
            await rm(join(folderOf(owner), folder), { recursive: true, force: true })
      known.clear()
    },
    async files(owner) {
      const names = new Set<string>()
      for (const folder of Object.values(FOLDERS)) {
        const entries = await readdir(join(folderOf(owner), folder)).catch((failure: unknown) => {
          if (isMissing(failure)) return []
          throw failure
        })
        for (const entry of entries) if (entry.endsWith('.md')) names.add(entry.slice(0, -'.md'.length))
      }
      return names
    },
    async read(owner, page) {
      return readFile(fileOf(owner, page), 'utf8').catch((failure: unknown) => {
        if (isMissing(failure)) return undefined
        throw failure
      })
    },
  }
}

const isPlace = (value: unknown): value is PagePlace =>
  typeof value === 'object' &&
  value !== null &&
  'seq' in value &&
  typeof value.seq === 'number' &&
  'complete' in value &&
  typeof value.complete === 'boolean'
