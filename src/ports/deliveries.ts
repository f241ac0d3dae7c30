import type { Instant } from '../core/facts/fact.js'

/** What was put into one conversation at one moment. */
export interface Delivery {
  readonly id: string
  readonly at: Instant
  /** Whose memory was asked. */
  readonly owner: string
  readonly client: string
  readonly conversation: string | null
  /** At the start of a conversation, at a prompt, or as the answer of `recall`. */
  readonly kind: 'start' | 'prompt' | 'recall'
  /** With secrets masked. */
  readonly question: string | null
  readonly confidence: number | null
  readonly facts: readonly DeliveredFact[]
}

export interface DeliveredFact {
  readonly id: string
  /** Null where nothing was ranked, as at the start of a conversation. */
  readonly relevance: number | null
}

export interface DeliveryQuery {
  readonly owners?: readonly string[]
  readonly client?: string
  readonly conversation?: string
  /** Those that name this fact. */
  readonly fact?: string
  /** Those whose question holds this text, whatever its case, or that name one of these facts. */
  readonly about?: { readonly text: string; readonly facts: readonly string[] }
  /** Since this instant. */
  readonly since?: Instant
  /** Those before this one, in the order of the answer. */
  readonly before?: Pick<Delivery, 'at' | 'id'>
  readonly limit: number
}

/** Log of what agents were given. It is bounded, and a delivery is erased together with any fact that it names. */
export interface Deliveries {
  /** Adds deliveries; those before an instant and those beyond a number are dropped. Losing some in a power cut loses nothing else. */
  record(deliveries: readonly Delivery[], keep: { readonly since: Instant; readonly most: number }): Promise<void>
  /** Newest first. */
  list(query: DeliveryQuery): Promise<readonly Delivery[]>
}
