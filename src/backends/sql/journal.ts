import type { JournalEntry } from '../../core/change.js'
import type { Instant } from '../../core/fact.js'
import { forgetAnswers } from './calls.js'
import { insert, type Plan, run } from './plan.js'
import { CONTENT_COLUMNS, HEAD_COLUMNS, seal } from './seals.js'

/** Physical and logical time in one sortable text: milliseconds, and the order within them. */
export const toHlc = (at: number): string => `${String(Math.floor(at / 1000)).padStart(13, '0')}.${String(at % 1000).padStart(3, '0')}`

export interface Journal {
  readonly at: Instant
  readonly firstSeq: number
  readonly lastSeq: number
  /** The last entry of each owner. */
  readonly owners: ReadonlyMap<string, number>
  /** How many it has written. */
  readonly entries: number
  write(
    op: JournalEntry['op'],
    targetKind: JournalEntry['targetKind'],
    target: string,
    owner: string,
    before: object | null,
    after: object | null,
    reason: string | null,
    row?: number,
  ): Plan<void>
  /** Deletion is real: what earlier entries said about the target is removed, that they happened stays. */
  forget(target: string): Plan<void>
}

/** Absent fields of the noun itself are left out, which halves it; a null inside its metadata was meant. */
function compact(value: object | null): string | null {
  if (value === null) return null
  const said: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) if (member !== null && member !== undefined) said[name] = member
  return JSON.stringify(said)
}

/** Entries get a time each, by the wall, and a place each in the order of all entries; the two need not agree. */
export function openJournal(actor: string, at: Instant, order: number): Journal {
  let firstSeq = 0
  let lastSeq = 0
  let written = 0
  const owners = new Map<string, number>()
  return {
    at,
    get firstSeq() {
      return firstSeq
    },
    get lastSeq() {
      return lastSeq
    },
    owners,
    get entries() {
      return written
    },
    *write(op, targetKind, target, owner, before, after, reason, targetRow) {
      const place = written++
      const head = [toHlc(order + place), at + place, owner, actor, op, targetKind, target, targetRow ?? null]
      const content = [compact(before), compact(after), reason]
      const seq = yield* insert(
        'seq',
        `INSERT INTO journal (${HEAD_COLUMNS}, ${CONTENT_COLUMNS}, head_seal, content_seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...head,
        ...content,
        seal(head),
        seal(content),
      )
      lastSeq = seq ?? lastSeq
      owners.set(owner, lastSeq)
      if (firstSeq === 0) firstSeq = lastSeq
    },
    *forget(target) {
      yield* forgetAnswers(target)
      yield* run(`UPDATE journal SET before = NULL, after = NULL, reason = NULL WHERE target = ?`, target)
    },
  }
}
