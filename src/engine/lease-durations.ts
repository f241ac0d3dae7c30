/** How long a holder of a job that is not heard of is believed to be at work, in microseconds; each is renewed well before. */
export const LEASE_US = {
  /** Texts on their way to vectors: a batch takes a second or two. */
  embed: 20e6,
  /** Links by likeness: a batch waits for calls between its facts. */
  link: 60e6,
  /** A project that is being read; its holder reports every two seconds. */
  index: 8e6,
  /** A page of facts that a peer is asked for. */
  exchange: 15e6,
  /** A page of statements that fade: done twice at once it does no harm. */
  sweep: 5e6,
  /** Long enough to write down when a job runs next. */
  plan: 1e6,
} as const
