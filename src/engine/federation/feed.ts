import { originOf } from '../../core/access/attestation.js'
import type { Fact } from '../../core/facts/fact.js'
import type { Peer } from '../../core/federation/peer.js'
import { type SignedFact, signedText, toWire } from '../../core/federation/wire-fact.js'
import { digestOf, openCursor, sealCursor } from '../../core/input/cursor.js'
import type { NodeIdentity } from '../../ports/node-identity.js'
import type { Environment } from '../environment.js'

export const MAX_BATCH_SIZE = 500

export interface FeedPage {
  readonly facts: readonly SignedFact[]
  /** Up to where all was looked at. */
  readonly last: number
  /** The place of the last one that was told: what is not told moves nothing that a peer could see. */
  readonly told: number
  readonly hasMore: boolean
}

const sealed = (fact: Fact, node: NodeIdentity): SignedFact => {
  const sent = toWire(fact)
  const origin = originOf(fact) ?? node.id
  return { fact: sent, origin, signature: node.sign(signedText(sent, origin)) }
}

/**
 * What a peer is told, in the order in which it was stored here: statements that stand in no garden, of the scopes that are
 * shared with it. What came from others is passed on only if it is public, and never back to where it came from.
 */
export async function readFeed(
  env: Environment,
  peer: Peer,
  { after, limit, scopes }: { readonly after: number; readonly limit: number; readonly scopes: readonly string[] },
): Promise<FeedPage> {
  const node = await env.node()
  const { items, last } = await env.backend.store.feed({ owner: peer.owner, scopes, after, limit, except: peer.nodeId })
  const facts = items.map(({ fact }) => fact).filter((fact) => originOf(fact) !== peer.nodeId)
  const told = items[items.length - 1]?.rid ?? after
  return { facts: facts.map((fact) => sealed(fact, node)), last, told, hasMore: items.length === limit }
}

/** Stands for what a peer is told: told more than before, it begins again. */
const feedDigest = ({ nodeId }: Peer, scopes: readonly string[]): string =>
  digestOf({ of: 'feed', peer: nodeId, scopes: [...scopes].sort() })

export async function feedCursor({ backend }: Environment, peer: Peer, scopes: readonly string[], last: number): Promise<string> {
  return sealCursor({ d: feedDigest(peer, scopes), last }, await backend.statements.cursorKey())
}

export async function placeIn(
  { backend }: Environment,
  peer: Peer,
  scopes: readonly string[],
  cursor: string | undefined,
): Promise<number> {
  if (cursor === undefined) return 0
  const { last } = openCursor(cursor, await backend.statements.cursorKey(), feedDigest(peer, scopes))
  return typeof last === 'number' ? last : 0
}
