import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { Instant } from '../core/facts/fact.js'
import { knownHint } from '../errors/known-names.js'
import { MemoryError } from '../errors.js'
import type { Importer, ImportSources, ImportTree, MachineStore, OpenedSources, RecognisedTree, RefusedTree } from '../ports/importer.js'
import { configuredPlaces } from './configured-places.js'
import { FORMATS } from './formats.js'
import { type DatabaseReader, entryTree, openTree } from './import-tree.js'
import { type MachineEnvironment, type MachinePlace, machinePlaces } from './machine-places.js'
import { openMarkdownFolder } from './markdown-folder.js'
import { seemingKind } from './seeming-kinds.js'
import { countRecords } from './store-counts.js'

/** Maximum number of files read from a folder of unknown kind. */
const MAX_SEPARATE_FILES = 2000

export function createImportSources(databases: DatabaseReader, machine: MachineEnvironment, reports: string): ImportSources {
  const open = async (path: string, format: string | undefined): Promise<OpenedSources> => {
    const importer = format === undefined ? undefined : named(format)
    const { tree, refused } = await openTree(resolve(path), databases)
    const unread = refused.map(
      ({ path: entry, reason }): RefusedTree => ({ origin: `${path}/${printable(entry)}`, seems: reason, hint: undefined }),
    )
    const isLocal = machinePlaces(machine, process.cwd()).some((place) => isWithin(resolve(path), place.path))
    const found =
      importer === undefined
        ? await recognise(tree)
        : { recognised: [{ tree, importer, detection: { what: importer.title } }], refused: [] }
    return { recognised: found.recognised.map((source) => ({ ...source, isLocal })), refused: [...unread, ...found.refused] }
  }
  return {
    formats: async () => FORMATS,
    open,
    async discover(folder, now) {
      const stores: MachineStore[] = []
      for (const { path, format } of [...machinePlaces(machine, folder), ...(await configuredPlaces(machine))]) {
        const store = await storeAt({ path, format }, databases, now).catch(() => undefined)
        if (store !== undefined && !stores.some((known) => known.path === store.path && known.format === store.format)) stores.push(store)
      }
      return stores
    },
    async saveReport(run, report) {
      await mkdir(reports, { recursive: true, mode: 0o700 })
      const file = join(reports, `${run.replaceAll(/[^\w-]/g, '-')}.json`)
      // A link would lead to another file.
      await rm(file, { force: true })
      await writeFile(file, report, { mode: 0o600, flag: 'wx' })
      return file
    },
    markdownFolder: async (path) => openMarkdownFolder(path),
  }
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

/** A recognised tree whose origin is not known yet. */
type DetectedTree = Omit<RecognisedTree, 'isLocal'>

function named(format: string): Importer {
  const found = FORMATS.find(({ name }) => name === format)
  if (found === undefined)
    throw new MemoryError('invalid_input', `There is no import format "${format}".`, {
      hint: knownHint(
        format,
        FORMATS.map(({ name }) => name),
      ),
    })
  return found
}

const printable = (path: string): string => path.replaceAll(/[\0-\x1f\x7f]/g, '?')

async function detect(tree: ImportTree): Promise<DetectedTree | undefined> {
  for (const importer of FORMATS) {
    const detection = await importer.detect(tree)
    if (detection !== undefined) return { tree, importer, detection }
  }
  return undefined
}

/** A tree as a whole, else each of its files. */
async function recognise(
  tree: ImportTree,
): Promise<{ readonly recognised: readonly DetectedTree[]; readonly refused: readonly RefusedTree[] }> {
  const whole = await detect(tree)
  const isSure =
    whole !== undefined &&
    (tree.kind === 'file' || whole.importer.name !== 'markdown' || tree.entries.every(({ path }) => /\.(?:md|markdown)$/i.test(path)))
  if (isSure) return { recognised: [whole], refused: [] }
  if (tree.kind === 'file' || tree.entries.length > MAX_SEPARATE_FILES)
    return whole === undefined ? { recognised: [], refused: [await refusal(tree)] } : { recognised: [whole], refused: [] }
  const recognised: DetectedTree[] = []
  for (const entry of tree.entries) {
    // Notes are read as one folder, so that their links are resolved.
    if (whole !== undefined && /\.(?:md|markdown)$/i.test(entry.path)) continue
    const found = await detect(entryTree(tree, entry)).catch(() => undefined)
    if (found !== undefined) recognised.push(found)
  }
  const all = whole === undefined ? recognised : [whole, ...recognised]
  return all.length > 0 ? { recognised: all, refused: [] } : { recognised: [], refused: [await refusal(tree)] }
}

async function refusal(tree: ImportTree): Promise<RefusedTree> {
  const { seems, hint } = await seemingKind(tree)
  return { origin: tree.origin, seems, hint }
}

/** A known place that holds something of its format. */
async function storeAt({ path, format }: MachinePlace, databases: DatabaseReader, now: Instant): Promise<MachineStore | undefined> {
  const { tree } = await openTree(path, databases)
  const importer = named(format)
  if ((await importer.detect(tree)) === undefined) return undefined
  const bytes = tree.entries.reduce((sum, { size }) => sum + size, 0)
  const place = tree.kind === 'folder' ? join(path, '') : path
  return { path: place, format, title: importer.title, files: tree.entries.length, bytes, ...(await countRecords(tree, importer, now)) }
}
