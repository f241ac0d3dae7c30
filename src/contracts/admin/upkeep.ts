import { resolve } from 'node:path'
import { z } from 'zod'
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
    await engine.upkeep.backup(target)
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
    const done = await engine.upkeep.compact(full, (message) => progress(0, null, message), signal)
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
    const { healthy, findings, location, status, stored } = await engine.upkeep.examine(signal)
    return {
      healthy,
      findings: findings.map((finding) => ({ ...finding })),
      store: {
        location,
        ...status?.counts,
        ...(status === undefined ? {} : { pending_vectors: status.embedding.pending }),
        model: stored?.id ?? null,
        dimensions: stored?.dimensions ?? null,
        reranker: status?.reranker.state ?? null,
      },
    }
  },
})

export const mend = operation({
  name: 'mend',
  title: 'Mend',
  description:
    'Date anew what a clock that ran ahead has dated after the present (the clock of this machine must be right), and remove relations without an end',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    accept_loss: z.boolean().default(false).describe('Go on without the acknowledged changes that doctor misses'),
  }),
  output: z.object({
    facts: z.int(),
    entities: z.int(),
    relations: z.int(),
    entries: z.int(),
    removed: z.int(),
    loss_accepted: z.boolean(),
  }),
  async run({ engine, actor, signal }, { accept_loss }) {
    const { edges, lossAccepted, ...mended } = await engine.upkeep.mend(actor, { acceptLoss: accept_loss, signal })
    return { ...mended, relations: edges, loss_accepted: lossAccepted }
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
    const worded = (done: number, total: number): void => progress(done, total, 'facts worded')
    const linked = (done: number, total: number): void => progress(done, total, 'facts linked')
    const relinked = links || both ? await engine.upkeep.relink({ worded, linked }, signal) : 0
    const embedded = vectors || both ? await engine.upkeep.reembed((done, total) => progress(done, total, 'facts embedded'), signal) : 0
    return { relinked, embedded }
  },
})
