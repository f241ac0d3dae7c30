import { z } from 'zod'
import { finishVectors } from '../../engine/embedding/finish-vectors.js'
import { callerPath } from '../caller-path.js'
import { type Call, operation } from '../operation.js'
import { indexText } from './plain-text.js'
import { nullToUndefined, ownerOr, userId } from './shapes.js'

const path = z.string()
const watch = z.boolean().nullish().describe('Follow file changes; false stops')
const output = z.object({
  project_id: z.string(),
  files_indexed: z.int(),
  chunks_created: z.int(),
  files_changed: z.int(),
  files_removed: z.int(),
  files_skipped: z.record(z.string(), z.int()).optional(),
  vectors_pending: z.int().optional(),
  masked: z.record(z.string(), z.int()).optional(),
})

export const indexProject = operation({
  name: 'index_project',
  title: 'Index project',
  description: 'Index the code in a folder, or update its index; reads only changed files.',
  effect: 'write',
  right: 'admin',
  idempotent: true,
  longRunning: true,
  positionals: ['path'],
  input: z.strictObject({ path, watch, user_id: userId }),
  output,
  text: indexText,
  run: runIndex,
})

/** The command `index`. */
export const indexCommand = operation({
  name: 'index',
  title: 'Index project',
  description: 'Index the code in a folder, or update its index; reads only changed files.',
  effect: 'write',
  right: 'admin',
  keyed: false,
  idempotent: true,
  longRunning: true,
  positionals: ['path'],
  input: z.strictObject({ path, watch, wait: z.boolean().default(false).describe('Wait until all vectors are computed'), user_id: userId }),
  output,
  text: indexText,
  async run(call, { wait, ...input }) {
    const indexed = await runIndex(call, input)
    if (!wait || indexed.vectors_pending === undefined) return indexed
    const { context, progress } = call
    await finishVectors(context, (done, total) => progress(done, total, 'vectors computed'), context.signal)
    const { vectors_pending: _computed, ...finished } = indexed
    return finished
  },
})

interface IndexInput {
  readonly path: string
  readonly watch?: boolean | null | undefined
  readonly user_id?: string | null | undefined
}

async function runIndex(call: Call, input: IndexInput): Promise<z.input<typeof output>> {
  const { context, actor, progress, pipe } = call
  const watch = nullToUndefined(input.watch)
  const indexed = await context.services.code.index({
    owner: ownerOr(context, input.user_id),
    path: callerPath(call, input.path),
    actor,
    watch,
    signal: context.signal,
    progress: ({ done, total }) => progress(done, total, `${done} of ${total} files`),
  })
  const masked = filesByKind(indexed.report.masked)
  const pending = context.embedder.disabled ? 0 : indexed.passages - indexed.report.vectorsDone
  // A watching command runs until interrupted; a server watches in the background.
  if (watch === true && pipe !== undefined)
    await untilInterrupted(context.signal, () => progress(indexed.files, indexed.files, `watching ${indexed.source.origin}, Ctrl-C ends`))
  return {
    project_id: indexed.source.title,
    files_indexed: indexed.files,
    chunks_created: indexed.passages,
    files_changed: indexed.filesChanged,
    files_removed: indexed.filesRemoved,
    ...(isEmpty(indexed.report.skipped) ? {} : { files_skipped: { ...indexed.report.skipped } }),
    ...(pending === 0 ? {} : { vectors_pending: pending }),
    ...(isEmpty(masked) ? {} : { masked }),
  }
}

const isEmpty = (counts: Readonly<Record<string, number>>): boolean => Object.keys(counts).length === 0

/** Number of files with a secret of each kind. */
function filesByKind(masked: Readonly<Record<string, readonly string[]>>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of Object.values(masked).flat()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Keeps the process alive while it waits. */
function untilInterrupted(signal: AbortSignal, show: () => void): Promise<void> {
  return new Promise((resolve) => {
    show()
    const timer = setInterval(show, 60_000)
    const end = (): void => {
      clearInterval(timer)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
