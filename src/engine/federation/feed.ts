import type { Fact } from '../../core/fact.js'
import type { Peer } from '../../core/federation/peer.js'
import { originOf, type SignedFact, signedText, toWire } from '../../core/federation/wire-fact.js'
import { refusal } from '../../core/refusal.js'
import type { NodeIdentity } from '../../ports/node-identity.js'
import type { Environment } from '../environment.js'

export const MOST_AT_ONCE = 500

export interface FeedPage {
  readonly facts: readonly SignedFact[]
  /** Where the next page begins. */
  readonly last: number
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
  return { facts: facts.map((fact) => sealed(fact, node)), last, hasMore: items.length === limit }
}

export const feedCursor = (last: number): string => Buffer.from(JSON.stringify({ v: 1, last })).toString('base64url')

export function placeIn(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  try {
    const { v, last } = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (v === 1 && Number.isSafeInteger(last) && last >= 0) return last
  } catch {
    // Refused below, as every other text that was not made here.
  }
  throw refusal('invalid_cursor', 'Invalid cursor: it was not made by this node', 'Begin without one.')
}
