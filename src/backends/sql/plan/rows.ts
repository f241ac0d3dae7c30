import { CONTROL_RECORD_KINDS } from '../../../core/access/control-record.js'
import { BLANK_FACT, FACT_STATUSES, type Fact, type FactKinds, type FactStatus, FIELDS, SCOPES } from '../../../core/facts/fact.js'
import type { Source } from '../../../core/facts/source.js'
import { CURRENT_STATUSES } from '../../../core/facts/validity.js'
import type { Edge, NodeKind } from '../../../core/graph/edge.js'
import type { Entity } from '../../../core/graph/entity.js'
import type { JournalEntry } from '../../../core/journal/change.js'
import { MemoryError } from '../../../errors.js'
import { json, jsonObject, number, numberOrNull, type Row, text, textOrNull, type Value } from './plan.js'

function oneOf<T extends string>(value: string, allowed: readonly T[]): T {
  const found = allowed.find((entry) => entry === value)
  if (found === undefined)
    throw new MemoryError('storage', `The stored word "${value}" is not one of ${allowed.join(', ')}.`, { hint: 'Run `mneme doctor`.' })
  return found
}

const KINDS: readonly NodeKind[] = ['fact', 'entity', 'source', 'passage']
const OPS: readonly JournalEntry['op'][] = [
  'fact.put',
  'fact.delete',
  'entity.put',
  'entity.delete',
  'edge.put',
  'edge.delete',
  'source.put',
  'source.delete',
  'arrangement.put',
  'arrangement.delete',
  'denial',
  'reset',
]

const texts = (row: Row, column: string): readonly string[] => {
  const value = json(row, column)
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

export const toStatus = (value: string): FactStatus => oneOf(value, FACT_STATUSES)
export const statusOf = (row: Row): FactStatus => toStatus(text(row, 'status'))

export const FACT_COLUMNS = FIELDS.map(([, { column }]) => column).join(', ')
/** Columns of the first schema version. */
export const FIRST_FACT_COLUMNS = FIELDS.flatMap(([, { column, since }]) => (since === 1 ? [column] : [])).join(', ')
/** Columns that a migration adds, with types. */
export const newFactColumns = (layout: number): readonly string[] =>
  FIELDS.flatMap(([, { column, kind, since }]) => (since === layout ? [`${column} ${TYPES[kind]}`] : []))

/** Types of columns that can be added to a table with rows, so all are nullable. */
const TYPES: Readonly<Partial<Record<keyof FactKinds, string>>> = {
  amount: 'REAL',
  moment: 'INTEGER',
  note: 'TEXT',
  list: 'TEXT',
  record: 'TEXT',
  json: 'TEXT',
}

const COLUMN_READERS: { readonly [K in keyof FactKinds]: (row: Row, column: string) => FactKinds[K] } = {
  text,
  note: textOrNull,
  number,
  amount: numberOrNull,
  instant: number,
  moment: numberOrNull,
  flag: (row, column) => number(row, column) === 1,
  names: texts,
  list: (row, column) => (textOrNull(row, column) === null ? null : texts(row, column)),
  object: jsonObject,
  record: (row, column) => (textOrNull(row, column) === null ? null : jsonObject(row, column)),
  json,
  status: (row, column) => oneOf(text(row, column), FACT_STATUSES),
  scope: (row, column) => oneOf(text(row, column), SCOPES),
}

const NULLABLE_KINDS: ReadonlySet<keyof FactKinds> = new Set(['note', 'amount', 'moment', 'list', 'record', 'json'])
const READERS = FIELDS.map(([name, { column, kind }]) => ({
  name,
  column,
  read: COLUMN_READERS[kind],
  mayBeNull: NULLABLE_KINDS.has(kind),
}))

export function toFact(row: Row): Fact {
  const made = { ...BLANK_FACT }
  const members: Record<string, unknown> = made
  for (const { name, column, read, mayBeNull } of READERS) {
    const value = row[column]
    if (mayBeNull && (value === null || value === undefined)) continue
    members[name] = read(row, column)
  }
  return made
}

export function factValues(fact: Fact): readonly Value[] {
  const members: Readonly<Record<string, unknown>> = fact
  return FIELDS.map(([name, { kind }]) => toValue(kind, members[name]))
}

function toValue(kind: keyof FactKinds, member: unknown): Value {
  if (member === null || member === undefined) return null
  if (kind === 'flag') return member === true ? 1 : 0
  return kind !== 'json' && (typeof member === 'string' || typeof member === 'number') ? member : JSON.stringify(member)
}

export const ENTITY_COLUMNS =
  'id, owner, name, type, description, aliases, uri, status, source, metadata, created_at, updated_at, expires_at, ttl_days, version'

export const toEntity = (row: Row): Entity => ({
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  name: text(row, 'name'),
  type: text(row, 'type'),
  description: textOrNull(row, 'description'),
  aliases: texts(row, 'aliases'),
  uri: textOrNull(row, 'uri'),
  status: statusOf(row),
  source: text(row, 'source'),
  metadata: jsonObject(row, 'metadata'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
  expiresAt: numberOrNull(row, 'expires_at'),
  ttlDays: numberOrNull(row, 'ttl_days'),
  version: number(row, 'version'),
})

export const entityValues = (entity: Entity): readonly Value[] => [
  entity.id,
  entity.owner,
  entity.name,
  entity.type,
  entity.description,
  JSON.stringify(entity.aliases),
  entity.uri,
  entity.status,
  entity.source,
  JSON.stringify(entity.metadata),
  entity.createdAt,
  entity.updatedAt,
  entity.expiresAt,
  entity.ttlDays,
  entity.version,
]

export const EDGE_COLUMNS =
  'id, owner, subject, subject_kind, object, object_kind, relation, weight, confidence, source_trust, scope, properties, fact_id, created_at, ' +
  'valid_until, version'

export const toEdge = (row: Row): Edge => ({
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  from: text(row, 'subject'),
  fromKind: oneOf(text(row, 'subject_kind'), KINDS),
  to: text(row, 'object'),
  toKind: oneOf(text(row, 'object_kind'), KINDS),
  type: text(row, 'relation'),
  weight: number(row, 'weight'),
  confidence: number(row, 'confidence'),
  trust: numberOrNull(row, 'source_trust'),
  scope: oneOf(text(row, 'scope'), SCOPES),
  properties: jsonObject(row, 'properties'),
  factId: textOrNull(row, 'fact_id'),
  createdAt: number(row, 'created_at'),
  validUntil: numberOrNull(row, 'valid_until'),
  version: number(row, 'version'),
})

export const edgeValues = (edge: Edge): readonly Value[] => [
  edge.id,
  edge.owner,
  edge.from,
  edge.fromKind,
  edge.to,
  edge.toKind,
  edge.type,
  edge.weight,
  edge.confidence,
  edge.trust,
  edge.scope,
  JSON.stringify(edge.properties),
  edge.factId,
  edge.createdAt,
  edge.validUntil,
  edge.version,
]

export const SOURCE_COLUMNS = 'id, owner, kind, title, origin, fingerprint, status, metadata, created_at, updated_at, version'

export const toSource = (row: Row): Source => ({
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  kind: text(row, 'kind'),
  title: text(row, 'title'),
  origin: text(row, 'origin'),
  fingerprint: text(row, 'fingerprint'),
  status: statusOf(row),
  metadata: jsonObject(row, 'metadata'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
  version: number(row, 'version'),
})

export const sourceValues = (source: Source): readonly Value[] => [
  source.id,
  source.owner,
  source.kind,
  source.title,
  source.origin,
  source.fingerprint,
  source.status,
  JSON.stringify(source.metadata),
  source.createdAt,
  source.updatedAt,
  source.version,
]

export const toJournalEntry = (row: Row): JournalEntry => ({
  seq: number(row, 'seq'),
  commit: text(row, 'commit_id'),
  hlc: text(row, 'hlc'),
  at: number(row, 'at'),
  owner: text(row, 'owner'),
  actor: text(row, 'actor'),
  op: oneOf(text(row, 'op'), OPS),
  targetKind: oneOf(text(row, 'target_kind'), [...KINDS, ...CONTROL_RECORD_KINDS, 'edge', 'store', 'door']),
  target: text(row, 'target'),
  before: row.before === null ? null : jsonObject(row, 'before'),
  after: row.after === null ? null : jsonObject(row, 'after'),
  reason: textOrNull(row, 'reason'),
})

/** `(?, ?, ...)` for a column list. */
export const marks = (columns: string): string =>
  columns
    .split(',')
    .map(() => '?')
    .join(', ')

/** `a = ?, b = ?` for a column list. */
export const assignments = (columns: string): string =>
  columns
    .split(',')
    .map((column) => `${column.trim()} = ?`)
    .join(', ')

/** Current statuses, for `IN`. */
export const CURRENT_STATUS_LIST = `(${CURRENT_STATUSES.map((status) => `'${status}'`).join(', ')})`
