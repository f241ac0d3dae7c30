import { setTimeout as delay } from 'node:timers/promises'
import { embedText } from '../../core/embedding/fact-text.js'
import type { Fact } from '../../core/facts/fact.js'
import { MIN_LONG } from '../../core/text/pieces.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { Embeddable, EmbeddingBacklog, PendingText } from '../../ports/backlog.js'
import type { Clock } from '../../ports/clock.js'
import type { Embedder, EmbedOptions } from '../../ports/embedder.js'
import type { Jobs } from '../../ports/jobs.js'
import { createBackoff, INITIAL_BACKOFF_MS, MAX_BACKOFF_MS } from '../backoff.js'
import type { EmbeddingPipeline, EngineLog } from '../environment.js'
import { LEASE_US } from '../lease-durations.js'
import { withTimeout } from '../with-timeout.js'
import { createInflightWork } from './inflight.js'
import { checkStoredModel } from './stored-model.js'

export interface EmbeddingPipelineOptions {
  readonly backlog: EmbeddingBacklog
  readonly jobs: Jobs
  readonly embedder: Embedder
  readonly clock: Clock
  readonly log: EngineLog
  /** Identifies this process in leases. */
  readonly holder: string
  readonly forceModel: boolean
  readonly waitMs: number
}

const toPending = (fact: Fact): PendingText => ({ owner: fact.owner, rid: 0, id: fact.id, version: fact.version, text: embedText(fact) })

export const NOT_READY = 'Embedding service not ready. Please try again.'
const BATCH_SIZE = 32
/** Facts before code, because a person waits for them, and first pieces before later ones. */
const IN_ORDER: readonly Embeddable[] = ['facts', 'pieces', 'passages']
/** A backlog of at most this size is embedded before a search, a larger one in the background. */
const SMALL_BACKLOG = 64
/** A faster failure costs little, and repeating the request detects a recovered model. */
const COSTLY_MS = 1000
/** Maximum wait for a query vector; after that, keyword results are better than none. */
const QUESTION_MS = 10_000

const told = ({ message, hint }: MemoryError): string => [message, hint].filter(Boolean).join(' ')

export function createEmbeddingPipeline(options: EmbeddingPipelineOptions): EmbeddingPipeline {
  const { backlog, jobs, embedder, clock, log } = options
  const waiting = new Set<string>()
  const inWork = createInflightWork()
  const stop = new AbortController()
  // Separate pauses: a text that a service rejects must not make every query fail.
  const pauses = { passage: createBackoff(), query: createBackoff() }
  let checked: Promise<void> | undefined
  let adopted: Promise<void> | undefined
  let draining: Promise<void> | undefined
  let again = false
  // True if long texts of this process may still lack vectors of later pieces.
  let inPieces = false
  // Makes each probe text different, so that the cache does not answer.
  let checks = 0

  const tooLate = (): MemoryError =>
    new MemoryError('unavailable', `The embedding model ${embedder.model.id} did not answer within ${QUESTION_MS / 1000} s.`, {
      hint: 'Check the embedder: `mneme settings` shows which it is, `mneme doctor` asks it.',
    })

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

  const embed = async (texts: readonly string[], given: EmbedOptions): Promise<readonly Float32Array[]> => {
    const pause = pauses[given.purpose]
    const known = pause.failure()
    if (known !== undefined) throw known
    const since = performance.now()
    try {
      const vectors = await (given.purpose === 'query'
        ? withTimeout(embedder.embed(texts, given), QUESTION_MS, tooLate)
        : embedder.embed(texts, given))
      // A working query shows that the model works; a failing one says nothing about passages.
      if (pauses.query.recordSuccess() || given.purpose === 'passage') pauses.passage.recordSuccess()
      return vectors
    } catch (error) {
      const failure = toMemoryError(error)
      if (failure.code !== 'cancelled' && performance.now() - since >= COSTLY_MS) pause.recordFailure(failure)
      throw failure
    }
  }

  const embedBatch = async (of: Embeddable, texts: readonly PendingText[], signal: AbortSignal): Promise<void> => {
    await ready()
    const vectors = await embed(
      texts.map((one) => one.text),
      { purpose: 'passage', signal },
    )
    await prepare()
    const made = texts.flatMap((one, i) => {
      const vector = vectors[i]
      const { text: _text, long: _long, ...rest } = one
      return vector === undefined ? [] : [{ ...rest, vector }]
    })
    const taken = await backlog.fill(of, made, embedder.model)
    // Later pieces are embedded in the background, so writers do not wait for them.
    if (of === 'facts' && texts.some((one) => one.long === true)) {
      inPieces = true
      drain()
    }
    for (const one of texts) waiting.delete(one.id)
    // Rows that changed during embedding need a new vector.
    if (taken < made.length) drain()
  }

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

  const remaining = async (): Promise<number> => {
    let left = 0
    for (const of of IN_ORDER) left += await backlog.pending(of)
    return left
  }

  const isWaiting = async (): Promise<boolean> => {
    for (const of of IN_ORDER) if ((await backlog.pending(of, 1)) > 0) return true
    return false
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

  const withLease = async (work: () => Promise<boolean>): Promise<'more' | 'done' | 'elsewhere'> => {
    const lease = await jobs.take('embed', '*', options.holder, clock.now(), clock.now() + LEASE_US.embed)
    if (lease === undefined) return 'elsewhere'
    try {
      const more = await work()
      await jobs.release(lease, clock.now(), null)
      return more ? 'more' : 'done'
    } catch (error) {
      await jobs.release(lease, clock.now(), stop.signal.aborted ? null : toMemoryError(error).message)
      throw error
    }
  }

  const drainAll = async (): Promise<void> => {
    let pause = INITIAL_BACKOFF_MS
    while (!stop.signal.aborted) {
      try {
        await takeOver(stop.signal)
        await backlog.resumeModelSwitch()
        // A lease is a write, and each write invalidates caches, so it is taken only for work.
        if (!(await isWaiting())) return
        // Rows claimed by another process may still be released.
        const state = backlog.claims === undefined ? await withLease(drainBatch) : (await drainBatch()) ? 'more' : 'elsewhere'
        if (state === 'done') return
        // Another process works on the backlog, so a later check suffices.
        if (state === 'elsewhere') await delay(2000, undefined, { signal: stop.signal, ref: false })
        pause = INITIAL_BACKOFF_MS
      } catch (error) {
        if (stop.signal.aborted) return
        const rest = Math.max(pause, Math.ceil(pauses.passage.remainingMs()))
        log.warn('embedding failed; the texts stay in the backlog', { failure: toMemoryError(error).message, retryInMs: rest })
        await delay(rest, undefined, { signal: stop.signal, ref: false })
        pause = Math.min(MAX_BACKOFF_MS, pause * 2)
      }
    }
  }

  /** False if the backlog is empty. */
  const drainBatch = async (signal: AbortSignal = stop.signal): Promise<boolean> => {
    for (const of of IN_ORDER) {
      const texts = await (backlog.claims?.take(of, BATCH_SIZE) ?? backlog.next(of, BATCH_SIZE))
      if (texts.length === 0) continue
      try {
        await embedBatch(of, texts, signal)
      } catch (error) {
        await backlog.claims?.giveUp(of, texts).catch(() => undefined)
        throw error
      }
      return true
    }
    return false
  }

  const drain = (): void => {
    if (stop.signal.aborted || embedder.disabled) return
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
        const problem = told(known)
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
              failure = told(toMemoryError(error))
            },
          ),
        )
      return failure ?? embedder.status().problem
    },
    drain,
    async rebuild(progress, signal) {
      await backlog.discard(embedder.model)
      checked = Promise.resolve()
      adopted = Promise.resolve()
      for (const pause of Object.values(pauses)) pause.recordSuccess()
      const total = await remaining()
      for (let left = total; left > 0; left = await remaining()) {
        signal.throwIfAborted()
        if (!(await drainBatch(signal))) break
        progress(total - left, total)
      }
      return total
    },
    prepare,
    async close() {
      stop.abort()
      await draining
    },
  }
}
