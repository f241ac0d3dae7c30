import { sha256 } from '../../../core/encoding/hash.js'
import type { Source } from '../../../core/facts/source.js'
import type { JournalEntry } from '../../../core/journal/change.js'
import type { CommitReceipt } from '../../../ports/store.js'
import type { Environment } from '../../environment.js'

/** A commit presented as a patch with events, derived from journal entries. */
export interface Patch {
  /** Null if nothing changed. */
  readonly patchId: string | null
  readonly eventIds: readonly string[]
  /** Number of pages written. */
  readonly projections: number
}

export const NO_PATCH: Patch = { patchId: null, eventIds: [], projections: 0 }

/** The id of a commit is random, so that the name does not reveal the number of earlier entries. */
const named = (prefix: string, commit: string, seq: number): string => `${prefix}:${sha256(`${prefix}|${commit}|${seq}`).slice(0, 32)}`

/** Deterministic per entry, in every process. */
export const eventId = ({ commit, seq }: Pick<JournalEntry, 'commit' | 'seq'>): string => named('aud', commit, seq)
const patchId = (commit: string, lastSeq: number): string => named('patch', commit, lastSeq)

/** The patch of entries read from the journal. */
export function patchOfEntries(entries: readonly JournalEntry[]): Patch {
  const last = entries[entries.length - 1]
  if (last === undefined) return NO_PATCH
  return { patchId: patchId(last.commit, last.seq), eventIds: entries.map(eventId), projections: 0 }
}

/** Names the journal entries of a commit; the pages of `touched` objects are updated. */
export async function patchOf(env: Environment, owner: string, receipt: CommitReceipt, touched: readonly string[]): Promise<Patch> {
  const [own] = receipt.entries.filter((entry) => entry.owner === owner)
  if (own === undefined) return NO_PATCH
  // The entries of one owner in a commit are consecutive.
  const count = own.lastSeq - own.firstSeq + 1
  return {
    patchId: patchId(receipt.commit, own.lastSeq),
    eventIds: Array.from({ length: count }, (_, i) => eventId({ commit: receipt.commit, seq: own.firstSeq + i })),
    projections: await pagesFor(env, owner, touched),
  }
}

/** The result of a capture with the names of its journal entries. */
export async function withPatch<
  T extends { readonly receipt: CommitReceipt | null; readonly source: Source; readonly touched: readonly string[] },
>(env: Environment, captured: T): Promise<T & { readonly patch: Patch }> {
  const { receipt, source, touched } = captured
  return { ...captured, patch: receipt === null ? NO_PATCH : await patchOf(env, source.owner, receipt, touched) }
}

/** Waits until the pages of changed objects are written; returns their number. */
async function pagesFor({ projections }: Environment, owner: string, touched: readonly string[]): Promise<number> {
  if (!projections.enabled) return 0
  await projections.follow(owner)
  return new Set(touched).size
}
