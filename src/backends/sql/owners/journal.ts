import type { Instant } from '../../../core/facts/fact.js'
import type { JournalEntry } from '../../../core/journal/change.js'
import { toHlc } from '../../../core/time/hlc.js'
import type { JournalRange } from '../../../ports/store.js'
import { type Plan, run } from '../plan/plan.js'
import { CONTENT_COLUMNS, HEAD_COLUMNS, seal } from '../plan/row-checksums.js'
import { forgetAnswers } from './calls.js'
import type { SequenceAllocator } from './owners.js'

export interface Journal {
  readonly at: Instant
  /** Allocates the numbers of the transaction. */
  readonly ledger: SequenceAllocator
  /** Its entries, by owner. */
  readonly stretches: readonly JournalRange[]
  /** Number of entries written. */
  readonly entries: number
  /** The HLC of the next entry. */
  readonly nextHlc: string
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
  /** Clears the contents of earlier entries about a target; the entries remain as tombstones. */
  forget(target: string, owner: string): Plan<void>
}

/** Omits absent fields of the object itself, which halves the size; null values inside metadata are kept. */
function compact(value: object | null): string | null {
  if (value === null) return null
  const statement: Record<string, unknown> = { ...value }
  for (const name in statement) if (statement[name] === null) statement[name] = undefined
  return JSON.stringify(statement)
}

const INSERT_ENTRY = `INSERT INTO journal (seq, ${HEAD_COLUMNS}, ${CONTENT_COLUMNS}, head_seal, content_seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

interface JournalOptions {
  readonly actor: string
  readonly at: Instant
  readonly order: number
  /** Recorded in every entry. */
  readonly commit: string
  readonly ledger: SequenceAllocator
}

/** Each entry gets a wall-clock instant and an HLC; the two may disagree. */
export function openJournal({ actor, at: now, order, commit, ledger }: JournalOptions): Journal {
  let written = 0
  const stretches = new Map<string, JournalRange>()
  return {
    at: now,
    ledger,
    get stretches() {
      return [...stretches.values()]
    },
    get entries() {
      return written
    },
    get nextHlc() {
      return toHlc(order + written)
    },
    *write(op, targetKind, target, owner, before, after, reason, targetRow) {
      const place = written++
      const seq = ledger.nextSeq(owner)
      const head = [toHlc(order + place), now + place, owner, actor, op, targetKind, target, targetRow ?? null, commit]
      const content = [compact(before), compact(after), reason]
      yield* run(INSERT_ENTRY, seq, ...head, ...content, seal(head), seal(content))
      stretches.set(owner, { owner, firstSeq: stretches.get(owner)?.firstSeq ?? seq, lastSeq: seq })
    },
    *forget(target, owner) {
      yield* forgetAnswers(target, owner)
      yield* run(`UPDATE journal SET before = NULL, after = NULL, reason = NULL WHERE target = ? AND +owner = ?`, target, owner)
    },
  }
}
