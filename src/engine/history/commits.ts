import type { JournalEntry } from '../../core/journal/change.js'
import type { Store } from '../../ports/store.js'
import type { Context } from '../context.js'

/** The part of a commit that concerns one owner, as named for undo. */
export interface NamedCommit {
  readonly owner: string
  readonly commit: string
  readonly firstSeq: number
  readonly lastSeq: number
}

/** The same context; `note` receives every commit made through it. */
function reportCommits(context: Context, note: (commits: readonly NamedCommit[]) => void): Context {
  const { store } = context
  const commit: Store['commit'] = async (commitContext, decide) => {
    const receipt = await store.commit(commitContext, decide)
    note(receipt.entries.map((range) => ({ ...range, commit: receipt.commit })))
    return receipt
  }
  return { ...context, store: { ...store, commit } }
}

/** Runs work and also returns its commits. */
export async function notingCommits<T>(
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<{ readonly value: T; readonly commits: readonly NamedCommit[] }> {
  const commits: NamedCommit[] = []
  const value = await work(reportCommits(context, (made) => commits.push(...made)))
  return { value, commits }
}

/** Journal entries of some commits that the principal may read. */
export async function entriesOfCommits({ store }: Context, commits: readonly NamedCommit[]): Promise<readonly JournalEntry[]> {
  const found: JournalEntry[] = []
  for (const { owner, commit, firstSeq, lastSeq } of commits) {
    const entries = await store.journal({ owner, after: firstSeq - 1, before: lastSeq + 1, limit: lastSeq - firstSeq + 1 })
    found.push(...entries.filter((entry) => entry.commit === commit))
  }
  return found
}
