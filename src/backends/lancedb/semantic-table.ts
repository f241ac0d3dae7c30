import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.js'
import type { SemanticRow, SemanticTable } from '../../ports/derived-index.js'
import { type Generation, newName, readGeneration, switchGeneration } from '../derived/generation.js'
import type { LanceConnection, Lancedb, LanceRow, LanceTable } from './lancedb-package.js'

const MAX_ATTEMPTS = 8
/** Number of writes between removals of old versions. */
const TIDY_AFTER = 50
const EMPTY_ID = ''

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const amongObjects = (ids: readonly string[]): string => `object_id IN (${ids.map(quoted).join(', ')})`

const toRow = ({ chunkId, objectId, owner, hash, vector }: SemanticRow): LanceRow => ({
  chunk_id: chunkId,
  object_id: objectId,
  owner,
  hash,
  vector: Array.from(vector),
})

const textAt = (row: Readonly<Record<string, unknown>>, name: string): string => String(row[name] ?? '')

/** A LanceDB table without an index: its search is exact. */
export async function openSemanticTable(lancedb: Lancedb, folder: string, clock: Clock): Promise<SemanticTable> {
  const connection: LanceConnection = await lancedb.connect(folder)
  let open: { readonly generation: Generation; readonly table: LanceTable } | undefined
  let writes = 0

  /** The current table at its newest version. */
  const current = async (): Promise<LanceTable | undefined> => {
    const generation = await readGeneration(folder)
    if (generation === undefined) return undefined
    if (open?.generation.name !== generation.name) {
      // The previous table may still be in use; it is freed when nothing refers to it.
      open = { generation, table: await connection.openTable(generation.name) }
    }
    await open.table.checkoutLatest()
    return open.table
  }

  /** Another process may have written or switched the table concurrently. */
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (failure) {
        open = undefined
        if (attempt >= MAX_ATTEMPTS) throw failure
        await delay(attempt * 20)
      }
    }
  }

  const tidy = async (table: LanceTable): Promise<void> => {
    writes = 0
    // Readers of an older version reopen the newest.
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: false }).catch(() => undefined)
  }

  return {
    async rebuild(dimensions, model, rows) {
      const name = newName('chunks', clock.now())
      // A table needs a first row to determine its columns.
      const first = { chunk_id: EMPTY_ID, object_id: EMPTY_ID, owner: EMPTY_ID, hash: '', vector: Array.from(new Float32Array(dimensions)) }
      const table = await connection.createTable(name, [first])
      let count = 0
      for await (const batch of rows) {
        if (batch.length === 0) continue
        await table.add(batch.map(toRow))
        count += batch.length
      }
      await table.delete(`chunk_id = ${quoted(EMPTY_ID)}`)
      await tidy(table)
      table.close()
      await switchGeneration(folder, { name, model })
      for (const other of await connection.tableNames()) if (other !== name) await connection.dropTable(other).catch(() => undefined)
      return count
    },
    replace: (objects, rows) =>
      again(async () => {
        const table = await current()
        if (table === undefined || objects.length === 0) return
        if (rows.length === 0) await table.delete(amongObjects(objects))
        else
          await table
            .mergeInsert('chunk_id')
            .whenMatchedUpdateAll()
            .whenNotMatchedInsertAll()
            .whenNotMatchedBySourceDelete({ where: amongObjects(objects) })
            .execute(rows.map(toRow))
        if (rows.length === 0 || ++writes >= TIDY_AFTER) await tidy(table)
      }),
    search: (vector, owner, limit) =>
      again(async () => {
        const table = await current()
        if (table === undefined) return []
        const rows = await table
          .vectorSearch(vector)
          .distanceType('cosine')
          .bypassVectorIndex()
          .where(`owner = ${quoted(owner)}`)
          .select(['chunk_id', 'object_id', '_distance'])
          .limit(limit)
          .toArray()
        return rows.map((row) => ({
          chunkId: textAt(row, 'chunk_id'),
          objectId: textAt(row, 'object_id'),
          distance: Number(row._distance),
        }))
      }),
    model: async () => (await readGeneration(folder))?.model,
    contents: (owner) =>
      again(async () => {
        const table = await current()
        if (table === undefined) return new Map()
        const rows = await table
          .query()
          .where(`owner = ${quoted(owner)}`)
          .select(['chunk_id', 'hash'])
          .toArray()
        return new Map(rows.map((row) => [textAt(row, 'chunk_id'), textAt(row, 'hash')]))
      }),
    async close() {
      open?.table.close()
      connection.close()
    },
  }
}
