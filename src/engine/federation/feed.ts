import { findOwnerAccess } from '../../core/access/access-filter.js'
import { originOf } from '../../core/access/attestation.js'
import type { Fact } from '../../core/facts/fact.js'
import type { Peer } from '../../core/federation/peer.js'
import { isSigned } from '../../core/federation/signature.js'
import { readSeal, type SignedFact, signedText, toWire } from '../../core/federation/wire-fact.js'
import { digestOf, openCursor, sealCursor } from '../../core/input/cursor.js'
import type { NodeIdentity } from '../../ports/node-identity.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { callingPeer } from './peers.js'

export const MAX_BATCH_SIZE = 500

interface FeedPage {
  readonly facts: readonly SignedFact[]
  /** Position up to which rows were read. */
  readonly last: number
  /** Position of the last fact sent. Facts that are not sent do not change what the peer sees. */
  readonly sentRid: number
  readonly hasMore: boolean
}

/** Signed by this node, or with the signature of the origin. Undefined for a received fact that differs from the one its origin signed. */
function sealed(fact: Fact, node: NodeIdentity): SignedFact | undefined {
  const sent = toWire(fact)
  const origin = originOf(fact)
  if (origin === null) return { fact: sent, origin: node.id, signature: node.sign(signedText(sent, node.id)) }
  const seal = readSeal(fact)
  if (seal === undefined || !isSigned(signedText(sent, origin), seal.signature, seal.key)) return undefined
  return { fact: sent, origin, signature: seal.signature, origin_key: seal.key }
}

/**
 * The facts for a peer in the order in which they were stored: statements outside gardens, of the scopes shared with it. Facts
 * received from others are forwarded only if they are public, and never back to their origin.
 */
export async function readFeed(
  env: Environment,
  peer: Peer,
  { after, limit, scopes }: { readonly after: number; readonly limit: number; readonly scopes: readonly string[] },
): Promise<FeedPage> {
  const node = await env.node()
  const { items, last } = await env.store.feed({ owner: peer.owner, scopes, after, limit, except: peer.nodeId })
  const facts = items.map(({ fact }) => fact).filter((fact) => originOf(fact) !== peer.nodeId)
  const sentRid = items[items.length - 1]?.rid ?? after
  const signed = facts.flatMap((fact) => sealed(fact, node) ?? [])
  return { facts: signed, last, sentRid, hasMore: items.length === limit }
}

/** Digest of what is shared with a peer. If more is shared, the feed starts again. */
const feedDigest = ({ nodeId }: Peer, scopes: readonly string[]): string =>
  digestOf({ of: 'feed', peer: nodeId, scopes: [...scopes].sort() })

async function feedCursor({ statements }: Environment, peer: Peer, scopes: readonly string[], last: number): Promise<string> {
  return sealCursor({ d: feedDigest(peer, scopes), last }, await statements.cursorKey())
}

export async function placeIn(
  { statements }: Environment,
  peer: Peer,
  scopes: readonly string[],
  cursor: string | undefined,
): Promise<number> {
  if (cursor === undefined) return 0
  const { last } = openCursor(cursor, await statements.cursorKey(), feedDigest(peer, scopes))
  return typeof last === 'number' ? last : 0
}

/** One page of the feed for the calling peer: scopes that the peer, the key and the query all allow. */
export async function readFeedAsPeer(
  context: Context,
  query: { readonly cursor?: string | undefined; readonly limit: number; readonly scope?: string | undefined },
): Promise<{ readonly facts: readonly SignedFact[]; readonly cursor: string; readonly hasMore: boolean }> {
  const peer = await callingPeer(context)
  const granted = findOwnerAccess(context.principal.reach, peer.owner)?.scopes ?? []
  const scopes = peer.scopes.filter(
    (scope) => (query.scope === undefined || scope === query.scope) && (granted === 'all' || granted.includes(scope)),
  )
  const after = await placeIn(context, peer, scopes, query.cursor)
  const page = await readFeed(context, peer, { after, limit: query.limit, scopes })
  return { facts: page.facts, cursor: await feedCursor(context, peer, scopes, page.sentRid), hasMore: page.hasMore }
}
