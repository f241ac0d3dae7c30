import type { JournalEntry } from '../../core/journal/change.js'
import type { RecordedCall, Store } from '../../ports/store.js'
import type { Environment } from '../environment.js'

/** Journal entries of a call for its owners in order, at most `limit` per owner. */
export async function entriesOf(store: Store, { commit, entries }: RecordedCall, limit: number): Promise<readonly JournalEntry[]> {
  const found = await Promise.all(
    entries.map(({ owner, firstSeq, lastSeq }) => store.journal({ owner, after: firstSeq - 1, before: lastSeq + 1, limit })),
  )
  return found
    .flat()
    .filter((entry) => entry.commit === commit)
    .sort((a, b) => (a.hlc < b.hlc ? -1 : 1))
}

/** A page of journal entries, newest first, and the last entry whose contents are past retention. */
export async function listEntries(
  { store }: Environment,
  query: { readonly owner?: string; readonly target?: string; readonly before?: number; readonly limit: number },
): Promise<{ readonly entries: readonly JournalEntry[]; readonly trimmed: Awaited<ReturnType<Store['journalTrimmed']>> }> {
  return { entries: await store.journal({ ...query, newestFirst: true }), trimmed: await store.journalTrimmed() }
}
