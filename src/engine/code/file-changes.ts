import type { Source } from '../../core/facts/source.js'
import { whySkipped } from '../../core/files/skipped-files.js'
import type { CodeReference, FileChange } from '../../core/journal/change.js'
import { maskText } from '../../core/secrets/mask.js'
import type { StoredFile } from '../../ports/code-index.js'
import type { CodeParser, ParsedFile, SourceText } from '../../ports/code-parser.js'
import type { Ids } from '../../ports/ids.js'
import type { FileRead, ProjectFile, ProjectFiles } from '../../ports/project-files.js'

/** Differences between a folder and its index. */
export interface Difference {
  readonly changed: readonly ProjectFile[]
  readonly gone: readonly string[]
  /** Files skipped before reading, by reason. */
  readonly skipped: ReadonlyMap<string, number>
  readonly files: number
}

/**
 * Compares files by size and time. Missing files and files of a type that is no longer read leave the index; unreadable ones stay, because
 * they may still exist.
 */
export async function compare(
  scan: AsyncIterable<ProjectFile>,
  known: ReadonlyMap<string, StoredFile>,
  skipped: Map<string, number>,
  unreadable: ReadonlySet<string>,
): Promise<Difference> {
  const changed: ProjectFile[] = []
  const missing = new Set(known.keys())
  let files = 0
  for await (const file of scan) {
    const reason = whySkipped(file.path, file)
    if (reason !== null) {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      continue
    }
    files++
    missing.delete(file.path)
    if (isStale(file, known.get(file.path))) changed.push(file)
  }
  const gone = [...missing].filter((path) => !isWithin(path, unreadable))
  return { changed, gone, skipped, files }
}

/** True if the set contains the path or a folder above it; '' is the whole project. */
export function isWithin(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (places.has(path.slice(0, at))) return true
  return places.has('')
}

export const isStale = (file: ProjectFile, stored: StoredFile | undefined): boolean =>
  stored === undefined || stored.size !== file.size || stored.modifiedAt !== file.mtimeUs

export const goneChange = (path: string): FileChange => ({
  path,
  size: 0,
  modifiedAt: 0,
  hash: '',
  gone: true,
  passages: [],
  references: [],
})

export interface FileReader {
  readonly files: ProjectFiles
  readonly parser: CodeParser
  readonly ids: Ids
  readonly source: Pick<Source, 'id' | 'owner'>
  readonly known: ReadonlyMap<string, StoredFile>
  readonly signal: AbortSignal
  readonly maskSecrets: boolean
}

export interface BatchResult {
  readonly changes: readonly FileChange[]
  readonly bytes: number
  readonly files: number
  /** Why files could not be read; they stay in the index and are read again by the next pass. */
  readonly unreadFiles: readonly ('unsettled' | 'unreadable')[]
  /** The kinds of secrets that were masked, by file. */
  readonly masked: ReadonlyMap<string, readonly string[]>
}

/** Reads and parses files and returns the resulting changes to the index. */
export async function readBatch(reading: FileReader, batch: readonly ProjectFile[]): Promise<BatchResult> {
  const reads = await Promise.all(batch.map(async (file) => ({ file, read: await reading.files.read(file) })))
  const changes: FileChange[] = []
  const unsettled: ('unsettled' | 'unreadable')[] = []
  const texts: SourceText[] = []
  const masked = new Map<string, readonly string[]>()
  const fresh = new Map<string, FileRead & { readonly skipped: null }>()
  for (const { file, read } of reads) {
    const { path } = file
    const stored = reading.known.get(path)
    if (read.skipped === null) {
      if (stored?.hash === read.hash && stored.skipped === null) changes.push({ ...emptyChange(path, read), hash: read.hash, kept: true })
      else {
        // Masked first, because words, vectors and names are derived from the text.
        const kinds: string[] = []
        const text = reading.maskSecrets ? maskText(read.text, kinds) : read.text
        if (kinds.length > 0) masked.set(path, [...new Set(kinds)])
        texts.push({ path, language: read.language, text })
        fresh.set(path, read)
      }
    } else if (read.skipped === 'changing') unsettled.push('unsettled')
    else if (read.skipped === 'unreadable') unsettled.push('unreadable')
    else if (read.skipped === 'gone') {
      if (stored !== undefined) changes.push(goneChange(path))
    } else changes.push({ ...emptyChange(path, read), skipped: read.skipped })
  }
  const parsed = texts.length === 0 ? [] : await reading.parser.parse(texts, { signal: reading.signal })
  for (const file of parsed) {
    const read = fresh.get(file.path)
    if (read !== undefined) changes.push(toChange(reading, file, read))
  }
  return { changes, unreadFiles: unsettled, masked, files: batch.length, bytes: batch.reduce((sum, file) => sum + file.size, 0) }
}

const emptyChange = (path: string, read: FileRead): FileChange => ({
  path,
  size: read.size,
  modifiedAt: read.mtimeUs,
  hash: '',
  gone: false,
  passages: [],
  references: [],
})

function toChange({ ids, source }: FileReader, file: ParsedFile, read: FileRead & { readonly skipped: null }): FileChange {
  const defined = file.chunks.flatMap((chunk) =>
    chunk.names.map((name): CodeReference => ({ ordinal: chunk.ordinal, kind: 'defines', name, module: null })),
  )
  return {
    ...emptyChange(file.path, read),
    hash: read.hash,
    passages: file.chunks.map((chunk) => ({
      id: ids.mint(),
      owner: source.owner,
      sourceId: source.id,
      path: file.path,
      ordinal: chunk.ordinal,
      text: chunk.text,
      kind: chunk.kind,
      language: read.language,
      name: chunk.name,
      scopePath: chunk.scopePath,
      startLine: chunk.startLine,
      endLine: chunk.endLine,
      hash: chunk.hash,
      embedText: chunk.embedText,
      terms: chunk.terms,
      ...(chunk.rough === undefined ? {} : { rough: chunk.rough }),
    })),
    references: [...defined, ...file.references],
  }
}

const BATCH_FILES = 32
const BATCH_BYTES = 512 * 1024

/** Batches small enough that several in progress use bounded memory. */
export function* batchesOf(files: readonly ProjectFile[]): Generator<readonly ProjectFile[]> {
  let batch: ProjectFile[] = []
  let bytes = 0
  for (const file of files) {
    if (batch.length >= BATCH_FILES || (batch.length > 0 && bytes + file.size > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.size
  }
  if (batch.length > 0) yield batch
}
