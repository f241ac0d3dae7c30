import { resolve } from 'node:path'
import { z } from 'zod'
import { diagnose } from '../../engine/maintenance/diagnose.js'
import { reindexStore } from '../../engine/maintenance/reindex.js'
import { repairStore } from '../../engine/maintenance/repair-store.js'
import { operation } from '../operation.js'
import { createRate } from '../rate.js'
import { backupText, doctorText } from './plain-text.js'
import { checkServerFile } from './server-files.js'
import { compactText, mendText, reindexText } from './upkeep-text.js'

export const backup = operation({
  name: 'backup',
  title: 'Backup',
  description: 'Copy the store to a file while it is in use',
  effect: 'read',
  idempotent: false,
  positionals: ['file'],
  input: z.strictObject({ file: z.string().min(1).describe('Path of the copy; must not exist') }),
  output: z.object({ file: z.string() }),
  text: backupText,
  async run(call, { file }) {
    const target = resolve(file)
    checkServerFile(call, target)
    await call.context.maintenance.backup(target)
    return { file: target }
  },
})

export const compact = operation({
  name: 'compact',
  title: 'Compact',
  description: 'Reclaim free space in small steps and apply journal retention',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    full: z.boolean().default(false).describe('Rewrite the whole file: smallest result, but blocks other writers'),
  }),
  output: z.object({ bytes_before: z.int(), bytes_after: z.int(), journal_entries: z.int(), vectors_moved: z.int() }),
  text: compactText,
  async run({ context, progress }, { full }) {
    const done = await context.maintenance.compact(full, (message) => progress(0, null, message), context.signal)
    return {
      bytes_before: done.bytesBefore,
      bytes_after: done.bytesAfter,
      journal_entries: done.entries,
      // Vectors have had their own table since an earlier version; clients may still read this field.
      vectors_moved: 0,
    }
  },
})

export const doctor = operation({
  name: 'doctor',
  title: 'Doctor',
  description: 'Check the store, journal, indexes and models; changes nothing',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    healthy: z.boolean(),
    findings: z.array(z.record(z.string(), z.unknown())),
    store: z.record(z.string(), z.unknown()),
  }),
  text: doctorText,
  async run({ context }) {
    const { healthy, findings, location, status, stored } = await diagnose(context, context.signal)
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
  description: 'Repair future-dated rows (the clock of this machine must be right) and remove dangling edges',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    accept_loss: z.boolean().default(false).describe('Continue without the acknowledged changes that doctor reports as missing'),
  }),
  output: z.object({
    facts: z.int(),
    entities: z.int(),
    relations: z.int(),
    entries: z.int(),
    removed: z.int(),
    loss_accepted: z.boolean(),
  }),
  text: mendText,
  async run({ context, actor }, { accept_loss }) {
    const { edges, lossAccepted, ...mended } = await repairStore(context, actor, { acceptLoss: accept_loss })
    return { ...mended, relations: edges, loss_accepted: lossAccepted }
  },
})

export const reindex = operation({
  name: 'reindex',
  title: 'Reindex',
  description: 'Rebuild words and links, or vectors, from the stored facts',
  effect: 'write',
  keyed: false,
  idempotent: true,
  input: z.strictObject({
    links: z.boolean().default(false).describe('Words, mentions and automatic links only'),
    vectors: z.boolean().default(false).describe('Vectors only'),
  }),
  output: z.object({ relinked: z.int(), embedded: z.int() }),
  text: reindexText,
  async run({ context, progress }, { links, vectors }) {
    const both = links === vectors
    const report = (what: string) => {
      let rate: ReturnType<typeof createRate> | undefined
      return (done: number, total: number) => {
        rate ??= createRate()
        progress(done, total, `${what}${rate(done)}`)
      }
    }
    const { linked: relinked, embedded } = await reindexStore(context, {
      links: links || both,
      vectors: vectors || both,
      progress: { terms: report('facts worded'), links: report('facts linked'), vectors: report('facts embedded') },
    })
    return { relinked, embedded }
  },
})
