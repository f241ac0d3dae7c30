import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { parseInstant } from '../../core/input/input.js'
import { runImport } from '../../engine/import/import-run.js'
import { importLines } from '../../engine/transfer/transfer.js'
import { MemoryError } from '../../errors.js'
import { type Call, operation } from '../operation.js'
import { createRate } from '../rate.js'
import { importAnswer, type MachineStore, preview, toAnswer, toStoreAnswer } from './import-answer.js'
import { importText, storeLine } from './import-text.js'
import { readLines } from './own-lines.js'
import { checkServerFile } from './server-files.js'
import { watchFolder } from './watch-folder.js'

/** If standard input is a socket, this path cannot be opened as a file. */
const STANDARD_INPUT = new Set(['-', '/dev/stdin'])

const input = z.strictObject({
  paths: z
    .array(z.string())
    .default([])
    .describe('Files, folders and archives; - for standard input; none lists the stores of this machine'),
  file: z.string().optional().describe('Same as one path'),
  from: z.string().optional().describe('Format, if it is not recognised; `mneme import --from help` lists them'),
  owner: z.string().optional().describe('Owner of everything that is imported'),
  project: z.string().optional().describe('Project of everything: a repository address, a folder or a name'),
  since: z.string().optional().describe('Skip records of an earlier date'),
  turns: z.boolean().default(false).describe('Also store conversations turn by turn, as documents'),
  sensitive: z.boolean().default(false).describe('Also store records that a format marks as sensitive'),
  dry_run: z.boolean().default(false).describe('Only show what would be stored'),
  map: z.array(z.string()).default([]).describe('Columns of a table by field: content=note,date=created'),
  all: z.boolean().default(false).describe('Import every store found on this machine'),
  watch: z.boolean().default(false).describe('Synchronise a Markdown folder with the memory until interrupted'),
  author: z.string().optional().describe('Author of edits in a watched folder; your user name if omitted'),
})
export type ImportInput = z.output<typeof input>

export const importMemory = operation({
  name: 'import',
  title: 'Import',
  description:
    'Import memories of other programs: exports, databases, notes, rules and transcripts; without a path, list the stores of this machine',
  effect: 'write',
  mode: ({ dry_run: preview }) => (preview === true ? { effect: 'read' } : {}),
  keyed: false,
  idempotent: true,
  longRunning: true,
  positionals: ['paths'],
  usesPipe: true,
  input,
  output: importAnswer,
  text: importText,
  async run(call, input) {
    if (input.from === 'help')
      return {
        ...EMPTY_COUNTS,
        formats: (await call.context.imports.formats()).map(({ name, title, describe }) => ({ name, title, describe })),
      }
    const named = [...(input.file === undefined ? [] : [input.file]), ...input.paths]
    for (const path of named.length === 0 || input.watch ? ['', ...named] : named) checkServerFile(call, path)
    if (input.watch) return watchFolder(call, input)
    const paths = [...(input.file === undefined ? [] : [input.file]), ...input.paths]
    const standard = paths.some((path) => STANDARD_INPUT.has(path))
    if (standard && call.pipe === undefined) throw new MemoryError('invalid_input', 'A file is needed here: there is no standard input.')
    if (standard || (paths.length === 0 && !input.all && (await call.pipe?.hasInput?.()) === true))
      return importOwn(call, call.pipe?.lines() ?? none())
    if (paths.length > 0) return importPaths(call, input, paths)
    const stores = await call.context.imports.discover(process.cwd(), call.context.clock.now())
    const chosen = input.all ? stores : await chooseStores(call, stores)
    if (chosen === undefined) return { ...EMPTY_COUNTS, stores: stores.map(toStoreAnswer) }
    const places = chosen.map(({ path, format }) => ({ path, format }))
    return places.length === 0 && !input.all ? EMPTY_COUNTS : importPaths(call, input, places)
  },
})

const EMPTY_COUNTS = { facts: 0, entities: 0, edges: 0, skipped: 0 }

async function* none(): AsyncGenerator<string> {
  // Standard input is a terminal or empty.
}

/** Lines of an mneme export, with their own ids. Like every other import, it is a run that can be undone. */
async function importOwn({ context, progress }: Call, lines: AsyncIterable<string>) {
  const run = `import:mneme:${context.ids.mint().slice(-10)}`
  const rate = createRate()
  const report = await importLines(context, lines, {
    actor: run,
    signal: context.signal,
    progress: (done) => progress(done, null, `lines read${rate(done)}`),
  })
  return { ...report, run }
}

/** The stores that a person chooses at a terminal; undefined without a terminal or stores. */
async function chooseStores({ pipe }: Call, stores: readonly MachineStore[]): Promise<readonly MachineStore[] | undefined> {
  if (stores.length === 0) return undefined
  const lines = stores.map((store, index) => `${index + 1}. ${storeLine(toStoreAnswer(store))}`)
  const answer = await pipe?.ask?.(`${lines.join('\n')}\nImport which? Numbers such as 1,3, or all; Enter for none: `)
  if (answer === undefined) return undefined
  const words = answer.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 1 && words[0]?.toLowerCase() === 'all') return stores
  return words.map((word) => {
    const store = /^\d+$/.test(word) ? stores[Number(word) - 1] : undefined
    if (store === undefined)
      throw new MemoryError('invalid_input', `Invalid choice "${word}".`, { hint: `Type numbers from 1 to ${stores.length}, or all.` })
    return store
  })
}

async function isPipe(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

type NamedPath = string | { readonly path: string; readonly format: string }

async function importPaths(call: Call, input: ImportInput, paths: readonly NamedPath[]) {
  const { context } = call
  const [first] = paths
  // A pipe can be read only once, so its format is not detected first.
  if (typeof first === 'string' && paths.length === 1 && (await isPipe(first))) return importOwn(call, await readLines(first))
  const opened = []
  for (const named of paths) {
    const { path, format } = typeof named === 'string' ? { path: named, format: input.from } : named
    opened.push(await context.imports.open(resolve(path), format))
  }
  const recognised = opened.flatMap((sources) => sources.recognised)
  const refused = opened.flatMap((sources) => sources.refused)
  const [only] = recognised
  const isPlain = input.owner === undefined && input.project === undefined && input.since === undefined && !input.dry_run
  if (only?.importer.name === 'mneme' && recognised.length === 1 && refused.length === 0 && isPlain)
    return importOwn(call, await readLines(only.tree.origin))
  if (only === undefined) {
    const [seen] = refused
    throw new MemoryError(
      'invalid_input',
      seen === undefined ? 'There is nothing to import.' : `${shownPath(call, seen.origin)} seems to be ${seen.seems}.`,
      {
        hint: seen?.hint ?? '`mneme import --from help` lists the formats.',
      },
    )
  }
  const isTable = recognised.some(({ importer }) => importer.name === 'table')
  if (input.map.length > 0 && !isTable)
    throw new MemoryError(
      'invalid_input',
      `--map names columns of a table, and ${shownPath(call, only.tree.origin)} is ${only.importer.title}.`,
      {
        hint: 'Leave --map out, or name the format: --from table.',
      },
    )
  const rate = createRate()
  const report = await runImport(
    context,
    {
      ...{
        trees: recognised,
        owner: input.owner ?? ownOwner(call, input),
        project: input.project,
        turns: input.turns,
        sensitive: input.sensitive,
      },
      ...{
        map: parseMap(input.map),
        preview: input.dry_run,
        since: input.since === undefined ? undefined : parseInstant(input.since, 'Invalid since: use ISO 8601'),
      },
    },
    { signal: context.signal, progress: (records, message, share) => call.progress(records, null, `${message}${rate(records, share)}`) },
  )
  const answer = toAnswer(report, refused, (path) => shownPath(call, path))
  if (report.run === null) return preview(answer)
  const file = await context.imports.saveReport(report.run, `${JSON.stringify(answer, null, 2)}\n`).catch(() => undefined)
  return file === undefined ? answer : { ...answer, report: file }
}

/** The path of a file, and only the name of one that was uploaded: its folder is the server's. */
function shownPath({ uploaded }: Call, path: string): string {
  const upload = [...(uploaded ?? [])].find((root) => path === root || path.startsWith(`${root}/`))
  return upload === undefined ? path : `${basename(upload)}${path.slice(upload.length)}`
}

/** A key of one owner imports everything for that owner, also records of projects; undefined where records have owners of their own. */
const ownOwner = ({ context: { principal } }: Call, { project }: ImportInput): string | undefined =>
  principal.reach === 'everything' || project !== undefined ? undefined : (principal.owner ?? undefined)

/** Parses `content=note,date=created` into columns by field. */
function parseMap(pairs: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  for (const part of pairs.flatMap((text) => text.split(','))) {
    const sign = part.indexOf('=')
    const [field, column] = [part.slice(0, sign).trim(), part.slice(sign + 1).trim()]
    if (sign === -1 || field === '' || column === '')
      throw new MemoryError('invalid_input', `Invalid map "${part}".`, {
        hint: 'Write fields and columns, such as --map content=note,date=created.',
      })
    map.set(field, column)
  }
  return map
}
