import { setTimeout as delay } from 'node:timers/promises'
import type { JournalEntry } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'

/** Polling interval, needed for writes of other processes. */
const POLL_MS = 200
const PAGE_SIZE = 500

type JournalPlace = Pick<JournalEntry, 'seq' | 'hlc'>

interface FollowedEntry {
  /** Id of this entry, from which following can resume. */
  readonly id: string
  readonly entry: JournalEntry
}

/** Entries committed from now on or after a position, in order and without repeats. Ends with the signal of the call. */
export async function* followJournal(context: Context, after: string | undefined): AsyncGenerator<readonly FollowedEntry[]> {
  const { store, signal } = context
  const newest = await newestPlace(context)
  const requested = after === undefined ? undefined : readId(after)
  // A position after the newest entry belongs to another store, for example before a restore.
  let place = requested === undefined || newest === undefined || requested.hlc > newest.hlc ? newest : requested
  while (!signal.aborted) {
    const entries = await store.journal({ ...(place === undefined ? {} : { beyond: place }), limit: PAGE_SIZE })
    const last = entries[entries.length - 1]
    if (last === undefined) {
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
      continue
    }
    place = last
    yield entries.map((entry) => ({ id: idOf(entry), entry }))
  }
}

async function newestPlace({ store }: Context): Promise<JournalPlace | undefined> {
  const [newest] = await store.journal({ newestFirst: true, limit: 1 })
  return newest
}

const idOf = ({ seq, hlc }: JournalPlace): string => `${seq}.${hlc}`

function readId(id: string): JournalPlace {
  const at = id.indexOf('.')
  const seq = Number(id.slice(0, at))
  const hlc = id.slice(at + 1)
  if (at < 1 || !Number.isSafeInteger(seq) || seq < 0 || hlc === '' || hlc.length > 100)
    throw new MemoryError('invalid_input', 'Last-Event-ID names no event of this server.', {
      hint: 'Leave it out to begin with what happens now.',
    })
  return { seq, hlc }
}
