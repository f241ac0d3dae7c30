import type { JournalEntry } from '../../core/journal/change.js'
import type { Store } from '../../ports/store.js'
import type { Context } from '../context.js'

/** A commit as far as it is about one owner: what undoes it names it so. */
export interface NamedCommit {
  readonly owner: string
  readonly commit: string
  readonly firstSeq: number
  readonly lastSeq: number
}

/** The same context; `note` hears of every commit that is made through it. */
export function reportCommits(context: Context, note: (commits: readonly NamedCommit[]) => void): Context {
  const { store } = context
  const commit: Store['commit'] = async (by, decide) => {
    const receipt = await store.commit(by, decide)
    note(receipt.entries.map((range) => ({ ...range, commit: receipt.commit })))
    return receipt
  }
  return { ...context, store: { ...store, commit } }
}

/** Runs some work and answers which commits it made, too. */
export async function notingCommits<T>(
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<{ readonly value: T; readonly commits: readonly NamedCommit[] }> {
  const commits: NamedCommit[] = []
  const value = await work(reportCommits(context, (made) => commits.push(...made)))
  return { value, commits }
}

/** What some commits left in the journal, as far as it may be seen. */
export async function entriesOfCommits({ store }: Context, commits: readonly NamedCommit[]): Promise<readonly JournalEntry[]> {
  const found: JournalEntry[] = []
  for (const { owner, commit, firstSeq, lastSeq } of commits) {
    const entries = await store.journal({ owner, after: firstSeq - 1, before: lastSeq + 1, limit: lastSeq - firstSeq + 1 })
    found.push(...entries.filter((entry) => entry.commit === commit))
  }
  return found
}
