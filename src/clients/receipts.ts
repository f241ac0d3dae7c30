import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Disk } from './disk.js'

/** A change to one file, and its previous content. */
const receipt = z.object({
  client: z.string(),
  file: z.string(),
  /** Digest of the file after the change; the previous bytes are restored only over this content. */
  after: z.string(),
  /** The copy of the previous content; null if the file did not exist. Absent once others have edited the file. */
  before: z.object({ copy: z.string(), digest: z.string() }).nullish(),
  made: z.array(z.array(z.string())),
  folders: z.array(z.string()),
})

export type InstallReceipt = z.infer<typeof receipt>

/** One receipt per file, so that installations cannot damage each other's. Receipts may contain secrets of clients. */
export interface Receipts {
  of(file: string): InstallReceipt | undefined
  /** Copies the current content of a file. */
  keep(file: string, bytes: Buffer): { readonly copy: string; readonly digest: string }
  /** The bytes of a copy; undefined if it is missing or was changed. */
  kept(before: { readonly copy: string; readonly digest: string }): Buffer | undefined
  write(receipt: InstallReceipt): void
  forget(file: string): void
}

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export function createReceipts(disk: Disk, dataDir: string): Receipts {
  const folder = join(dataDir, 'clients')
  const keyOf = (file: string): string => digestOf(Buffer.from(file)).slice(0, 24)
  const placeOf = (file: string): string => join(folder, `${keyOf(file)}.json`)
  const copyOf = (file: string): string => join(folder, `${keyOf(file)}-${basename(file)}`)
  const put = (place: string, bytes: Buffer): void => {
    for (const needed of [dataDir, folder]) if (!disk.has(needed)) disk.makeFolder(needed, 0o700)
    const draft = `${place}.${process.pid}`
    disk.remove(draft)
    disk.create(draft, bytes, 0o600)
    disk.move(draft, place)
  }
  return {
    of(file) {
      const place = placeOf(file)
      if (!disk.has(place)) return undefined
      const read = receipt.safeParse(parsed(disk.read(place).toString('utf8')))
      return read.success && read.data.file === file ? read.data : undefined
    },
    keep(file, bytes) {
      put(copyOf(file), bytes)
      return { copy: copyOf(file), digest: digestOf(bytes) }
    },
    kept({ copy, digest }) {
      const bytes = disk.has(copy) ? disk.read(copy) : undefined
      return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined
    },
    write: (receipt) => put(placeOf(receipt.file), Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`)),
    forget(file) {
      // The copy is removed last, because it is useless without its receipt.
      disk.remove(placeOf(file))
      disk.remove(copyOf(file))
      if (disk.has(folder)) disk.removeFolder(folder)
    },
  }
}

/** An unreadable receipt counts as missing; the entry is then removed by an edit. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
