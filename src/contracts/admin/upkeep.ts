import { resolve } from 'node:path'
import { z } from 'zod'
import { status } from '../../engine/status.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'

export const backup = operation({
  name: 'backup',
  title: 'Backup',
  description: 'Copy the store to a file while others go on using it',
  effect: 'read',
  idempotent: false,
  positionals: ['file'],
  input: z.strictObject({ file: z.string().min(1).describe('Where the copy goes; must not exist yet') }),
  output: z.object({ file: z.string() }),
  async run({ engine }, { file }) {
    const target = resolve(file)
    await engine.backend.upkeep.backup(target)
    return { file: target }
  },
})

export const doctor = operation({
  name: 'doctor',
  title: 'Doctor',
  description: 'Check the store, its journal, its indexes and the embedding model; changes nothing',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    healthy: z.boolean(),
    findings: z.array(z.record(z.string(), z.unknown())),
    store: z.record(z.string(), z.unknown()),
  }),
  async run({ engine, signal }) {
    const findings = [...(await engine.backend.upkeep.examine())]
    try {
      await engine.vectoriser.query('check', signal)
    } catch (error) {
      const reason = error instanceof MemoryError ? (error.details.problem ?? error.message) : String(error)
      findings.push({
        severity: 'warning',
        what: `No vector can be made: ${String(reason)}`,
        remedy: 'Keyword search works without; check the embedder settings (`mneme settings`).',
      })
    }
    const now = await status(engine)
    return {
      healthy: !findings.some((finding) => finding.severity === 'error'),
      findings: findings.map((finding) => ({ ...finding })),
      store: {
        location: now.location,
        ...now.counts,
        pending_vectors: now.embedding.pending,
        model: now.embedding.model,
        dimensions: now.embedding.dimensions,
      },
    }
  },
})

export const reindex = operation({
  name: 'reindex',
  title: 'Reindex',
  description: 'Make derived data anew from the stored facts: links and words, or the vectors of the configured model',
  effect: 'write',
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
