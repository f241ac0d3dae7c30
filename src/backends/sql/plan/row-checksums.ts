import { checksum } from '../../../core/encoding/checksum.js'
import type { Row, Value } from './plan.js'
import { EDGE_COLUMNS, ENTITY_COLUMNS, FACT_COLUMNS } from './rows.js'

/** A row checksum covers the row as committed. The check reads the columns directly from the file, so any alteration is detected. */
const FACT_NAMES = FACT_COLUMNS.split(', ')
/** Excluded, because background work writes it outside of commits. */
const UNCHECKED_COLUMN = FACT_NAMES.indexOf('dedup_at')

export const checksumFact = (values: readonly Value[]): number => checksum(values, UNCHECKED_COLUMN)
export const seal = (values: readonly Value[]): number => checksum(values)

export const HEAD_COLUMNS = 'hlc, at, owner, actor, op, target_kind, target, target_row, commit_id'
export const CONTENT_COLUMNS = 'before, after, reason'

const scalar = (value: unknown): Value =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array
    ? value
    : null

const valuesOf =
  (columns: string): ((row: Row) => readonly Value[]) =>
  (row) =>
    columns.split(', ').map((column) => scalar(row[column]))

const factRow = valuesOf(FACT_COLUMNS)
const entityRow = valuesOf(ENTITY_COLUMNS)
const edgeRow = valuesOf(EDGE_COLUMNS)
const headRow = valuesOf(HEAD_COLUMNS)
const contentRow = valuesOf(CONTENT_COLUMNS)

export const factSeal = (row: Row): number => checksumFact(factRow(row))
export const entitySeal = (row: Row): number => seal(entityRow(row))
export const edgeSeal = (row: Row): number => seal(edgeRow(row))
export const headSeal = (row: Row): number => seal(headRow(row))
export const contentSeal = (row: Row): number => seal(contentRow(row))

/** The contents of a tombstone were cleared, so there is nothing to compare. */
export const isEmptied = (row: Row): boolean => row.before === null && row.after === null && row.reason === null
