/** The used part of `@lancedb/lancedb`, which is not installed with mneme. */
export interface Lancedb {
  connect(path: string): Promise<LanceConnection>
}

export interface LanceConnection {
  tableNames(): Promise<string[]>
  openTable(name: string): Promise<LanceTable>
  createTable(name: string, rows: readonly LanceRow[]): Promise<LanceTable>
  dropTable(name: string): Promise<void>
  close(): void
}

/** A row of the table. */
export type LanceRow = Readonly<Record<string, string | number | readonly number[]>>

export interface LanceTable {
  add(rows: readonly LanceRow[]): Promise<unknown>
  delete(where: string): Promise<unknown>
  checkoutLatest(): Promise<void>
  optimize(options: { readonly cleanupOlderThan: Date; readonly deleteUnverified: boolean }): Promise<unknown>
  mergeInsert(on: string): LanceMerge
  vectorSearch(vector: Float32Array): LanceQuery
  query(): LanceQuery
  close(): void
}

interface LanceMerge {
  whenMatchedUpdateAll(): LanceMerge
  whenNotMatchedInsertAll(): LanceMerge
  whenNotMatchedBySourceDelete(options: { readonly where: string }): LanceMerge
  execute(rows: readonly LanceRow[]): Promise<unknown>
}

interface LanceQuery {
  distanceType(type: 'cosine'): LanceQuery
  bypassVectorIndex(): LanceQuery
  where(condition: string): LanceQuery
  select(columns: readonly string[]): LanceQuery
  limit(count: number): LanceQuery
  toArray(): Promise<readonly Readonly<Record<string, unknown>>[]>
}
