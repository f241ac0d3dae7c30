import { setTimeout as delay } from 'node:timers/promises'
import { embedText } from '../../core/embedding/fact-text.js'
import type { Fact } from '../../core/facts/fact.js'
import { MIN_LONG } from '../../core/text/pieces.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { Embeddable, EmbeddingBacklog, PendingText } from '../../ports/backlog.js'
import type { Clock } from '../../ports/clock.js'
import type { Embedder } from '../../ports/embedder.js'
import type { Jobs } from '../../ports/jobs.js'
import { INITIAL_BACKOFF_MS, MAX_BACKOFF_MS } from '../backoff.js'
import type { EmbeddingPipeline, EngineLog } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'
import { createBacklogPages } from './backlog-pages.js'
import { createInflightWork } from './inflight.js'
import { createModelCalls } from './model-calls.js'
import { createRebuildMark } from './rebuild-mark.js'
import { checkStoredModel } from './stored-model.js'

interface EmbeddingPipelineOptions {
  readonly backlog: EmbeddingBacklog
  readonly jobs: Jobs
  readonly embedder: Embedder
  readonly clock: Clock
  readonly log: EngineLog
  /** Identifies this process in leases. */
  readonly holder: string
  readonly forceModel: boolean
  readonly waitMs: number
  /** The text of a note as the model reads it; by default unchanged. */
  readonly readAs?: (text: string) => Promise<string>
}

const toPending = (fact: Fact): PendingText => ({ owner: fact.owner, rid: 0, id: fact.id, version: fact.version, text: embedText(fact) })

export const NOT_READY = 'Embedding service not ready. Please try again.'
/** Texts of one request to the model, stored together. */
const BATCH_SIZE = 32
/** The backlog is counted again after this number of pages, because counting reads all of it. */
const PAGES_PER_COUNT = 64
/** A backlog of at most this size is embedded before a search, a larger one in the background. */
const SMALL_BACKLOG = 64
/** Another process works on the backlog, so a later check suffices. */
const ELSEWHERE_MS = 2000

const messageOf = ({ message, hint }: MemoryError): string => [message, hint].filter(Boolean).join(' ')

export function createEmbeddingPipeline(options: EmbeddingPipelineOptions): EmbeddingPipeline {
  const { backlog, jobs, embedder, clock, log, readAs = (text: string) => Promise.resolve(text) } = options
  const waiting = new Set<string>()
  const inWork = createInflightWork()
  const stop = new AbortController()
  const calls = createModelCalls(embedder)
  const { embed } = calls
  let checked: Promise<void> | undefined
  let adopted: Promise<void> | undefined
  let draining: Promise<void> | undefined
  let again = false
  // True if long texts of this process may still lack vectors of later pieces.
  let inPieces = false
  // Makes each probe text different, so that the cache does not answer.
  let checks = 0
  let isRebuilding = false
  const unfinished = createRebuildMark({ jobs, clock, holder: options.holder, model: embedder.model.id })

  const checkModel = (): Promise<void> => checkStoredModel(backlog, embedder.model, options.forceModel)

  const ready = (): Promise<void> => {
    checked ??= checkModel().catch((error: unknown) => {
      checked = undefined
      throw error
    })
    return checked
  }

  /**
   * Repeated, because another process may have stored vectors of another model since the first check. A model that never produced a vector
   * does not block the next one.
   */
  const prepare = (): Promise<void> => {
    adopted ??= checkModel()
      .then(() => backlog.adopt(embedder.model))
      .catch((error: unknown) => {
        adopted = undefined
        throw error
      })
    return adopted
  }

  const embedBatch = async (kind: Embeddable, texts: readonly PendingText[], signal: AbortSignal): Promise<void> => {
    await ready()
    let stored: Promise<void> = Promise.resolve()
    const breath = createYieldPoint()
    for (let at = 0; at < texts.length; at += BATCH_SIZE) {
      const batch = texts.slice(at, at + BATCH_SIZE)
      const readable: string[] = []
      for (const { text } of batch) {
        await breath()
        readable.push(await readAs(text))
      }
      const [vectors] = await Promise.all([embed(readable, { purpose: 'passage', signal }), stored])
      stored = storeVectors(kind, batch, vectors)
    }
    await stored
  }

  const storeVectors = async (kind: Embeddable, texts: readonly PendingText[], vectors: readonly Float32Array[]): Promise<void> => {
    await prepare()
    const made = texts.flatMap((pending, i) => {
      const vector = vectors[i]
      const { text: _text, long: _long, ...rest } = pending
      return vector === undefined ? [] : [{ ...rest, vector }]
    })
    const taken = await backlog.fill(kind, made, embedder.model)
    // Later pieces are embedded in the background, so writers do not wait for them.
    if (kind === 'facts' && texts.some((pending) => pending.long === true)) {
      inPieces = true
      drain()
    }
    for (const pending of texts) waiting.delete(pending.id)
    // Rows that changed during embedding need a new vector.
    if (taken < made.length) drain()
  }

  const pages = createBacklogPages({ backlog, jobs, clock, holder: options.holder, embedBatch })

  const embedOwn = async (ids: readonly string[], facts: readonly Fact[] = []): Promise<void> => {
    const isKnown = facts.length === ids.length && facts.every((fact) => fact.text.length < MIN_LONG)
    const texts = isKnown ? facts.map(toPending) : await backlog.next('facts', ids.length, ids)
    if (texts.length > 0) await embedBatch('facts', texts, stop.signal)
    for (const id of ids) waiting.delete(id)
  }

  /** A search waits for a few pieces, not for many. */
  const embedPieces = async (): Promise<void> => {
    const pieces = await backlog.next('pieces', SMALL_BACKLOG + 1)
    inPieces = pieces.length > SMALL_BACKLOG
    if (inPieces) drain()
    else if (pieces.length > 0) await embedBatch('pieces', pieces, stop.signal)
  }

  /** Work that exceeds the wait continues in the background; its failure concerns the backlog only. */
  const bounded = async (work: Promise<void>): Promise<void> => {
    const timer = new AbortController()
    await Promise.race([
      work.catch(() => drain()),
      delay(options.waitMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined),
    ])
    timer.abort()
  }

  /** Moves a store of another model to this one if requested; vectors of both are never compared. */
  const takeOver = async (signal: AbortSignal): Promise<boolean> => {
    if (!options.forceModel || adopted !== undefined) return false
    const stored = await backlog.model()
    if (stored === undefined || (stored.id === embedder.model.id && stored.dimensions === embedder.model.dimensions)) return false
    // Tests the model first, so that an unusable one does not discard usable vectors.
    await embed(['one'], { purpose: 'passage', signal })
    await prepare()
    return true
  }

  const drainAll = async (): Promise<void> => {
    let pause = INITIAL_BACKOFF_MS
    while (!stop.signal.aborted) {
      try {
        await takeOver(stop.signal)
        await backlog.resumeModelSwitch()
        // A lease is a write, and each write invalidates caches, so it is taken only for work.
        if (!(await pages.isWaiting())) return await unfinished.clear()
        const { kind } = await pages.drainNext(stop.signal)
        if (kind === 'done') return await unfinished.clear()
        if (kind === 'elsewhere') await delay(ELSEWHERE_MS, undefined, { signal: stop.signal, ref: false })
        pause = INITIAL_BACKOFF_MS
      } catch (error) {
        if (stop.signal.aborted) return
        const rest = Math.max(pause, Math.ceil(calls.pauseMs()))
        log.warn('embedding failed; the texts stay in the backlog', { failure: toMemoryError(error).message, retryInMs: rest })
        await delay(rest, undefined, { signal: stop.signal, ref: false })
        pause = Math.min(MAX_BACKOFF_MS, pause * 2)
      }
    }
  }

  /** Embeds the backlog page by page; returns the number of texts it held. */
  const finishAll: EmbeddingPipeline['finish'] = async (progress, signal) => {
    const total = await pages.remaining()
    let left = total
    for (let nth = 1; ; nth++) {
      signal.throwIfAborted()
      const state = await pages.drainNext(signal)
      if (state.kind === 'done') break
      // Another process works on the backlog, too.
      if (state.kind === 'elsewhere') await delay(ELSEWHERE_MS, undefined, { signal })
      const isCounted = state.kind === 'elsewhere' || nth % PAGES_PER_COUNT === 0
      left = isCounted ? await pages.remaining() : Math.max(0, left - state.size)
      progress(total - left, total)
      if (isCounted && left === 0) break
    }
    return total
  }

  const rebuildAll: EmbeddingPipeline['rebuild'] = async (progress, signal) => {
    // Interrupted: the vectors made since are of this model, and the others are in the backlog.
    if (!(await unfinished.isSet()) || !(await pages.isWaiting())) {
      await backlog.discard(embedder.model)
      await unfinished.set()
    }
    checked = Promise.resolve()
    adopted = Promise.resolve()
    calls.reset()
    const total = await finishAll(progress, signal)
    await unfinished.clear()
    return total
  }

  const drain = (): void => {
    if (stop.signal.aborted || embedder.disabled || isRebuilding) return
    // A drain that is about to end may have missed this text.
    if (draining !== undefined) {
      again = true
      return
    }
    draining = drainAll()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn('the backlog stopped', { failure: toMemoryError(error).message })
      })
      .finally(() => {
        draining = undefined
        if (!again) return
        again = false
        drain()
      })
  }

  return {
    async now(ids, facts = []) {
      if (embedder.disabled) return
      for (const id of ids) waiting.add(id)
      await bounded(inWork.begin(ids, embedOwn(ids, facts)))
    },
    async embedPending() {
      if (embedder.disabled) return
      if (waiting.size > 0) return await bounded(inWork.all([...waiting].slice(0, SMALL_BACKLOG * 4), embedOwn))
      if (inPieces) await bounded(embedPieces())
      const left = await backlog.pending('facts', SMALL_BACKLOG + 1)
      // A killed process leaves a small backlog and possibly its lease; the next search embeds it.
      if (left > SMALL_BACKLOG) drain()
      else if (left > 0) await bounded(backlog.next('facts', SMALL_BACKLOG).then((texts) => embedBatch('facts', texts, stop.signal)))
    },
    async query(text, signal) {
      try {
        const [vector] = await embed([text], { purpose: 'query', signal })
        // Another process may have moved the store to its model since.
        await checkModel()
        if (await takeOver(signal)) drain()
        if (vector !== undefined) return vector
      } catch (error) {
        const known = toMemoryError(error)
        // Only model failures count; a store that cannot be read is reported as such.
        if (known.code !== 'unavailable' && known.code !== 'internal') throw known
        const problem = messageOf(known)
        throw new MemoryError('unavailable', NOT_READY, { hint: problem, details: { problem }, cause: error })
      }
      throw new MemoryError('unavailable', NOT_READY)
    },
    async problem() {
      if (embedder.disabled) return null
      let failure: string | null = null
      if (embedder.status().state !== 'ready')
        await bounded(
          embed([`check ${++checks}`], { purpose: 'query', signal: stop.signal }).then(
            () => undefined,
            (error: unknown) => {
              failure = messageOf(toMemoryError(error))
            },
          ),
        )
      return failure ?? embedder.status().problem
    },
    drain,
    finish: (progress, signal) => (embedder.disabled ? Promise.resolve(0) : finishAll(progress, signal)),
    async rebuild(progress, signal) {
      isRebuilding = true
      try {
        return await rebuildAll(progress, signal)
      } finally {
        isRebuilding = false
        drain()
      }
    },
    prepare,
    async close() {
      stop.abort()
      await draining
    },
  }
}
