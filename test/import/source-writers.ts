import { join } from 'node:path'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { writeFiles } from './read-tree.js'
import { type ZippedFile, zipFile } from './zip-file.js'

/** What one source of a known program holds, by the documented shape of its format. */
export interface DocumentedSource {
  readonly name: string
  readonly format: string
  /** Writes the source into a folder; answers its path. */
  write(folder: string): Promise<string>
  /** Counts of what is stored of it. */
  readonly stored: { readonly facts: number; readonly entities?: number; readonly edges?: number; readonly sources?: number }
  /** A fact, with some of its fields. */
  readonly spot: Readonly<Record<string, unknown>>
  /** An entity, with some of its fields. */
  readonly entity?: { readonly name: string } & Readonly<Record<string, unknown>>
}

export const json = (value: unknown): string => JSON.stringify(value)
export const lines = (...values: readonly unknown[]): string => `${values.map(json).join('\n')}\n`
export const rows = (table: string, columns: readonly string[], ...values: readonly (readonly unknown[])[]): string =>
  [
    `CREATE TABLE ${table} (${columns.join(', ')});`,
    ...values.map((row) => `INSERT INTO ${table} VALUES (${row.map(sqlOf).join(', ')});`),
  ].join('\n')
const sqlOf = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

export const file =
  (name: string, content: string | Uint8Array) =>
  async (folder: string): Promise<string> =>
    join(await writeFiles(folder, { [name]: content }), name)
export const tree =
  (name: string, files: Readonly<Record<string, string>>) =>
  async (folder: string): Promise<string> => {
    await writeFiles(join(folder, name), files)
    return join(folder, name)
  }
export const zip = (name: string, ...files: readonly ZippedFile[]) => file(name, zipFile(files))
export const database =
  (name: string, sql: string) =>
  async (folder: string): Promise<string> => {
    const path = join(await writeFiles(folder, {}), name)
    await writeFiles(folder, { [name]: '' })
    const db = openFile(path)
    db.exec(sql)
    db.close()
    return path
  }

export const MAY = Date.UTC(2026, 4, 1)
export const at = (seconds: number): string => new Date(MAY + seconds * 1000).toISOString()
export const US = MAY * 1000
