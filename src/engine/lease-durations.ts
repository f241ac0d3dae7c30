/** How long a lease is valid without renewal, in microseconds; holders renew it well before. */
export const LEASE_US = {
  /** Embedding: a batch takes one or two seconds. */
  embed: 20e6,
  /** Links by similarity: a batch pauses for calls between facts. */
  link: 60e6,
  /** Indexing a project: its holder reports every two seconds. */
  index: 8e6,
  /** One page of a peer's feed. */
  exchange: 15e6,
  /** One page of decaying statements; idempotent. */
  sweep: 5e6,
  /** Planning the next run of a job. */
  plan: 1e6,
} as const
