import type { Query } from './plan.js'
import type { Condition } from './validity-sql.js'

/** The statements that differ between databases: full text, vectors and lists of lists. All other SQL is written once. */
export interface Dialect {
  /** Whether each owner has its own numbers for journal entries, rows and vector batches, or all owners share them. */
  readonly numbers: 'by owner' | 'together'
  /** Locks the rows of a SELECT until the transaction ends, in databases with concurrent writers. */
  readonly rowLock: '' | ' FOR UPDATE'
  /** The database clock in microseconds, if processes on several machines share the database. */
  readonly databaseTime?: string
  /** New row numbers of passages, as `rid`; if absent, passages are numbered like facts. */
  passageRids?(count: number): Query
  lexicalPut(owner: string, rid: number, title: string, text: string): readonly Query[]
  lexicalDelete(owner: string, rid: number): readonly Query[]
  /** Rows `rid, version` of linkable facts of one owner whose text contains all the words, newest first. */
  lexicalAll(owner: string, words: readonly string[], limit: number): Query
  /** Rows `rid` of facts, of one owner or of all, whose title or text contains the words consecutively, newest first. */
  lexicalPhrase(owner: string | undefined, words: readonly string[], limit: number): Query
  /** Rows of facts of these owners whose title or text holds all the words; the last one may be the beginning of a word. */
  lexicalCondition(owners: readonly string[], words: readonly string[]): Condition
  /** Set if `lexicalPhrase` requires an owner. */
  readonly wordsByOwner?: true
  /**
   * One row `name, subjects, mentions` per name: the first row numbers, comma-separated, of facts about it and of facts that mention it.
   */
  postings(owner: string, names: readonly string[], limit: number): Query
  /** Records the names that a text mentions; existing ones stay. */
  mentionsPut(owner: string, names: readonly string[], rid: number): Query
  vectorPut(table: VectorTable, owner: string, id: string, vector: Float32Array): readonly Query[]
  vectorDelete(table: VectorTable, owner: string, id: string): readonly Query[]
  /** Pages of an owner's stored vectors, `id, embedding`, by id. */
  vectorRows(table: VectorTable, owner: string): (after: string, limit: number) => Query
  /** Columns of the vector tables. */
  readonly vectorColumns: readonly string[]
  /** Claims waiting texts, as `owner, rid`; skips those that another process has claimed or locked. */
  claimTexts?(kind: 'facts' | 'passages', limit: number): Query
  /** Sets database counters after rows were copied into it. */
  readonly settleNumbers?: string
  /** Deletes the vectors of one owner, or of all (null). */
  vectorsClear(owner: string | null): readonly Query[]
  /** Deletes full text and vectors of one owner, or of all (null), while the rows still exist. */
  clear(owner: string | null): readonly Query[]
}

export type VectorTable = 'facts' | 'passages'
