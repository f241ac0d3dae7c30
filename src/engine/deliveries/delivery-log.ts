import { DAY_US } from '../../core/facts/lifecycle.js'
import { maskText } from '../../core/secrets/mask.js'
import type { Delivery } from '../../ports/deliveries.js'
import type { Environment } from '../environment.js'

/** One delivery before the log adds its time and id. */
type NewDelivery = Omit<Delivery, 'id' | 'at'>

/** Records what agents received. Calls do not wait: deliveries are written in batches afterwards. */
export interface DeliveryLog {
  note(delivery: NewDelivery): void
  close(): Promise<void>
}

const FLUSH_MS = 400
const MAX_WAITING = 500
const MOST_DELIVERIES = 20_000
const MAX_QUESTION_CHARS = 2000
const MAX_FACTS = 50

const NO_LOG: DeliveryLog = { note: () => undefined, close: async () => undefined }

export function createDeliveryLog(env: Environment): DeliveryLog {
  const { deliveries, clock, ids, log, readOnly } = env
  const { deliveryDays: days } = env.settings
  if (days === 0 || readOnly) return NO_LOG
  let waiting: Delivery[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const batch = waiting.map((delivery) => ({ ...delivery, question: delivery.question === null ? null : masked(env, delivery.question) }))
    waiting = []
    if (batch.length === 0) return
    await deliveries
      .record(batch, { since: clock.now() - days * DAY_US, most: MOST_DELIVERIES })
      .catch((failure: unknown) => log.warn('deliveries could not be logged', { failure: String(failure) }))
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }
  return {
    note(delivery) {
      // Bounds memory if the database does not respond.
      if (waiting.length >= MAX_WAITING) return
      waiting.push({ ...delivery, facts: delivery.facts.slice(0, MAX_FACTS), id: ids.mint(), at: clock.now() })
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
    },
    close: flush,
  }
}

const masked = ({ settings }: Environment, question: string): string => {
  const cut = question.slice(0, MAX_QUESTION_CHARS)
  return settings.maskSecrets ? maskText(cut, []) : cut
}
