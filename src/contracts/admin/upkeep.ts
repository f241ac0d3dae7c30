import { resolve } from 'node:path'
import { z } from 'zod'
import type { Engine } from '../../engine/engine.js'
import { mendTimes } from '../../engine/facts/mend-times.js'
import { problemOf } from '../../engine/search/question-vector.js'
import { status } from '../../engine/status.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { backupText, doctorText } from './plain-text.js'

export const backup = operation({
  name: 'backup',
  title: 'Backup',
  description: 'Copy the store to a file while others go on using it',
  effect: 'read',
  idempotent: false,
  positionals: ['file'],
  input: z.strictObject({ file: z.string().min(1).describe('Where the copy goes; must not exist yet') }),
  output: z.object({ file: z.string() }),
  text: backupText,
  async run({ engine }, { file }) {
    const target = resolve(file)
    await engine.backend.upkeep.backup(target)
    return { file: target }
  },
})

export const compact = operation({
  name: 'compact',
  title: 'Compact',
  description: 'Give back what the file does not need any more, in slices while others go on; drop what the journal need not keep',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    full: z.boolean().default(false).describe('Write the whole file anew: smallest, but others have to wait with their writes'),
  }),
  output: z.object({ bytes_before: z.int(), bytes_after: z.int(), journal_entries: z.int(), vectors_moved: z.int() }),
  async run({ engine, progress, signal }, { full }) {
    const done = await engine.backend.upkeep.compact(full, (message) => progress(0, null, message), signal)
    return {
      bytes_before: done.bytesBefore,
      bytes_after: done.bytesAfter,
      journal_entries: done.entries,
      // Vectors lie where they are since they have a table of their own; clients may still read it.
      vectors_moved: 0,
    }
  },
})

export const doctor = operation({
  name: 'doctor',
  title: 'Doctor',
  description: 'Check the store, its journal, its indexes and the models; changes nothing',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    healthy: z.boolean(),
    findings: z.array(z.record(z.string(), z.unknown())),
    store: z.record(z.string(), z.unknown()),
  }),
  text: doctorText,
  async run({ engine, signal }) {
    const { backend, embedder } = engine
    const findings: Finding[] = []
    const isSaid = (reason: string): boolean => findings.some(({ what }) => what.includes(reason))
    /** A part that fails is a finding: the report comes whatever the state of the store. */
    const attempt = async <T>(part: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await part()
      } catch (error) {
        signal.throwIfAborted()
        const failure = toFinding(error)
        if (!isSaid(failure.what)) findings.push(failure)
        return undefined
      }
    }
    findings.push(...((await attempt(() => backend.upkeep.examine())) ?? []))
    const stored = await attempt(() => backend.backlog.model())
    if (
      stored !== undefined &&
      embedder.disabled !== true &&
      (stored.id !== embedder.model.id || stored.dimensions !== embedder.model.dimensions)
    )
      findings.push({
        severity: 'error',
        what: `The store holds vectors of ${named(stored)}, the configured model is ${named(embedder.model)}: nothing is found by meaning`,
        remedy:
          'Configure that model again (`mneme settings` shows what is set), or run `mneme reindex --vectors` to embed everything anew.',
      })
    else {
      const problem = await attempt(() => modelProblem(engine, signal))
      if (problem !== undefined && !isSaid(problem))
        findings.push({
          severity: embedder.disabled ? 'warning' : 'error',
          what: `No vector can be made: ${problem}`,
          remedy: 'Until then recall goes by words and links; `mneme settings` shows the embedder.',
        })
    }
    const unread = await engine.secondLook.examine(signal)
    if (unread !== undefined && !isSaid(unread))
      findings.push({
        severity: 'warning',
        what: unread,
        remedy: 'Recall works without the reranker; install mneme again to have it back, or set --rerank 0.',
      })
    const now = await attempt(() => status(engine))
    return {
      healthy: !findings.some((finding) => finding.severity === 'error'),
      findings: findings.map((finding) => ({ ...finding })),
      store: {
        location: backend.location,
        ...now?.counts,
        ...(now === undefined ? {} : { pending_vectors: now.embedding.pending }),
        model: stored?.id ?? null,
        dimensions: stored?.dimensions ?? null,
        reranker: now?.reranker.state ?? null,
      },
    }
  },
})

type Finding = Awaited<ReturnType<Engine['backend']['upkeep']['examine']>>[number]

const named = ({ id, dimensions }: { readonly id: string; readonly dimensions: number }): string => `${id} (${dimensions} dimensions)`

const toFinding = (error: unknown): Finding => ({
  severity: 'error',
  what: error instanceof Error ? error.message : String(error),
  remedy: (error instanceof MemoryError ? error.hint : undefined) ?? 'Check the data directory and the disk below it.',
})

async function modelProblem(engine: Engine, signal: AbortSignal): Promise<string | undefined> {
  try {
    await engine.vectoriser.query('check', signal)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    const known = toMemoryError(error)
    if (known.code === 'storage') throw known
    return problemOf(known)
  }
}

export const mend = operation({
  name: 'mend',
  title: 'Mend',
  description: 'Date anew what a clock that ran ahead has dated after the present; the clock of this machine must be right',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    accept_loss: z.boolean().default(false).describe('Go on without the acknowledged changes that doctor misses'),
  }),
  output: z.object({ facts: z.int(), entities: z.int(), relations: z.int(), entries: z.int(), loss_accepted: z.boolean() }),
  async run({ engine, actor, signal }, { accept_loss }) {
    const { edges, ...mended } = await mendTimes(engine, actor, signal)
    return { ...mended, relations: edges, loss_accepted: accept_loss && (await engine.backend.upkeep.acceptLoss()) }
  },
})

export const reindex = operation({
  name: 'reindex',
  title: 'Reindex',
  description: 'Make derived data anew from the stored facts: links and words, or the vectors of the configured model',
  effect: 'write',
  keyed: false,
  idempotent: true,
  input: z.strictObject({
    links: z.boolean().default(false).describe('Words, mentions and automatic links only'),
    vectors: z.boolean().default(false).describe('Vectors only'),
  }),
  output: z.object({ relinked: z.int(), embedded: z.int() }),
  async run({ engine, progress, signal }, { links, vectors }) {
    const both = links === vectors
    let relinked = 0
    if (links || both) {
      await engine.backend.upkeep.reterm((done, total) => progress(done, total, 'facts worded'), signal)
      relinked = await engine.backend.upkeep.relink((done, total) => progress(done, total, 'facts linked'), signal)
    }
    const embedded = vectors || both ? await engine.vectoriser.rebuild((done, total) => progress(done, total, 'facts embedded'), signal) : 0
    return { relinked, embedded }
  },
})
