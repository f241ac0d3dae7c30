import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MemoryError } from '../errors.js'
import type { CodeParser, ParsedFile, SourceText } from '../ports/code-parser.js'
import { chunkSource } from './chunk-source.js'
import { openParseThread, type ParseThread } from './parse-thread.js'
import { openOutliner } from './tree-sitter.js'

interface CodeParserOptions {
  /** Threads; 0 parses on the caller's thread, one file per turn of the event loop. */
  readonly threads?: number
  /** Maximum time to parse a file before it is cut into lines. */
  readonly budgetMs?: number
  /** A thread that takes longer for a batch is ended, because parsing cannot always be interrupted. */
  readonly limitMs?: number
  /** Threads end after this time without work, since their memory never shrinks. */
  readonly idleMs?: number
  readonly workerUrl?: URL
  /** See `ParseSettings`; used by threads only. */
  readonly roughUrl?: string
}

interface Batch {
  readonly files: readonly SourceText[]
  readonly byLines: boolean
  readonly signal: AbortSignal | undefined
  resolve(parsed: readonly ParsedFile[]): void
  reject(failure: unknown): void
}

/** Small, so that receiving a result does not block the event loop. */
const BATCH_FILES = 16
const BATCH_CHARS = 64 * 1024
/** Generous, so that a busy machine does not change the result. */
const LIMIT_MS = 20_000

/** A file that crashes every thread has no chunks. */
const withoutChunks = ({ path }: SourceText): ParsedFile => ({ path, parsed: false, chunks: [], references: [] })

export function openCodeParser(options: CodeParserOptions = {}): CodeParser {
  const workerUrl = options.workerUrl ?? new URL('./parse-worker.js', import.meta.url)
  const wanted = options.threads ?? Math.max(1, Math.min(4, availableParallelism()))
  // When run from sources there is no compiled worker.
  const threads = existsSync(fileURLToPath(workerUrl)) ? wanted : 0
  const budgetMs = options.budgetMs ?? 2_000
  return threads === 0
    ? parseHere(budgetMs)
    : parseInThreads(threads, workerUrl, {
        budgetMs,
        limitMs: options.limitMs ?? LIMIT_MS,
        idleMs: options.idleMs ?? 15_000,
        roughUrl: options.roughUrl,
      })
}

const cancelled = (): MemoryError => new MemoryError('cancelled', 'Parsing was cancelled.')

function parseHere(budgetMs: number): CodeParser {
  const outliner = openOutliner({ budgetMs })
  let closed = false
  return {
    async parse(files, { signal } = {}) {
      const parsed: ParsedFile[] = []
      for (const file of files) {
        if (closed || signal?.aborted === true) throw cancelled()
        parsed.push(await chunkSource(outliner, file))
        await nextTurn()
      }
      return parsed
    },
    async close() {
      closed = true
      outliner.close()
    },
  }
}

function parseInThreads(
  limit: number,
  workerUrl: URL,
  settings: { budgetMs: number; limitMs: number; idleMs: number; roughUrl: string | undefined },
): CodeParser {
  const { budgetMs, roughUrl } = settings
  const threadSettings = { budgetMs, ...(roughUrl === undefined ? {} : { roughUrl }) }
  const idle: ParseThread[] = []
  const busy = new Set<ParseThread>()
  const queue: Batch[] = []
  let closed = false
  let idleTimer: NodeJS.Timeout | undefined

  const startTimer = () => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      for (const thread of idle.splice(0)) void thread.end()
    }, settings.idleMs).unref()
  }

  const idleThread = (): ParseThread | undefined => {
    let thread = idle.pop()
    while (thread !== undefined && !thread.alive) thread = idle.pop()
    return thread
  }

  const run = async (thread: ParseThread, batch: Batch): Promise<void> => {
    busy.add(thread)
    const late = setTimeout(() => void thread.end(), settings.limitMs)
    const parsed = await thread.parse(batch)
    clearTimeout(late)
    busy.delete(thread)
    if (parsed !== null) {
      idle.push(thread)
      batch.resolve(parsed)
    } else if (closed) batch.reject(cancelled())
    else if (batch.byLines) batch.resolve(batch.files.map(withoutChunks))
    // One file of the batch crashed the thread: the others succeed alone, and that one is cut into lines.
    else {
      const byLines = batch.files.length === 1
      const each = batch.files.map((file) => submit({ files: [file], byLines, signal: batch.signal }))
      void Promise.all(each).then((results) => batch.resolve(results.flat()), batch.reject)
    }
    if (!closed) pump()
  }

  const pump = (): void => {
    while (queue.length > 0 && (idle.length > 0 || busy.size < limit)) {
      const batch = queue.shift()
      if (batch === undefined) return
      if (batch.signal?.aborted === true) batch.reject(cancelled())
      else void run(idleThread() ?? openParseThread(workerUrl, threadSettings), batch)
    }
    if (busy.size === 0) startTimer()
  }

  const submit = (batch: Omit<Batch, 'resolve' | 'reject'>): Promise<readonly ParsedFile[]> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(cancelled())
      queue.push({ ...batch, resolve, reject })
      pump()
    })

  return {
    async parse(files, { signal } = {}) {
      if (signal?.aborted === true) throw cancelled()
      const parsed = await Promise.all(batchesOf(files).map((batch) => submit({ files: batch, byLines: false, signal })))
      return parsed.flat()
    },
    async close() {
      closed = true
      clearTimeout(idleTimer)
      for (const batch of queue.splice(0)) batch.reject(cancelled())
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.end()))
    },
  }
}

function batchesOf(files: readonly SourceText[]): readonly (readonly SourceText[])[] {
  const batches: SourceText[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const file of files) {
    const last = batches.at(-1)
    if (last === undefined || last.length >= BATCH_FILES || chars + file.text.length > BATCH_CHARS) {
      batches.push([file])
      chars = file.text.length
    } else {
      last.push(file)
      chars += file.text.length
    }
  }
  return batches
}
