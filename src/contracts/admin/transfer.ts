import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { exportLines, importLines } from '../../engine/transfer.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'

const file = z.string().default('-').describe('Path, or - for standard input or output')

export const exportMemory = operation({
  name: 'export',
  title: 'Export',
  description: 'Write the whole memory as JSON lines, to a file or to standard output',
  effect: 'read',
  idempotent: true,
  positionals: ['file'],
  input: z.strictObject({ file, owner: z.string().optional().describe('Only what belongs to this owner') }),
  output: z.object({ file: z.string(), lines: z.int() }),
  async run({ engine, pipe, progress, signal }, input) {
    const lines = exportLines(engine, input.owner)
    if (input.file === '-') {
      if (pipe === undefined) throw new MemoryError('invalid_input', 'A file is needed here: there is no standard output.')
      let count = 0
      for await (const line of lines) {
        signal.throwIfAborted()
        await pipe.write(`${line}\n`)
        count++
      }
      return { file: '-', lines: count }
    }
    return { file: input.file, lines: await writeFile(input.file, lines, signal, progress) }
  },
})

/** Into a file beside it first: a reader never meets half an export. */
async function writeFile(
  path: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  progress: (done: number, total: null, message: string) => void,
): Promise<number> {
  const partial = `${path}.partial`
  const out = createWriteStream(partial, { mode: 0o600 })
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

export const importMemory = operation({
  name: 'import',
  title: 'Import',
  description: 'Read JSON lines that `mneme export` wrote, or plain memories ({"content": ...}), from a file or standard input',
  effect: 'write',
  idempotent: true,
  positionals: ['file'],
  input: z.strictObject({ file }),
  output: z.object({ facts: z.int(), entities: z.int(), edges: z.int(), skipped: z.int() }),
  async run({ engine, actor, pipe, progress, signal }, input) {
    if (input.file === '-' && pipe === undefined)
      throw new MemoryError('invalid_input', 'A file is needed here: there is no standard input.')
    const lines = input.file === '-' && pipe !== undefined ? pipe.lines() : await readLines(input.file)
    return { ...(await importLines(engine, lines, { actor, signal, progress: (done) => progress(done, null, 'lines read') })) }
  },
})

async function readLines(path: string): Promise<AsyncIterable<string>> {
  const known = await stat(path).catch(() => undefined)
  if (known === undefined || !known.isFile())
    throw new MemoryError('not_found', `There is no file ${path}.`, { hint: 'Give the path of a file that `mneme export` wrote.' })
  return createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
}
