import type { JsonObject } from '../../core/encoding/json.js'
import type { JournalEntry } from '../../core/journal/change.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { CallId, RecordedCall, Store } from '../../ports/store.js'
import type { Context } from '../context.js'
import { entriesOf } from './entries.js'

export interface IdempotentCall {
  readonly call: CallId
  /** Runs the call. What it commits through this context is committed as part of the call. */
  run(context: Context): Promise<JsonObject>
  /** Its answer from the entries it left in the journal, for when the process ended before it had answered. */
  recover?: ((entries: readonly JournalEntry[]) => Promise<JsonObject>) | undefined
}

/**
 * A call that a client may repeat without harm: it is recorded in the transaction of its changes, so whoever asks again,
 * after a crash or from another process at the same moment, gets the answer of the one that was committed. A call that
 * changes nothing is not recorded: repeating it does no harm either way.
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
    // Whoever lost against the same call finds done what it was to do, which looks like a failure.
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

/** On its way from the commit to the one who asked; nobody in between has anything to do with it. */
class CommittedBefore extends Error {
  constructor(readonly recorded: RecordedCall) {
    super('The same call was committed before.')
  }
}

/** The first commit that changes something records the call; what follows it belongs to the same. */
function watchStore(store: Store, call: CallId): { readonly store: Store; committed(): boolean } {
  let committed = false
  return {
    committed: () => committed,
    store: {
      ...store,
      async commit(by, decide) {
        const receipt = await store.commit({ ...by, call: committed ? undefined : call }, decide)
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

/** The call was carried out, but what it answered cannot be said any more. */
function answerLost(entries: readonly JournalEntry[]): MemoryError {
  const done = entries.slice(0, MAX_SHOWN_CHANGES).map(({ op, target }) => `${op} ${target}`)
  const more = entries.length > MAX_SHOWN_CHANGES ? ` and ${entries.length - MAX_SHOWN_CHANGES} more` : ''
  return new MemoryError('conflict', `This call was carried out before (${done.join(', ')}${more}); its answer is not known any more`, {
    hint: 'Nothing was done again. Read what it changed to see how it is now.',
  })
}

/** The id of what a call put into the store, the first of its kind. */
export function findCreatedId(entries: readonly JournalEntry[], kind: 'fact' | 'entity' | 'edge'): string {
  const entry = entries.find(({ op, targetKind }) => op === `${kind}.put` && targetKind === kind)
  if (entry === undefined) throw answerLost(entries)
  return entry.target
}
