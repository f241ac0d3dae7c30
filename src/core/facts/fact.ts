import type { Json, JsonObject } from '../encoding/json.js'

/** Epoch microseconds: exact in a double until the year 2255, and fine enough that no two writes share one. */
export type Instant = number

/** `active`, `candidate`, `contested` and `stale` are current; the others have ended and carry `validUntil`. */
export const FACT_STATUSES = ['active', 'candidate', 'contested', 'stale', 'outdated', 'superseded', 'retracted', 'archived'] as const
export type FactStatus = (typeof FACT_STATUSES)[number]

/** Who may see a fact inside its owner. */
export const SCOPES = ['local', 'team', 'company', 'public'] as const
export type Scope = (typeof SCOPES)[number]

/** What a field may hold; how each is stored, sent and read follows from this. */
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
  /** Whether who stores a fact may say it. */
  readonly said: S
  /** The layout of the file that brought it. */
  readonly since: L
  /** Whether a person wrote it, so that it may hold a secret. */
  readonly written: boolean
  /** What a number that is said must keep to. */
  readonly bounds?: { readonly least?: number; readonly most?: number; readonly above?: number }
}

type More = Partial<Pick<FactField, 'written' | 'bounds'>>
const own = <K extends keyof FactKinds>(column: string, kind: K, more: More = {}): FactField<K, false, 1> => ({
  ...{ column, kind, said: false, since: 1, written: false },
  ...more,
})
const said = <K extends keyof FactKinds>(column: string, kind: K, more: More = {}): FactField<K, true, 1> => ({
  ...{ column, kind, said: true, since: 1, written: false },
  ...more,
})
/** Fields of other contracts than the first: null where nobody has said anything. */
const late = <K extends 'note' | 'amount' | 'moment' | 'list' | 'record' | 'json'>(column: string, kind: K, more: More = {}) => {
  const field: FactField<K, true, 3> = { ...{ column, kind, said: true, since: 3, written: false }, ...more }
  return field
}
/** The same, but nobody may say it: the store knows it. */
const made = <K extends 'note'>(column: string, kind: K) => {
  const field: FactField<K, false, 3> = { ...{ column, kind, said: false, since: 3, written: false } }
  return field
}
const WRITTEN = { written: true } as const

/** Every field of a fact, one line each: rows, transfer, input of the library, masking and migrations are made from it. */
export const FACT_FIELDS = {
  id: own('id', 'text'),
  owner: said('owner', 'text'),
  text: said('text', 'text', WRITTEN),
  kind: said('kind', 'text'),
  /** What the fact is about, as the reader would name it; the target of subject links. */
  title: said('title', 'note', WRITTEN),
  /** Structured statement: subject (an entity URI or name), predicate, value. */
  subject: said('subject', 'note', WRITTEN),
  predicate: said('predicate', 'note', WRITTEN),
  value: said('value', 'json', WRITTEN),
  /** Who said it, in the conversation it came from. */
  author: said('author', 'note', WRITTEN),
  /** Facts of one session are neighbours, in the order they were recorded. */
  session: said('session', 'note', WRITTEN),
  /** When it was said, as written by the client; indexed as words. */
  date: said('date', 'note', WRITTEN),
  scope: said('scope', 'scope'),
  garden: own('garden', 'note'),
  status: said('status', 'status'),
  confidence: said('confidence', 'number', { bounds: { least: 0, most: 1 } }),
  importance: said('importance', 'number', { bounds: { least: 0, most: 10 } }),
  /** Which client or principal recorded it. */
  source: said('source', 'text', WRITTEN),
  reason: said('reason', 'note', WRITTEN),
  eventAt: said('event_at', 'instant'),
  validFrom: said('valid_from', 'instant'),
  validUntil: said('valid_until', 'moment'),
  recordedAt: own('recorded_at', 'instant'),
  updatedAt: own('updated_at', 'instant'),
  expiresAt: said('expires_at', 'moment'),
  ttlDays: said('ttl_days', 'amount', { bounds: { above: 0 } }),
  supersededBy: own('superseded_by', 'note'),
  derivedFrom: said('derived_from', 'names'),
  metadata: said('metadata', 'object', WRITTEN),
  /** False keeps every automatic link away, now and in later repairs. */
  autoLink: said('auto_link', 'flag'),
  dedupAt: own('dedup_at', 'moment'),
  /** Starts at 1 and grows by one with each change. */
  version: own('version', 'number'),
  /** Statement, activity or work item; null is a statement. */
  form: late('form', 'note'),
  /** How far an activity or a work item has come; `status` stays its life. */
  stage: late('stage', 'note'),
  /** How it came to be known, such as said by the person or inferred. */
  origin: late('origin', 'note'),
  /** What it holds for. */
  scopes: late('scopes', 'list', WRITTEN),
  /** What it rests on, each with where that is found. */
  evidence: late('evidence', 'json', WRITTEN),
  /** Ids of other objects, by the field that names them. */
  references: late('reference_fields', 'record', WRITTEN),
  details: late('details', 'record', WRITTEN),
  /** Ids of facts that say something else about the same. */
  conflicts: late('conflicts', 'list'),
  /** When someone last made sure of it. */
  verifiedAt: late('verified_at', 'moment'),
  /** What the value is, where its form does not tell: text, number, a reference and so on. */
  valueType: late('value_type', 'note'),
  /** Confidence as it was asserted, before decay and trust. */
  assertedConfidence: late('asserted_confidence', 'amount', { bounds: { least: 0, most: 1 } }),
  /** Names its content, for peers. */
  hash: late('hash', 'note'),
  attestation: late('attestation', 'json', WRITTEN),
  /** How far its source is trusted. */
  trust: late('trust', 'amount', { bounds: { least: 0, most: 1 } }),
  /** The peer that sent it; null for what was said here. */
  receivedFrom: made('received_from', 'note'),
  /** Where it stands in a garden that holds back: pending, promoted or rejected. */
  quarantine: made('quarantine', 'note'),
  /** Its place in the order of all that was said, here or at the node it came from. */
  hlc: made('hlc', 'note'),
} as const

type Fields = typeof FACT_FIELDS
export type FactFieldName = keyof Fields

/** One statement worth remembering. */
export type Fact = { readonly [F in FactFieldName]: FactKinds[Fields[F]['kind']] }

type SaidName = { [F in FactFieldName]: Fields[F]['said'] extends true ? F : never }[FactFieldName]
type LateName = { [F in FactFieldName]: Fields[F]['since'] extends 3 ? F : never }[FactFieldName]

/** What a caller says about a new fact; the rest has defaults. */
export type NewFact = Pick<Fact, 'text'> & {
  readonly [F in Exclude<SaidName, 'text'>]?: (F extends 'value' ? Json : NonNullable<Fact[F]>) | undefined
}

export const FIELDS: readonly (readonly [string, FactField])[] = Object.entries(FACT_FIELDS)
const LATE = FIELDS.filter(([, { since }]) => since === 3).map(([name]) => name)
export const isLate = (name: string): boolean => LATE.includes(name)

/** Whether all fields are there; of what kind each is, who made it has seen to. */
export const isFact = (made: Readonly<Record<string, unknown>>): made is Fact => FIELDS.every(([name]) => made[name] !== undefined)

function blankFact(): Fact {
  const made: Readonly<Record<string, unknown>> = Object.fromEntries(FIELDS.map(([name]) => [name, null]))
  if (isFact(made)) return made
  throw new TypeError('a fact without some of its fields')
}

/** Copied for each new object: setting members that are there is forty times faster than spreading two objects of this size. */
export const BLANK_FACT = blankFact()

/** A fact of the fields that all contracts have, with what else was said about it. */
export function completeFact(made: Omit<Fact, LateName>, given: Readonly<Record<string, unknown>> = {}): Fact {
  const whole: Fact = Object.assign({ ...BLANK_FACT }, made)
  const members: Record<string, unknown> = whole
  for (const name of LATE) if (given[name] !== undefined) members[name] = given[name]
  return whole
}

/** Begins the name of a session that nobody named: what authors say over one connection. */
export const IMPLICIT_SESSION = '~'
