import { checksum } from '../../core/encoding/checksum.js'
import type { Row, Value } from './plan.js'
import { EDGE_COLUMNS, ENTITY_COLUMNS, FACT_COLUMNS } from './rows.js'

/**
 * A seal is a checksum over a row as it was committed. The reading side takes the columns as they come from the file, so
 * whatever was altered there shows.
 */
const FACT_NAMES = FACT_COLUMNS.split(', ')
/** Background work notes there what it has compared, outside of any commit. */
const UNSEALED = FACT_NAMES.indexOf('dedup_at')

export const checksumFact = (values: readonly Value[]): number => checksum(values, UNSEALED)
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

/** What the journal said about something that was deleted since is gone, and with it the reason to compare. */
export const isEmptied = (row: Row): boolean => row.before === null && row.after === null && row.reason === null
