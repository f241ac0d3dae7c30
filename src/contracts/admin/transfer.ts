import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { exportLines, importLines } from '../../engine/transfer/transfer.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { exportText, importText } from './plain-text.js'

const file = z.string().default('-').describe('Path, or - for standard input or output')

export const exportMemory = operation({
  name: 'export',
  title: 'Export',
  description: 'Write the whole memory as JSON lines, to a file or to standard output',
  effect: 'read',
  idempotent: true,
  positionals: ['file'],
  input: z.strictObject({
    file,
    owner: z.string().optional().describe('Only what belongs to this owner'),
    history: z.boolean().default(false).describe('Also what happened, entry by entry; an import leaves it out'),
    force: z.boolean().default(false).describe('Replace a file that is there already'),
  }),
  output: z.object({ file: z.string(), lines: z.int() }),
  text: exportText,
  async run({ context, pipe, progress }, input) {
    const lines = exportLines(context, { owner: input.owner, history: input.history })
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

/** Into a file beside it first: a reader never meets half an export. */
async function writeFile(
  path: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  progress: (done: number, total: null, message: string) => void,
): Promise<number> {
  // A name that no one can have prepared, and a file that was not there: a link in its place would lead the export elsewhere.
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

/** A name is only lasting once its folder is. Windows has no handles of folders. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const importMemory = operation({
  name: 'import',
  title: 'Import',
  description: 'Read JSON lines that `mneme export` wrote, or plain memories ({"content": ...}), from a file or standard input',
  effect: 'write',
  keyed: false,
  idempotent: true,
  positionals: ['file'],
  input: z.strictObject({ file }),
  output: z.object({
    facts: z.int(),
    entities: z.int(),
    edges: z.int(),
    sources: z.int().optional(),
    arrangements: z.int().optional(),
    skipped: z.int(),
  }),
  text: importText,
  async run({ context, actor, pipe, progress }, input) {
    // The name is no file where standard input is a socket.
    const standard = input.file === '-' || input.file === '/dev/stdin'
    if (standard && pipe === undefined) throw new MemoryError('invalid_input', 'A file is needed here: there is no standard input.')
    const lines = standard && pipe !== undefined ? pipe.lines() : await readLines(input.file)
    return {
      ...(await importLines(context, lines, { actor, signal: context.signal, progress: (done) => progress(done, null, 'lines read') })),
    }
  },
})

/** Opened before the first line is asked for, so that what cannot be read is refused by name. Pipes and devices do as well as files. */
async function readLines(path: string): Promise<AsyncIterable<string>> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if ((await handle.stat()).isDirectory()) {
    await handle.close()
    throw new MemoryError('invalid_input', `${path} is a folder.`, { hint: EXPORTED })
  }
  return handle.readLines({ encoding: 'utf8' })
}

const EXPORTED = 'Give the path of a file that `mneme export` wrote.'

function unreadable(path: string, cause: unknown): MemoryError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return new MemoryError('not_found', `There is no file ${path}.`, { hint: EXPORTED, cause })
  return new MemoryError('storage', `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
    hint: 'Give yourself the right to read it (`chmod u+r`), or pipe it in: `mneme import < file`.',
    cause,
  })
}
