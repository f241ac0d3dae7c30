import type { JsonObject } from '../../core/encoding/json.js'
import type { JournalEntry } from '../../core/journal/change.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { CallId, RecordedCall, Store } from '../../ports/store.js'
import type { Context } from '../context.js'
import { entriesOf } from './entries.js'

interface IdempotentCall {
  readonly call: CallId
  /** Runs the call. Commits through this context belong to the call. */
  run(context: Context): Promise<JsonObject>
  /** Rebuilds the result from the call's journal entries, if the process ended before it returned the result. */
  recover?: ((entries: readonly JournalEntry[]) => Promise<JsonObject>) | undefined
}

/**
 * Runs a call at most once. The call is recorded in the transaction of its changes, so a repeat, after a crash or concurrently in another
 * process, gets the committed result. A call without changes is not recorded, because repeating it is safe.
 */
export async function runIdempotentCall(context: Context, work: IdempotentCall): Promise<JsonObject> {
  const { store } = context
  const known = await store.recordedCall(work.call)
  if (known !== undefined) return answerAgain(store, work, known)
  const watched = watchStore(store, work.call)
  let answer: JsonObject
  try {
    answer = await work.run({ ...context, store: watched.store })
  } catch (failure) {
    // The loser of a race finds the work done, which may look like a failure.
    const winner =
      failure instanceof CommittedBefore ? failure.recorded : watched.committed() ? undefined : await store.recordedCall(work.call)
    if (winner === undefined) throw failure
    return answerAgain(store, work, winner)
  }
  if (!watched.committed()) {
    const winner = await store.recordedCall(work.call)
    return winner === undefined ? answer : answerAgain(store, work, winner)
  }
  await store.recordAnswer(work.call, answer).catch((failure: unknown) => {
    context.log.warn('the answer of a call was not kept; it is made from the journal when asked for', {
      failure: toMemoryError(failure).message,
    })
  })
  return answer
}

/** Thrown from the commit to the caller; no code between them handles it. */
class CommittedBefore extends Error {
  constructor(readonly recorded: RecordedCall) {
    super('The same call was committed before.')
  }
}

/** The first commit with changes records the call; later ones belong to the same call. */
function watchStore(store: Store, call: CallId): { readonly store: Store; committed(): boolean } {
  let committed = false
  return {
    committed: () => committed,
    store: {
      ...store,
      async commit(commitContext, decide) {
        const receipt = await store.commit({ ...commitContext, call: committed ? undefined : call }, decide)
        if (receipt.earlier !== undefined) throw new CommittedBefore(receipt.earlier)
        committed ||= receipt.entries.length > 0
        return receipt
      },
    },
  }
}

async function answerAgain(store: Store, { call, recover }: IdempotentCall, known: RecordedCall): Promise<JsonObject> {
  if (known.fingerprint !== call.fingerprint)
    throw new MemoryError('invalid_input', `Invalid idempotency_key: "${call.key}" was used for another call within the last 24 hours`, {
      hint: 'Use a new key for each call; repeat a key only with the same tool and the same arguments.',
    })
  if (known.answer !== null) return known.answer
  const entries = await entriesOf(store, known, MAX_ENTRIES)
  if (recover !== undefined) return recover(entries)
  throw answerLost(entries)
}

const MAX_ENTRIES = 1000
const MAX_SHOWN_CHANGES = 5

/** The call succeeded, but its result is no longer available. */
function answerLost(entries: readonly JournalEntry[]): MemoryError {
  const done = entries.slice(0, MAX_SHOWN_CHANGES).map(({ op, target }) => `${op} ${target}`)
  const more = entries.length > MAX_SHOWN_CHANGES ? ` and ${entries.length - MAX_SHOWN_CHANGES} more` : ''
  return new MemoryError('conflict', `This call was carried out before (${done.join(', ')}${more}); its answer is not known any more`, {
    hint: 'Nothing was done again. Read what it changed to see how it is now.',
  })
}

/** The id of the first object of a kind that the call stored. */
export function findCreatedId(entries: readonly JournalEntry[], kind: 'fact' | 'entity' | 'edge'): string {
  const entry = entries.find(({ op, targetKind }) => op === `${kind}.put` && targetKind === kind)
  if (entry === undefined) throw answerLost(entries)
  return entry.target
}
