import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openForeignFile } from '../../src/backends/sqlite/foreign-file.js'
import { createImportSources } from '../../src/importers/import-sources.js'
import type { ImportRecord, ReadOptions } from '../../src/ports/importer.js'

/** November 2026, in microseconds. */
export const NOW = Date.UTC(2026, 10, 18) * 1000

export const sourcesFor = (home: string) => createImportSources(openForeignFile, { home, platform: 'linux', variables: {} }, '/nowhere')

export interface ReadResult {
  readonly format: string | undefined
  readonly what: string | undefined
  readonly seems: string | undefined
  readonly records: readonly ImportRecord[]
}

/** Recognises a path and reads all of its records. */
export async function readPath(path: string, options: Partial<ReadOptions> & { readonly from?: string } = {}): Promise<ReadResult> {
  const opened = await sourcesFor('/nowhere').open(path, options.from)
  const records: ImportRecord[] = []
  for (const { tree, importer } of opened.recognised)
    for await (const record of importer.read(tree, { map: new Map(), now: NOW, ...options })) records.push(record)
  const [first] = opened.recognised
  return { format: first?.importer.name, what: first?.detection.what, seems: opened.refused[0]?.seems, records }
}

export const ofKind = <K extends ImportRecord['kind']>(records: readonly ImportRecord[], kind: K) =>
  records.filter((record): record is Extract<ImportRecord, { readonly kind: K }> => record.kind === kind)

/** A folder that is removed after the test. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-import-test-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes files by their relative paths; answers the folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** Reads one file by its content. */
export const readText = (name: string, content: string | Uint8Array, options: Parameters<typeof readPath>[1] = {}): Promise<ReadResult> =>
  withFolder(async (folder) => readPath(join(await writeFiles(folder, { [name]: content }), name), options))
