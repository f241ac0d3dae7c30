import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { memory } from '../../src/contracts/memory/contract.js'
import type { Engine } from '../../src/engine/engine.js'
import type { OpenOptions } from '../../src/open.js'
import { type Opened, openBoth } from '../opened.js'
import { rowsOf } from '../store-rows.js'

const folders: string[] = []

export function temporaryFolder(name = 'code'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `mneme-${name}-`)))
  folders.push(folder)
  return folder
}

export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export type Tree = Readonly<Record<string, string>>

export function writeTree(root: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** A folder with this name and these files. */
export function makeProject(name: string, tree: Tree): string {
  const root = join(temporaryFolder(), name)
  mkdirSync(root)
  writeTree(root, tree)
  return root
}

export const open = async (dataDir: string, options: OpenOptions = {}): Promise<Engine> => (await openParted(dataDir, options)).engine

export const openParted = (dataDir: string, options: OpenOptions = {}): Promise<Opened> =>
  openBoth(loadConfig({ flags: { dataDir, embedder: 'hash' } }).config, options)

export interface CallOptions {
  readonly signal?: AbortSignal
  progress?(done: number, total: number | null): void
}

/** Calls a tool like a surface. */
export async function call(engine: Engine, tool: string, input: unknown, options: CallOptions = {}): Promise<Record<string, unknown>> {
  const operation = memory.operations.find((operation) => operation.name === tool)
  if (operation === undefined) throw new Error(`There is no tool ${tool}`)
  const signal = options.signal ?? new AbortController().signal
  const caller = {
    context: engine.context({ signal }),
    actor: 'test',
    connection: 'test',

    progress: (done: number, total: number | null) => options.progress?.(done, total),
  }
  return { ...(await operation.call(caller, input)) }
}

/** Everything in the index of a project, without ids and row numbers: equal for any two ways to the same files. */
export function dump(dataDir: string, project: string): unknown {
  const read = (statement: string, ...values: readonly string[]) => rowsOf(dataDir, statement, ...values)
  const source = String(read(`SELECT id FROM sources WHERE kind = 'repo' AND title = ?`, project)[0]?.id)
  const passages = read(
    `SELECT path, ordinal, text, kind, language, name, scope_path, start_line, end_line, hash, embed_text, hex(terms) AS terms
     FROM passages WHERE source_id = ? ORDER BY path, ordinal`,
    source,
  )
  const refs = read(
    `SELECT p.path, p.ordinal, r.kind, r.name, r.module FROM passage_refs r JOIN passages p ON p.rid = r.rid
     WHERE p.source_id = ? ORDER BY 1, 2, 3, 4, 5`,
    source,
  )
  const files = read(`SELECT path, size, hash, skipped FROM source_files WHERE source_id = ? AND gone = 0 ORDER BY path`, source)
  const orphans = read(
    `SELECT (SELECT count(*) FROM passage_refs WHERE rid NOT IN (SELECT rid FROM passages)) + (SELECT count(*) FROM passage_codes WHERE rid NOT IN (SELECT rid FROM passages)) AS n`,
  )[0]?.n
  return { passages, refs, files, orphans }
}

/** The same project indexed in one pass in a store of its own. */
export async function freshDump(root: string, project: string): Promise<unknown> {
  const dataDir = temporaryFolder('fresh')
  const engine = await open(dataDir)
  await call(engine, 'index_project', { path: root })
  await engine.close()
  return dump(dataDir, project)
}

export const paths = (answer: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(answer.results)
    ? answer.results.map((entry: unknown) =>
        typeof entry === 'object' && entry !== null && 'file_path' in entry ? entry.file_path : undefined,
      )
    : []
