import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Principal } from '../../contracts/operation.js'
import { MemoryError } from '../../errors.js'

const MAX_BYTES = 512 * 1024 * 1024
const KEPT_MS = 3_600_000
/** Files of one caller; the oldest is deleted for a new one. */
const MAX_FILES = 4
/** Of all callers together. */
const MAX_TOTAL_BYTES = 2 * 1024 * 1024 * 1024

/** Files uploaded in parts, for operations that read a file. Deleted after an hour. */
export interface Uploads {
  /** Appends a part to the file with an id; `new` creates one. */
  append(principal: Principal, id: string, name: string, part: Buffer): Promise<UploadedFile>
  find(principal: Principal, id: string): UploadedFile
  has(id: string): boolean
  remove(principal: Principal, id: string): Promise<void>
  /** Replaces references to uploaded files in the input by their paths, and lists these. */
  resolve(principal: Principal, input: unknown): { readonly input: unknown; readonly uploaded: ReadonlySet<string> }
}

interface UploadedFile {
  readonly id: string
  /** The reference to pass to an operation. */
  readonly file: string
  readonly bytes: number
}

const UPLOAD_SCHEME = 'upload:'

interface Upload {
  readonly path: string
  readonly by: string
  size: number
}

const MAX_NAME_CHARS = 100

/** Formats are recognised by names such as `conversations.json`, so the name is kept, without folders and characters of a path. */
function toFileName(name: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(-MAX_NAME_CHARS)
    .replace(/^[. ]+/u, '')
  return plain === '' ? 'upload' : plain
}

const toUploaded = (id: string, { size }: Upload): UploadedFile => ({ id, file: `${UPLOAD_SCHEME}${id}`, bytes: size })

export function createUploads(): Uploads {
  const files = new Map<string, Upload>()
  let folder: Promise<string> | undefined

  const drop = async (id: string): Promise<void> => {
    const file = files.get(id)
    files.delete(id)
    if (file !== undefined) await rm(dirname(file.path), { recursive: true, force: true })
  }

  async function begin(principal: Principal, name: string): Promise<string> {
    folder ??= mkdtemp(join(tmpdir(), 'mneme-upload-'))
    const own = [...files].flatMap(([id, { by }]) => (by === principal.name ? [id] : []))
    for (const oldest of own.slice(0, Math.max(0, own.length - MAX_FILES + 1))) await drop(oldest)
    const id = randomUUID()
    const directory = join(await folder, id)
    await mkdir(directory, { mode: 0o700 })
    files.set(id, { path: join(directory, toFileName(name)), by: principal.name, size: 0 })
    setTimeout(() => void drop(id), KEPT_MS).unref()
    return id
  }

  const find = (principal: Principal, id: string): Upload => {
    const file = files.get(id)
    if (file?.by === principal.name) return file
    throw new MemoryError('not_found', 'This upload is no longer there.', { hint: 'Choose the file again.' })
  }

  return {
    async append(principal, uploadId, name, part) {
      if (!principal.rights.includes('admin'))
        throw new MemoryError('forbidden', 'This key does not allow uploads.', { hint: 'Use a key with the right admin.' })
      const total = [...files.values()].reduce((sum, { size }) => sum + size, part.length)
      if (total > MAX_TOTAL_BYTES)
        throw new MemoryError('too_large', 'The uploads of all callers take 2 GB already.', { hint: 'Try again in an hour.' })
      const id = uploadId === 'new' ? await begin(principal, name) : uploadId
      const file = find(principal, id)
      file.size += part.length
      if (file.size > MAX_BYTES) {
        await drop(id)
        throw new MemoryError('too_large', 'The file is larger than 512 MB.', {
          hint: 'Use `mneme import <file>`, which reads files of any size.',
        })
      }
      await appendFile(file.path, part, { mode: 0o600 })
      return toUploaded(id, file)
    },
    find: (principal, id) => toUploaded(id, find(principal, id)),
    has: (id) => files.has(id),
    async remove(principal, id) {
      find(principal, id)
      await drop(id)
    },
    resolve(principal, input) {
      const uploaded = new Set<string>()
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return { input, uploaded }
      const toPath = (value: unknown): unknown => {
        if (typeof value !== 'string' || !value.startsWith(UPLOAD_SCHEME)) return value
        const { path } = find(principal, value.slice(UPLOAD_SCHEME.length))
        uploaded.add(path)
        return path
      }
      return { input: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, toPath(value)])), uploaded }
    },
  }
}
