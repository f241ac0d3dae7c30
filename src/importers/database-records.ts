import type { Detection, ForeignDatabase, ImportRecord, ImportTree } from '../ports/importer.js'

/** Paths of a tree that may be the database: the file itself, or those in a folder that have one of these names. */
const databasesIn = (tree: ImportTree, names: readonly string[]): readonly string[] =>
  tree.kind === 'zip' ? [] : tree.entries.flatMap(({ path }) => (tree.kind === 'file' || names.includes(path) ? [path] : []))

/** Looks at a file, or at the files of a folder that have one of these names, as databases. */
export async function detectDatabase(
  tree: ImportTree,
  detect: (db: ForeignDatabase) => Promise<Detection | undefined>,
  names: readonly string[] = [],
): Promise<Detection | undefined> {
  for (const path of databasesIn(tree, names)) {
    const db = await tree.database(path)
    try {
      const detection = db === undefined ? undefined : await detect(db)
      if (detection !== undefined) return detection
    } finally {
      await db?.close()
    }
  }
  return undefined
}

/** Reads the records of databases; each is closed behind its last one. */
export async function* databaseRecords(
  tree: ImportTree,
  names: readonly string[],
  read: (db: ForeignDatabase, path: string) => AsyncIterable<ImportRecord>,
): AsyncGenerator<ImportRecord> {
  for (const path of databasesIn(tree, names)) {
    const db = await tree.database(path)
    try {
      if (db !== undefined) yield* read(db, path)
    } finally {
      await db?.close()
    }
  }
}
