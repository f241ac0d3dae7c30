import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { normalRemote, projectOwner } from '../../core/hooks/project.js'
import { parseInstant } from '../../core/input/input.js'
import type { ExportSelection } from '../../engine/transfer/export-selection.js'
import { graphLines } from '../../engine/transfer/graph-lines.js'
import { markdownFiles } from '../../engine/transfer/markdown-pages.js'
import { tableLines } from '../../engine/transfer/table-lines.js'
import { exportLines } from '../../engine/transfer/transfer.js'
import { MemoryError } from '../../errors.js'
import { type Call, operation } from '../operation.js'
import { exportText } from './plain-text.js'
import { checkServerFile } from './server-files.js'
import { followWith } from './watch-folder.js'

const FORMATS = ['jsonl', 'markdown', 'server-memory', 'csv'] as const

const input = z.strictObject({
  file: z.string().default('-').describe('Path, or - for standard output; a folder for Markdown'),
  to: z.enum(FORMATS).default('jsonl').describe('Format; only jsonl contains everything'),
  owner: z.string().optional().describe('Only data of this owner'),
  project: z.string().optional().describe('Only data of this project: a repository address, a folder or a name'),
  since: z.string().optional().describe('Only facts recorded since then'),
  as_of: z.string().optional().describe('Only facts that were true at that time'),
  with_code: z.boolean().default(true).describe('Include indexed repositories, in jsonl'),
  history: z.boolean().default(false).describe('Include the journal, in jsonl; imports ignore it'),
  watch: z.boolean().default(false).describe('Update a Markdown folder until interrupted'),
  force: z.boolean().default(false).describe('Replace an existing file'),
})
type ExportInput = z.output<typeof input>

export const exportMemory = operation({
  name: 'export',
  title: 'Export',
  description: 'Write all memories as JSON Lines, a Markdown folder, a server-memory file or CSV, to a file or standard output',
  effect: 'read',
  idempotent: true,
  positionals: ['file'],
  usesPipe: true,
  input,
  output: z.object({
    file: z.string(),
    lines: z.int().optional(),
    files: z.int().optional(),
    written: z.int().optional(),
    removed: z.int().optional(),
  }),
  text: exportText,
  async run(call, input) {
    const { context, pipe, progress } = call
    if (input.file !== '-') checkServerFile(call, input.file)
    if (input.watch && input.to !== 'markdown')
      throw new MemoryError('invalid_input', `A file of ${input.to} cannot be kept current.`, {
        hint: 'Watch a folder: mneme export notes --to markdown --watch.',
      })
    if (input.to === 'markdown') {
      if (input.file === '-')
        throw new MemoryError('invalid_input', 'A folder is needed for Markdown.', {
          hint: 'For example: mneme export notes --to markdown.',
        })
      const folder = resolve(call.cwd ?? '', input.file)
      const selection = selectionOf(input)
      const { files, written, removed } = input.watch
        ? await followWith(call, folder, { selection, author: undefined })
        : await (await context.imports.markdownFolder(folder)).write(markdownFiles(context, selection), context.signal)
      return { file: input.file, files, written, removed }
    }
    const lines = linesOf(context, input)
    if (input.file === '-') {
      if (pipe === undefined) throw new MemoryError('invalid_input', 'A file is needed here: there is no standard output.')
      let count = 0
      for await (const line of lines) {
        context.signal.throwIfAborted()
        await pipe.write(`${line}\n`)
        count++
      }
      return { file: '-', lines: count }
    }
    if (!input.force && (await lstat(input.file).catch(() => undefined)) !== undefined)
      throw new MemoryError('invalid_input', `${input.file} already exists.`, { hint: 'Choose another path, or replace it with --force.' })
    return { file: input.file, lines: await writeFile(input.file, lines, context.signal, progress) }
  },
})

function linesOf(context: Call['context'], input: ExportInput): AsyncGenerator<string> {
  const selection = selectionOf(input)
  if (input.to === 'server-memory') return graphLines(context, selection)
  if (input.to === 'csv') return tableLines(context, selection)
  return exportLines(context, { ...selection, history: input.history, withCode: input.with_code })
}

function selectionOf({ owner, project, since, as_of: asOf }: ExportInput): ExportSelection {
  const instant = (text: string | undefined, name: string) =>
    text === undefined ? undefined : parseInstant(text, `Invalid ${name}: use ISO 8601`)
  return {
    owner: owner ?? (project === undefined ? undefined : projectOwner(normalRemote(project) ?? project)),
    ...{ since: instant(since, 'since'), asOf: instant(asOf, 'as_of') },
  }
}

/** Writes to a temporary file first, so that readers never see a partial export. */
async function writeFile(
  path: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  progress: (done: number, total: null, message: string) => void,
): Promise<number> {
  // A random name and exclusive creation, because a prepared link could redirect the export.
  const partial = `${path}.${randomUUID()}.partial`
  const out = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  let count = 0
  try {
    for await (const line of lines) {
      signal.throwIfAborted()
      if (!out.write(`${line}\n`)) await once(out, 'drain')
      if (++count % 1000 === 0) progress(count, null, 'lines written')
    }
    out.end()
    await finished(out)
    await rename(partial, path)
    await flushFolder(dirname(path))
    return count
  } catch (error) {
    out.destroy()
    await rm(partial, { force: true })
    if (error instanceof MemoryError || signal.aborted) throw error
    throw new MemoryError('storage', `Cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Check the folder and its free space.',
      cause: error,
    })
  }
}

/** Makes the new name durable. Windows has no folder handles. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
