import { z } from 'zod'
import type { ImportRunReport } from '../../engine/import/import-run.js'
import type { Call } from '../operation.js'

const count = z.int()

export const importAnswer = z.object({
  facts: count,
  entities: count,
  edges: count,
  sources: count.optional(),
  arrangements: count.optional(),
  skipped: count.describe('Stored already'),
  revised: count.optional().describe('Stored before with other contents'),
  run: z.string().optional().describe('Revert the import with mneme undo <run>'),
  resumed: z.boolean().optional(),
  preview: z.boolean().optional(),
  bad: count.optional().describe('Records that cannot be read'),
  left_out: count.optional().describe('Records that are skipped on purpose'),
  found: z
    .array(
      z.object({
        path: z.string(),
        format: z.string(),
        what: z.string(),
        version: z.string().nullable(),
        records: z.record(z.string(), count),
      }),
    )
    .optional(),
  skipped_records: z.array(z.object({ reason: z.string(), bad: z.boolean(), count, places: z.array(z.string()) })).optional(),
  notes: z.array(z.string()).optional(),
  samples: z.array(z.record(z.string(), z.unknown())).optional(),
  refused: z.array(z.object({ path: z.string(), seems: z.string(), hint: z.string().optional() })).optional(),
  report: z.string().optional().describe('File that contains this report'),
  stores: z
    .array(
      z.object({
        path: z.string(),
        format: z.string(),
        title: z.string(),
        files: count,
        bytes: count,
        records: z.record(z.string(), count),
        complete: z.boolean().describe('False if only the first records were counted'),
      }),
    )
    .optional()
    .describe('What was found on this machine'),
  watched: z
    .object({
      folder: z.string(),
      added: count,
      revised: count,
      ended: count,
      conflicts: count,
      refused: count,
      written: count,
      removed: count,
    })
    .optional()
    .describe('What a watched folder and the memory exchanged'),
  formats: z.array(z.object({ name: z.string(), title: z.string(), describe: z.string() })).optional(),
})
type ImportAnswer = z.input<typeof importAnswer>

interface RefusedRecord {
  readonly origin: string
  readonly seems: string
  readonly hint: string | undefined
}

/** The report of a run in wire format. */
export function toAnswer(
  { run, resumed, counts, findings }: ImportRunReport,
  refused: readonly RefusedRecord[],
  shown: (path: string) => string,
): ImportAnswer {
  const { facts, entities, edges, sources, arrangements, skipped, revised } = counts
  return {
    ...{ facts, entities, edges, skipped, revised },
    ...(sources === 0 ? {} : { sources }),
    ...(arrangements === 0 ? {} : { arrangements }),
    ...(run === null ? {} : { run, resumed }),
    ...{ bad: findings.bad, left_out: findings.leftOut },
    found: findings.sources.map(({ path, format, what, version, found }) => ({ path: shown(path), format, what, version, records: found })),
    skipped_records: findings.skipped.map(({ reason, bad, count: times, places }) => ({ reason, bad, count: times, places })),
    ...{ notes: [...findings.notes], samples: findings.samples.map((sample) => ({ ...sample })) },
    refused: refused.map(({ origin, seems, hint }) => ({ path: shown(origin), seems, ...(hint === undefined ? {} : { hint }) })),
  }
}

export type MachineStore = Awaited<ReturnType<Call['context']['imports']['discover']>>[number]

export const toStoreAnswer = ({ isCounted, records, ...store }: MachineStore) => ({
  ...store,
  records: { ...records },
  complete: isCounted,
})

export const preview = (answer: ImportAnswer): ImportAnswer => ({ ...answer, preview: true })
