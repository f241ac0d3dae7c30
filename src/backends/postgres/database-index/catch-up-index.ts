import { codedFactsAt } from '../../memory-index/fact-rows.js'
import { lockOwner, placesOfOwners } from '../../sql/owners/owners.js'
import type { Dialect } from '../../sql/plan/dialect.js'
import { type Connection, first, number, numberOrNull, type Plan, run } from '../../sql/plan/plan.js'
import { enter, leave, partOf } from './index-rows.js'

/** Inserting into the vector index takes one or two milliseconds per fact, so a page bounds the wait of writers. */
const PAGE_SIZE = 50

/** Rows of an owner changed after a position, by journal and vector batches, and the position after them. */
function* changesSince(owner: string, seq: number, stamp: number) {
  const [place] = yield* placesOfOwners([owner])
  const entries = yield* run(
    `SELECT seq, target_row FROM journal WHERE owner = ? AND seq > ? AND target_kind = 'fact' ORDER BY seq LIMIT ?`,
    owner,
    seq,
    PAGE_SIZE,
  )
  const beyond = yield* first(
    `SELECT stamp FROM fact_codes WHERE owner = ? AND stamp > ? ORDER BY stamp LIMIT 1 OFFSET ${PAGE_SIZE}`,
    owner,
    stamp,
  )
  // A batch is read completely, because its vectors have one number.
  const stampTo = beyond === undefined ? (place?.stamp ?? stamp) : number(beyond, 'stamp')
  const made = yield* run(
    `SELECT rid FROM fact_codes WHERE owner = ? AND stamp > ? AND stamp <= ?
     UNION SELECT rid FROM piece_codes WHERE owner = ? AND stamp > ? AND stamp <= ?`,
    owner,
    stamp,
    stampTo,
    owner,
    stamp,
    stampTo,
  )
  const last = entries[entries.length - 1]
  const seqTo = last !== undefined && entries.length === PAGE_SIZE ? number(last, 'seq') : Math.max(place?.seq ?? seq, seq)
  const rids = new Set([...entries.flatMap((row) => numberOrNull(row, 'target_row') ?? []), ...made.map((row) => number(row, 'rid'))])
  return { rids: [...rids], seqTo, stampTo, isLast: entries.length < PAGE_SIZE && beyond === undefined }
}

/**
 * Catches up one page; false at the end. Holds the owner's lock: otherwise a fact deleted meanwhile could be inserted after its deletion.
 * `ready` is 0 while the index is being built.
 */
export function* followStep(dialect: Dialect, owner: string, ready: 0 | 1): Plan<boolean> {
  yield* lockOwner(dialect, owner)
  const state = yield* first(`SELECT seq, stamp FROM large_owners WHERE owner = ? AND ready = ? FOR UPDATE`, owner, ready)
  if (state === undefined) return false
  const { rids, seqTo, stampTo, isLast } = yield* changesSince(owner, number(state, 'seq'), number(state, 'stamp'))
  if (rids.length > 0) {
    const part = partOf(owner)
    yield* leave(part, rids)
    yield* enter(part, owner, yield* codedFactsAt(owner, rids))
  }
  yield* run(`UPDATE large_owners SET seq = ?, stamp = ? WHERE owner = ?`, seqTo, stampTo, owner)
  return !isLast
}

/** Catches up the database index to all acknowledged writes. */
export async function followLarge(connection: Connection, dialect: Dialect, owner: string, ready: 0 | 1 = 1): Promise<void> {
  while (await connection.write(() => followStep(dialect, owner, ready), { durable: false }));
}
