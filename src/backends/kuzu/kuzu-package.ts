/** The used part of `@ladybugdb/core`, the maintained fork of Kuzu, which is not installed with mneme. */
export interface Ladybug {
  readonly default: { readonly Database: DatabaseClass; readonly Connection: ConnectionClass }
}

type DatabaseClass = new (
  path: string,
  bufferBytes: number,
  compress: boolean,
  readOnly: boolean,
  maxBytes: number,
) => { close(): Promise<void> }

type ConnectionClass = new (database: InstanceType<DatabaseClass>, threads: number) => KuzuConnection

export type Parameters = Readonly<Record<string, string | number>>

export interface KuzuConnection {
  query(statement: string): Promise<QueryResult>
  prepare(statement: string): Promise<object>
  execute(statement: object, parameters: Parameters): Promise<QueryResult>
  close(): Promise<void>
}

interface QueryResult {
  getAll(): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): void
}
