import type { Context } from '../engine/context.js'
import { followJournal } from '../engine/history/follow.js'
import { type Activity, toActivity } from './activity.js'
import type { Right } from './operation.js'

interface StreamedEvent {
  /** Position at which a disconnected client resumes. */
  readonly id: string
  readonly data: Activity
}

/** Events that a surface forwards while a client is connected. */
export interface EventStream {
  readonly name: string
  readonly right: Right
  readonly effect: 'read'
  /** Batches of events in order, after the given id or from now on. Ends with the signal of the context. */
  open(context: Context, after: string | undefined): AsyncIterable<readonly StreamedEvent[]>
}

/** Every commit of any process, restricted to what the caller may read. */
export const journalEvents: EventStream = {
  name: 'events',
  right: 'read',
  effect: 'read',
  async *open(context, after) {
    for await (const entries of followJournal(context, after)) {
      const now = context.clock.now()
      yield entries.map(({ id, entry }) => ({ id, data: toActivity(entry, now) }))
    }
  },
}
