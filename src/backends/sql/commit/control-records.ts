import type { ControlRecord, ControlRecordKind } from '../../../core/access/control-record.js'
import { CONTROL_RECORD_KINDS } from '../../../core/access/control-record.js'
import { journalledRecords } from '../../../core/access/garden.js'
import type { Instant } from '../../../core/facts/fact.js'
import { MemoryError } from '../../../errors.js'
import type { ControlRecordQuery } from '../../../ports/store.js'
import type { Journal } from '../owners/journal.js'
import { countAffected, first, jsonObject, number, type Plan, type Row, run, text, textOrNull } from '../plan/plan.js'

const COLUMNS = 'kind, id, owner, name, data, created_at, updated_at, version'

/** Increases with every change of a control record, so that derived data can be cached. */
const VERSION_KEY = 'arrangements'

function kindOf(row: Row): ControlRecordKind {
  const kind = CONTROL_RECORD_KINDS.find((value) => value === row.kind)
  if (kind === undefined) throw new MemoryError('storage', `The store contains a control record of an unknown kind: ${String(row.kind)}.`)
  return kind
}

const toArrangement = (row: Row): ControlRecord => ({
  kind: kindOf(row),
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  name: textOrNull(row, 'name'),
  data: jsonObject(row, 'data'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
  version: number(row, 'version'),
})

/** Oldest first. */
export function* arrangements({ kind, owner, id, name }: ControlRecordQuery): Plan<readonly ControlRecord[]> {
  const conditions = Object.entries({ kind, owner, id, name }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const rows = yield* run(
    `SELECT ${COLUMNS} FROM arrangements WHERE ${conditions.map(([column]) => `${column} = ?`).join(' AND ')} ORDER BY created_at, id`,
    ...conditions.map(([, value]) => value),
  )
  return rows.map(toArrangement)
}

export function* arrangementsMark(): Plan<number> {
  const row = yield* first(`SELECT value FROM meta WHERE key = ?`, VERSION_KEY)
  return row === undefined ? 0 : Number(text(row, 'value'))
}

export function* digestOf(kind: ControlRecordKind, id: string): Plan<string | undefined> {
  const row = yield* first(`SELECT digest FROM arrangements WHERE kind = ? AND id = ?`, kind, id)
  return row === undefined ? undefined : (textOrNull(row, 'digest') ?? undefined)
}

function* noteChange(): Plan<void> {
  yield* run(
    `INSERT INTO meta (key, value) VALUES (?, '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT)`,
    VERSION_KEY,
  )
}

const conflict = (what: string): MemoryError =>
  new MemoryError('conflict', `${what} was modified by another writer; nothing was stored.`, { hint: 'Read it again and retry.' })

export function* putArrangement(put: ControlRecord, digest: string | undefined, reason: string | null, journal: Journal): Plan<void> {
  const { kind, id, owner, name, data, createdAt, updatedAt, version } = put
  const row = yield* first(`SELECT ${COLUMNS} FROM arrangements WHERE kind = ? AND id = ?`, kind, id)
  const before = row === undefined ? undefined : toArrangement(row)
  const follows = before === undefined ? version === 1 : version === before.version + 1 && owner === before.owner
  if (!follows) throw conflict(`The ${kind} ${id}`)
  // A node signs what it pushes without naming an owner, so that it can be the peer of one only.
  const anyOwner = kind === 'peer' ? 1 : 0
  const namesake =
    name === null
      ? undefined
      : yield* first(`SELECT id FROM arrangements WHERE kind = ? AND (owner = ? OR ? = 1) AND name = ?`, kind, owner, anyOwner, name)
  if (namesake !== undefined && namesake.id !== id)
    throw new MemoryError('conflict', `There is a ${kind} "${name}" already.`, { reason: `${kind}_exists` })
  if (before === undefined)
    yield* run(
      `INSERT INTO arrangements (${COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      kind,
      id,
      owner,
      name,
      JSON.stringify(data),
      createdAt,
      updatedAt,
      version,
      digest ?? null,
    )
  else
    yield* run(
      `UPDATE arrangements SET name = ?, data = ?, updated_at = ?, version = ?, digest = coalesce(?, digest) WHERE kind = ? AND id = ?`,
      name,
      JSON.stringify(data),
      updatedAt,
      version,
      digest ?? null,
      kind,
      id,
    )
  yield* noteChange()
  const [was, is] = journalledRecords(before, put)
  yield* journal.write('arrangement.put', kind, id, owner, was, is, reason)
}

export function* deleteArrangement(
  kind: ControlRecordKind,
  id: string,
  owner: string,
  reason: string | null,
  journal: Journal,
): Plan<void> {
  const gone = yield* countAffected(`DELETE FROM arrangements WHERE kind = ? AND id = ? AND owner = ?`, kind, id, owner)
  if (gone === 0) throw conflict(`The ${kind} ${id}`)
  yield* noteChange()
  yield* journal.forget(id, owner)
  yield* journal.write('arrangement.delete', kind, id, owner, null, null, reason)
}

/** False if it was used before. Also removes expired ones. */
export function* useNonce(peer: string, nonce: string, now: Instant, until: Instant): Plan<boolean> {
  yield* run(`DELETE FROM nonces WHERE until < ?`, now)
  return (
    (yield* countAffected(
      `INSERT INTO nonces (peer, nonce, until) VALUES (?, ?, ?) ON CONFLICT (peer, nonce) DO NOTHING`,
      peer,
      nonce,
      until,
    )) > 0
  )
}
