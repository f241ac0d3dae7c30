import type { Context } from '../engine/context.js'
import { followJournal } from '../engine/history/follow.js'
import { type Activity, toActivity } from './activity.js'
import type { Right } from './operation.js'

export interface StreamedEvent {
  /** Where a client that was cut off goes on. */
  readonly id: string
  readonly data: Activity
}

/** Events that a surface passes on for as long as a client listens. */
export interface EventStream {
  readonly name: string
  readonly right: Right
  readonly effect: 'read'
  /** Lists of events in order, from behind the one with that id, or from now on. Ends with the signal of the context. */
  open(context: Context, after: string | undefined): AsyncIterable<readonly StreamedEvent[]>
}

/** Every change that is committed, by whatever process, as far as the caller may see it. */
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
