import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import type { IndexReport } from '../../engine/code/index-report.js'
import { operation } from '../operation.js'
import { ownerOr, userId } from './shapes.js'

const output = z.object({
  project_id: z.string(),
  path: z.string(),
  status: z.enum(['pending', 'indexing', 'completed', 'failed']),
  total_files: z.int(),
  indexed_files: z.int(),
  total_chunks: z.int(),
  progress_percent: z.number(),
  eta_seconds: z.int().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  error_message: z.string().optional(),
  files_skipped: z.record(z.string(), z.int()),
  masked_files: z.record(z.string(), z.array(z.string())).optional(),
  watching: z.boolean(),
  vectors_done: z.int(),
  vectors_total: z.int(),
  vectors_eta_seconds: z.int().nullable(),
})

export const getIndexStatus = operation({
  name: 'get_index_status',
  title: 'Get index status',
  description: 'Indexing progress of a project: keyword search is ready first, then vectors in the background.',
  effect: 'read',
  idempotent: true,
  positionals: ['project_id'],
  input: z.strictObject({ project_id: z.string(), user_id: userId }),
  output,
  run: async ({ context }, { project_id, user_id }) => toAnswer(await context.services.code.report(project_id, ownerOr(context, user_id))),
})

const instant = (at: number | null): string | null => (at === null ? null : formatInstant(at))

const copied = (masked: IndexReport['masked']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(masked).map(([path, kinds]) => [path, [...kinds]]))

const toAnswer = (report: IndexReport): z.input<typeof output> => ({
  project_id: report.project,
  path: report.path,
  status: report.status,
  total_files: report.totalFiles,
  indexed_files: report.indexedFiles,
  total_chunks: report.passages,
  progress_percent: report.percent,
  eta_seconds: report.etaSeconds,
  started_at: instant(report.startedAt),
  completed_at: instant(report.completedAt),
  ...(report.error === null ? {} : { error_message: report.error }),
  files_skipped: { ...report.skipped },
  ...(Object.keys(report.masked).length === 0 ? {} : { masked_files: copied(report.masked) }),
  watching: report.watching,
  vectors_done: report.vectorsDone,
  vectors_total: report.passages,
  vectors_eta_seconds: report.vectorsEtaSeconds,
})
