import { scanScope } from '../../core/evidence/scan-scope.js'
import type { Instant } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import { isCredentialFile } from '../../core/files/credential-files.js'
import type { FileChange } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { StoragePorts } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import type { StoredFile } from '../../ports/code-index.js'
import type { CodeParser } from '../../ports/code-parser.js'
import type { Ids } from '../../ports/ids.js'
import type { FilesChanged, ProjectFile, ProjectFiles } from '../../ports/project-files.js'
import {
  type BatchResult,
  batchesOf,
  compare,
  type Difference,
  type FileReader,
  goneChange,
  isStale,
  isWithin,
  readBatch,
} from './file-changes.js'
import {
  formOf,
  INDEX_FORM,
  isOfOtherForm,
  type ProjectState,
  patternsOf,
  projectById,
  projectMissing,
  stateOf,
  withState,
} from './project-state.js'

interface PassTools {
  readonly ports: StoragePorts
  readonly files: ProjectFiles
  readonly parser: CodeParser
  readonly ids: Ids
  readonly clock: Clock
  readonly maskSecrets: boolean
}

export interface PassProgress {
  readonly done: number
  readonly total: number
  readonly doneBytes: number
  readonly totalBytes: number
  readonly startedAt: Instant
}

interface PassOptions {
  readonly sourceId: string
  readonly actor: string
  /** Only these paths, if the changes are known. */
  readonly only?: FilesChanged | undefined
  /** True while this process has exclusive write access to the project. */
  readonly holds: () => boolean
  readonly signal: AbortSignal
  progress(now: PassProgress): void
  /** Called after each commit. */
  stored(): void
}

export interface PassResult {
  readonly source: Source
  /** Files whose current content is indexed. */
  readonly filesChanged: number
  /** Files removed from the index. */
  readonly filesRemoved: number
}

/** Batches read and parsed while one is stored. */
const BATCHES_AHEAD = 3
/** Limit of listed files with secrets, because the project state is written with each commit. */
const MAX_MASKED = 200
const COMMIT_FILES = 64
const COMMIT_PASSAGES = 1000

/** Updates the index of a project from its folder. Committed batches stay, so a later pass continues from there. */
export async function runPass(tools: PassTools, options: PassOptions): Promise<PassResult> {
  const { ports, files, clock } = tools
  const first = await sourceOf(ports, options.sourceId)
  const state = stateOf(first)
  const startedAt = clock.now()
  const outdated = isOfOtherForm(first, tools.maskSecrets)
  const stored = await ports.code.files(first.id)
  const known = outdated ? unread(stored) : stored
  const only = outdated ? undefined : options.only
  const skipped = new Map<string, number>()
  const difference = await differenceOf(tools, first, { only, signal: options.signal }, known, skipped)
  const writer = createWriter(ports, first, options)
  // Only the last commit may mark an index as rebuilt in the current format.
  const small = !outdated && state.status === 'completed' && difference.changed.length + difference.gone.length <= COMMIT_FILES
  if (!small) await writer.state({ ...state, status: 'indexing', startedAt, completedAt: null, error: null })

  const total = difference.files
  const totalBytes = difference.changed.reduce((sum, file) => sum + file.size, 0)
  let done = total - difference.changed.length
  let doneBytes = 0
  const report = (): void => options.progress({ done, total, doneBytes, totalBytes, startedAt })
  report()
  let filesChanged = 0
  let filesRemoved = 0
  const masked = new Map(outdated ? [] : Object.entries(state.masked))
  const add = async (changes: readonly FileChange[]): Promise<void> => {
    for (const change of changes) {
      if (change.kept !== true) masked.delete(change.path)
      const left = change.gone || change.skipped !== undefined
      if (!left) filesChanged++
      else if (known.get(change.path)?.skipped === null) filesRemoved++
    }
    await writer.add(changes)
  }
  for (const path of difference.gone) await add([goneChange(path)])
  const reading: FileReader = {
    files,
    parser: tools.parser,
    ids: tools.ids,
    source: first,
    known,
    signal: options.signal,
    maskSecrets: tools.maskSecrets,
  }
  for await (const result of readAhead(reading, difference.changed)) {
    await add(result.changes)
    for (const [path, kinds] of result.masked) if (masked.size < MAX_MASKED) masked.set(path, kinds)
    for (const reason of result.unreadFiles) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    done += result.files
    doneBytes += result.bytes
    report()
  }
  const counts = only === undefined || only.rescan ? Object.fromEntries(skipped) : state.skipped
  const source = await writer.finish({
    ...state,
    status: 'completed',
    startedAt: small ? state.startedAt : startedAt,
    completedAt: clock.now(),
    error: null,
    skipped: counts,
    masked: Object.fromEntries(masked),
    open: !tools.maskSecrets,
  })
  return { source, filesChanged, filesRemoved }
}

/** Treats stored files as unread. */
const unread = (files: ReadonlyMap<string, StoredFile>): ReadonlyMap<string, StoredFile> =>
  new Map([...files].map(([path, file]) => [path, { ...file, size: -1, hash: '' }]))

async function sourceOf(ports: StoragePorts, id: string): Promise<Source> {
  const source = await projectById(ports, id)
  if (source === undefined) throw projectMissing(id)
  return source
}

async function differenceOf(
  { files }: PassTools,
  source: Source,
  { only, signal }: Pick<PassOptions, 'only' | 'signal'>,
  known: ReadonlyMap<string, StoredFile>,
  skipped: Map<string, number>,
): Promise<Difference> {
  const patterns = patternsOf(source)
  const scope = patterns === undefined ? undefined : scanScope(patterns)
  if (only === undefined || only.rescan) {
    // A missing folder is a failure; an empty one is an empty project.
    await files.find(source.origin)
    const count = (reason: string): void => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    const unreadable = new Set<string>()
    const scan = files.scan(source.origin, {
      signal,
      ...(scope === undefined ? {} : { scope }),
      onSkip(path, reason, isDirectory) {
        if (reason === 'unreadable') unreadable.add(path)
        if (reason !== 'ignored') count(reason)
        // Credential files are usually hidden or ignored, but users want to see that they were skipped.
        else if (!isDirectory && isCredentialFile(path)) count('credentials')
      },
    })
    return compare(scan, known, skipped, unreadable)
  }
  const changed: ProjectFile[] = []
  const gone = new Set<string>()
  for (const path of only.changed) {
    const file = scope?.(path, false) === 'leave' ? undefined : await files.stat(source.origin, path)
    if (file === 'unreadable') continue
    if (file === undefined) gone.add(path)
    else if (isStale(file, known.get(path))) changed.push(file)
  }
  const removed = new Set(only.removed)
  for (const path of known.keys()) {
    if (isWithin(path, removed) && (await files.stat(source.origin, path)) === undefined) gone.add(path)
  }
  return { changed, gone: [...gone].filter((path) => known.has(path)), skipped, files: known.size }
}

/** Yields results in file order and reads a few batches ahead. */
async function* readAhead(reading: FileReader, files: readonly ProjectFile[]): AsyncGenerator<BatchResult> {
  const batches = batchesOf(files)
  const underWay: Promise<BatchResult>[] = []
  const start = (): void => {
    const next = batches.next()
    if (next.done === true) return
    const work = readBatch(reading, next.value)
    // An earlier batch may fail first; the failure of this one is then unhandled.
    work.catch(() => undefined)
    underWay.push(work)
  }
  for (let i = 0; i < BATCHES_AHEAD; i++) start()
  for (let work = underWay.shift(); work !== undefined; work = underWay.shift()) {
    if (reading.signal.aborted) throw new MemoryError('cancelled', 'Indexing was cancelled.')
    const result = await work
    start()
    yield result
  }
}

const sayings = ({ skipped, masked, open }: ProjectState): string => JSON.stringify([skipped, masked, open])

interface Writer {
  add(changes: readonly FileChange[]): Promise<void>
  state(state: ProjectState): Promise<void>
  finish(state: ProjectState): Promise<Source>
}

/** Groups changes into commits; each commit contains the project state that is valid with it. */
function createWriter(ports: StoragePorts, first: Source, options: PassOptions): Writer {
  let source = first
  let waiting: FileChange[] = []
  let passages = 0

  const commit = async (state: ProjectState, files: readonly FileChange[]): Promise<void> => {
    if (!options.holds())
      throw new MemoryError('conflict', `Another process has taken over the indexing of ${source.title}.`, {
        hint: 'get_index_status shows its progress.',
      })
    for (let attempt = 0; ; attempt++) {
      try {
        let next = source
        await ports.store.commit({ actor: options.actor, owners: [source.owner] }, (now) => {
          const form = state.status === 'completed' ? INDEX_FORM : formOf(source)
          next = withState(
            { ...source, metadata: { ...source.metadata, form }, updatedAt: now, version: source.version + 1 },
            { ...state, watch: stateOf(source).watch },
          )
          return [{ op: 'source.put', source: next, ...(files.length === 0 ? {} : { files }) }]
        })
        source = next
        options.stored()
        return
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'conflict' || attempt >= 3) throw error
        // Another writer changed a field of the project or deleted it.
        source = await sourceOf(ports, source.id)
      }
    }
  }

  const flush = async (state: ProjectState): Promise<void> => {
    const files = waiting
    waiting = []
    passages = 0
    await commit(state, files)
  }

  return {
    async add(changes) {
      for (const change of changes) {
        waiting.push(change)
        passages += change.passages.length
        if (waiting.length >= COMMIT_FILES || passages >= COMMIT_PASSAGES) await flush(stateOf(source))
      }
    },
    state: (state) => commit(state, []),
    async finish(state) {
      const before = stateOf(source)
      const same = before.status === 'completed' && sayings(before) === sayings(state)
      if (waiting.length > 0 || !same) await flush(state)
      return source
    },
  }
}
