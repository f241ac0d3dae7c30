/** Retention of idempotency keys, in microseconds: a day. */
export const CALLS_KEPT = 86_400e6
