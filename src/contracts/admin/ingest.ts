import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { ingestFile, ingestWeb } from '../../engine/substrate/evidence/ingest.js'
import { ingestRepo } from '../../engine/substrate/evidence/ingest-repo.js'
import { operation } from '../operation.js'
import { ingestText } from './plain-text.js'

/** A command that chooses the ingest mode by its argument. */
export const ingest = operation({
  name: 'ingest',
  title: 'Ingest',
  description: 'Capture a folder, file, PDF or web page as evidence that knowledge can cite',
  effect: 'write',
  idempotent: true,
  longRunning: true,
  keyed: false,
  positionals: ['target'],
  input: z.strictObject({
    target: z.string().describe('A path, or a URL that begins with http:// or https://'),
    include: z.array(z.string()).default([]).describe('Patterns of files to capture'),
    exclude: z.array(z.string()).default([]).describe('Patterns of files to skip'),
    force: z.boolean().default(false).describe('Also capture state folders of agents, such as .claude'),
    owner: z.string().optional().describe('Owner of the evidence'),
  }),
  output: z.object({
    status: z.string(),
    source_id: z.string(),
    kind: z.string(),
    title: z.string(),
    segments: z.int().optional(),
    files: z.int().optional(),
    left_out: z.array(z.string()).optional(),
    warnings: z.array(z.string()),
  }),
  text: ingestText,
  async run({ context, actor, progress }, input) {
    const call = { owner: input.owner ?? context.settings.defaultOwner, actor, signal: context.signal }
    if (/^https?:\/\//i.test(input.target)) return shown(await ingestWeb(context, call, input.target))
    const path = resolve(input.target)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isDirectory() !== true) {
      const mode = /\.pdf$/i.test(path) ? 'pdf' : /\.(?:md|markdown|mdx)$/i.test(path) ? 'markdown' : 'file'
      return shown(await ingestFile(context, call, { path, mode }))
    }
    const { include, exclude, force } = input
    const repo = await ingestRepo(
      context,
      { ...call, progress: (done, total) => progress(done, total, `${done} of ${total} files`) },
      { path, include, exclude, force },
    )
    const { source, status, shape, pending } = repo
    return {
      ...{ status, source_id: source.id, kind: source.kind, title: source.title, files: shape.fileCount, warnings: [] },
      ...(pending.length === 0 ? {} : { left_out: [...pending] }),
    }
  },
})

interface CapturedDocument {
  readonly status: string
  readonly source: { readonly id: string; readonly kind: string; readonly title: string }
  readonly segmentCount: number
  readonly warnings: readonly string[]
}

const shown = ({ status, source, segmentCount, warnings }: CapturedDocument) => ({
  ...{ status, source_id: source.id, kind: source.kind, title: source.title, segments: segmentCount, warnings: [...warnings] },
})
