import type { Query } from './plan.js'
import type { Condition } from './validity-sql.js'

/** The few statements that engines do not share: full text, vectors and lists of lists. Everything else is written once. */
export interface Dialect {
  /** Whose row of `owners` hands out the numbers of an owner's journal, rows and batches of vectors: its own, or everyone's. */
  readonly numbers: 'by owner' | 'together'
  /** Locks the rows of a SELECT until the transaction ends, where writers do not exclude each other anyway. */
  readonly rowLock: '' | ' FOR UPDATE'
  /** The time by the clock of the database, in microseconds, where those who share it have clocks of their own. */
  readonly databaseTime?: string
  /** So many new numbers of passages, as `rid`; without it they are numbered as facts are. */
  passageRids?(count: number): Query
  lexicalPut(owner: string, rid: number, title: string, text: string): readonly Query[]
  lexicalDelete(owner: string, rid: number): readonly Query[]
  /** Rows `rid, version` of linkable facts of one owner whose text holds all the words, newest first. */
  lexicalAll(owner: string, words: readonly string[], limit: number): Query
  /** Rows `rid` of facts, of one owner or of all, whose title or text holds the words one after another, newest first. */
  lexicalPhrase(owner: string | undefined, words: readonly string[], limit: number): Query
  /** Rows of facts of these owners whose title or text holds all the words; the last one may be the beginning of a word. */
  lexicalCondition(owners: readonly string[], words: readonly string[]): Condition
  /** Words are looked up within one owner only: `lexicalPhrase` is asked for each. */
  readonly wordsByOwner?: true
  /**
   * One row `name, subjects, mentions` for each name: the first row numbers, joined by commas, of facts about it and of
   * facts that mention it.
   */
  postings(owner: string, names: readonly string[], limit: number): Query
  /** Notes that a text has these names; one that is noted already stays. */
  mentionsPut(owner: string, names: readonly string[], rid: number): Query
  vectorPut(table: VectorTable, owner: string, id: string, vector: Float32Array): readonly Query[]
  vectorDelete(table: VectorTable, owner: string, id: string): readonly Query[]
  /** Pages of an owner's vectors as they are stored, `id, embedding`, by their ids. */
  vectorRows(table: VectorTable, owner: string): (after: string, limit: number) => Query
  /** The columns of the tables of vectors. */
  readonly vectorColumns: readonly string[]
  /** Claims some of the texts that wait, as `owner, rid`; those that another has claimed, or is about to, are passed over. */
  claimTexts?(of: 'facts' | 'passages', limit: number): Query
  /** What sets counters of the database right after rows were copied into it. */
  readonly settleNumbers?: string
  /** Empties the vectors of one owner, or of all (null). */
  vectorsClear(owner: string | null): readonly Query[]
  /** Empties full text and vectors of one owner, or of all (null), while the rows are still there. */
  clear(owner: string | null): readonly Query[]
}

export type VectorTable = 'facts' | 'passages'
