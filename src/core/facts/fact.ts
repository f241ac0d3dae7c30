import type { Json, JsonObject } from '../encoding/json.js'

/** Epoch microseconds: exact in a double until the year 2255, and fine enough that no two writes share one. */
export type Instant = number

/** `active`, `candidate`, `contested` and `stale` are current; the others have ended and have a `validUntil`. */
export const FACT_STATUSES = ['active', 'candidate', 'contested', 'stale', 'outdated', 'superseded', 'retracted', 'archived'] as const
export type FactStatus = (typeof FACT_STATUSES)[number]

/** Visibility of a fact inside its owner. */
export const SCOPES = ['local', 'team', 'company', 'public'] as const
export type Scope = (typeof SCOPES)[number]

/** Field kinds. Storage, wire format and parsing follow from them. */
export interface FactKinds {
  text: string
  note: string | null
  number: number
  amount: number | null
  instant: Instant
  moment: Instant | null
  flag: boolean
  names: readonly string[]
  list: readonly string[] | null
  object: JsonObject
  record: JsonObject | null
  json: Json
  status: FactStatus
  scope: Scope
}

export interface FactField<K extends keyof FactKinds = keyof FactKinds, S extends boolean = boolean, L extends 1 | 3 = 1 | 3> {
  readonly column: string
  readonly kind: K
  /** True if a caller may set it on a new fact. */
  readonly isInput: S
  /** The schema version that added the column. */
  readonly since: L
  /** True if a person may have written it, so it is masked. */
  readonly written: boolean
  /** Bounds of a number that a caller sets. */
  readonly bounds?: { readonly least?: number; readonly most?: number; readonly above?: number }
}

type FieldOptions = Partial<Pick<FactField, 'written' | 'bounds'>>
const internal = <K extends keyof FactKinds>(column: string, kind: K, more: FieldOptions = {}): FactField<K, false, 1> => ({
  ...{ column, kind, isInput: false, since: 1, written: false },
  ...more,
})
const settable = <K extends keyof FactKinds>(column: string, kind: K, more: FieldOptions = {}): FactField<K, true, 1> => ({
  ...{ column, kind, isInput: true, since: 1, written: false },
  ...more,
})
/** Fields added for other contracts; null if not set. */
const optional = <K extends 'note' | 'amount' | 'moment' | 'list' | 'record' | 'json'>(
  column: string,
  kind: K,
  more: FieldOptions = {},
) => {
  const field: FactField<K, true, 3> = { ...{ column, kind, isInput: true, since: 3, written: false }, ...more }
  return field
}
/** The same, set by the store only. */
const derived = <K extends 'note'>(column: string, kind: K) => {
  const field: FactField<K, false, 3> = { ...{ column, kind, isInput: false, since: 3, written: false } }
  return field
}
const MASKED_FIELD = { written: true } as const

/** Every field of a fact. Rows, transfer, library input, masking and migrations are derived from this table. */
export const FACT_FIELDS = {
  id: internal('id', 'text'),
  owner: settable('owner', 'text'),
  text: settable('text', 'text', MASKED_FIELD),
  kind: settable('kind', 'text'),
  /** What the fact is about; the target of subject links. */
  title: settable('title', 'note', MASKED_FIELD),
  /** Structured statement: subject (an entity URI or name), predicate, value. */
  subject: settable('subject', 'note', MASKED_FIELD),
  predicate: settable('predicate', 'note', MASKED_FIELD),
  value: settable('value', 'json', MASKED_FIELD),
  /** The speaker in the conversation it came from. */
  author: settable('author', 'note', MASKED_FIELD),
  /** Facts of one session are neighbours, in the order of recording. */
  session: settable('session', 'note', MASKED_FIELD),
  /** The stated date, as the client wrote it; indexed as text. */
  date: settable('date', 'note', MASKED_FIELD),
  scope: settable('scope', 'scope'),
  garden: internal('garden', 'note'),
  status: settable('status', 'status'),
  confidence: settable('confidence', 'number', { bounds: { least: 0, most: 1 } }),
  importance: settable('importance', 'number', { bounds: { least: 0, most: 10 } }),
  /** Which client or principal recorded it. */
  source: settable('source', 'text', MASKED_FIELD),
  reason: settable('reason', 'note', MASKED_FIELD),
  eventAt: settable('event_at', 'instant'),
  validFrom: settable('valid_from', 'instant'),
  validUntil: settable('valid_until', 'moment'),
  recordedAt: internal('recorded_at', 'instant'),
  updatedAt: internal('updated_at', 'instant'),
  expiresAt: settable('expires_at', 'moment'),
  ttlDays: settable('ttl_days', 'amount', { bounds: { above: 0 } }),
  supersededBy: internal('superseded_by', 'note'),
  derivedFrom: settable('derived_from', 'names'),
  metadata: settable('metadata', 'object', MASKED_FIELD),
  /** False excludes the fact from automatic links. */
  autoLink: settable('auto_link', 'flag'),
  dedupAt: internal('dedup_at', 'moment'),
  /** Starts at 1 and increases with each change. */
  version: internal('version', 'number'),
  /** Statement, activity or work item; null is a statement. */
  form: optional('form', 'note'),
  /** Progress of an activity or work item. `status` is its lifecycle. */
  stage: optional('stage', 'note'),
  /** How it came to be known: declared by the user or inferred. */
  origin: optional('origin', 'note'),
  /** Where it applies. */
  scopes: optional('scopes', 'list', MASKED_FIELD),
  /** Citations, each with its locator. */
  evidence: optional('evidence', 'json', MASKED_FIELD),
  /** Ids of other objects, by field name. */
  references: optional('reference_fields', 'record', MASKED_FIELD),
  details: optional('details', 'record', MASKED_FIELD),
  /** Ids of facts that contradict it. */
  conflicts: optional('conflicts', 'list'),
  /** When it was last verified. */
  verifiedAt: optional('verified_at', 'moment'),
  /** Type of the value: text, number, reference and so on. */
  valueType: optional('value_type', 'note'),
  /** Confidence as asserted, before decay and trust. */
  assertedConfidence: optional('asserted_confidence', 'amount', { bounds: { least: 0, most: 1 } }),
  /** Hash of its content, which identifies it for peers. */
  hash: optional('hash', 'note'),
  attestation: optional('attestation', 'json', MASKED_FIELD),
  /** Trust in its source. */
  trust: optional('trust', 'amount', { bounds: { least: 0, most: 1 } }),
  /** The peer that sent it; null for local facts. */
  receivedFrom: derived('received_from', 'note'),
  /** State in a quarantine garden: pending, promoted or rejected. */
  quarantine: derived('quarantine', 'note'),
  /** HLC of the assertion, here or at its origin node. */
  hlc: derived('hlc', 'note'),
} as const

type Fields = typeof FACT_FIELDS
type FactFieldName = keyof Fields

/** One stored memory. */
export type Fact = { readonly [F in FactFieldName]: FactKinds[Fields[F]['kind']] }

type InputName = { [F in FactFieldName]: Fields[F]['isInput'] extends true ? F : never }[FactFieldName]
type LateName = { [F in FactFieldName]: Fields[F]['since'] extends 3 ? F : never }[FactFieldName]

/** Input for a new fact; other fields have defaults. */
export type NewFact = Pick<Fact, 'text'> & {
  readonly [F in Exclude<InputName, 'text'>]?: (F extends 'value' ? Json : NonNullable<Fact[F]>) | undefined
}

export const FIELDS: readonly (readonly [string, FactField])[] = Object.entries(FACT_FIELDS)
const OPTIONAL_FIELDS = FIELDS.filter(([, { since }]) => since === 3).map(([name]) => name)
export const isLate = (name: string): boolean => OPTIONAL_FIELDS.includes(name)

/** True if every field is present. The caller guarantees the types. */
export const isFact = (members: Readonly<Record<string, unknown>>): members is Fact => FIELDS.every(([name]) => members[name] !== undefined)

function blankFact(): Fact {
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(FIELDS.map(([name]) => [name, null]))
  if (isFact(fields)) return fields
  throw new TypeError('a fact without some of its fields')
}

/** Copied for each new fact: setting existing members is forty times faster than spreading two objects of this size. */
export const BLANK_FACT = blankFact()

/** Builds a fact from the common fields and the optional ones in `input`. */
export function completeFact(fields: Omit<Fact, LateName>, optional: Readonly<Record<string, unknown>> = {}): Fact {
  const fact: Fact = Object.assign({ ...BLANK_FACT }, fields)
  const members: Record<string, unknown> = fact
  for (const name of OPTIONAL_FIELDS) if (optional[name] !== undefined) members[name] = optional[name]
  return fact
}

/** Prefix of implicit sessions: the facts an author stores over one connection. */
export const IMPLICIT_SESSION = '~'
