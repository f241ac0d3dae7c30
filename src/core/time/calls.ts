/** How long a call is known by its key, in microseconds: a day. */
export const CALLS_KEPT = 86_400e6
