import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/encoding/hash.js'
import type { Trash, TrashEntry } from '../../ports/trash.js'

const isMissing = (failure: unknown): boolean => failure instanceof Error && 'code' in failure && failure.code === 'ENOENT'

/** One file per fact in a folder that only this user can read. */
export function createTrashFolder(folder: string): Trash {
  const fileOf = (id: string): string => join(folder, `${sha256(id).slice(0, 32)}.json`)

  async function erase(file: string): Promise<void> {
    // A link would lead to another file.
    const handle = await open(file, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)).catch((failure: unknown) => {
      if (isMissing(failure)) return undefined
      throw failure
    })
    if (handle === undefined) return
    try {
      const { size } = await handle.stat()
      await handle.writeFile(Buffer.alloc(size))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rm(file, { force: true })
  }

  return {
    async put(entry) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(entry.id)
      await erase(file)
      const handle = await open(file, 'wx', 0o600)
      try {
        await handle.writeFile(JSON.stringify(entry))
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async list() {
      const names = await readdir(folder).catch((failure: unknown) => {
        if (isMissing(failure)) return []
        throw failure
      })
      const entries = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => readEntry(join(folder, name))))
      return entries.flatMap((entry) => entry ?? []).sort((a, b) => b.deletedAt - a.deletedAt)
    },
    async erase(ids) {
      for (const id of ids) await erase(fileOf(id))
    },
  }
}

/** Undefined for a file that another process erases, or that is none of this folder's. */
async function readEntry(file: string): Promise<TrashEntry | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isEntry = (value: unknown): value is TrashEntry =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'owner' in value &&
  typeof value.owner === 'string' &&
  'text' in value &&
  typeof value.text === 'string' &&
  'deletedAt' in value &&
  typeof value.deletedAt === 'number' &&
  'until' in value &&
  typeof value.until === 'number' &&
  'lines' in value &&
  Array.isArray(value.lines)
