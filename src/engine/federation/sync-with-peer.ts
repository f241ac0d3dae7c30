import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ControlRecord } from '../../core/access/control-record.js'
import type { Instant } from '../../core/facts/fact.js'
import { type Peer, peerOf } from '../../core/federation/peer.js'
import { peerAddress } from '../../core/federation/peer-address.js'
import { MAX_LIFE_S, tokenHeader, tokenText } from '../../core/federation/peer-token.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { PeerAnswer } from '../../ports/node-identity.js'
import type { Context } from '../context.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { MAX_BATCH_SIZE, readFeed } from './feed.js'
import { listPeers } from './peers.js'
import { checkAddress } from './prove-address.js'
import { receiveFacts } from './receive.js'

/** Lifetime of a token, which is used at once. */
const LIFE_S = Math.min(120, MAX_LIFE_S)

/** Page sizes; a smaller one is used if the page is too large. */
const PAGE_SIZES = [MAX_BATCH_SIZE, 50, 5]
/** Limits of one round; the rest follows in the next. */
const MAX_ROUND_FACTS = 10_000
const MAX_ROUND_BYTES = 16 * 2 ** 20

/** Limit of a cursor, which is stored with the peer and sent with every request. */
const MAX_CURSOR_CHARS = 4096
const feedAnswer = z.object({
  facts: z.array(z.unknown()).max(MAX_BATCH_SIZE),
  cursor: z.string().max(MAX_CURSOR_CHARS).nullable(),
  has_more: z.boolean(),
})
const refusedCursor = z.object({ error: z.object({ code: z.literal('invalid_cursor') }) })
const pushAnswer = z.object({ accepted: z.int(), rejected: z.int() })

interface SyncResult {
  readonly pulled: number
  readonly pushed: number
  readonly rejected: number
}

async function authorization(env: Environment, { nodeId, url, scopes }: Peer): Promise<string> {
  const node = await env.node()
  const iat = Math.floor(env.clock.now() / 1e6)
  const text = tokenText({ iss: node.id, sub: nodeId, aud: peerAddress(url) ?? '', iat, exp: iat + LIFE_S, nonce: randomUUID(), scopes })
  return tokenHeader(text, node.sign(text))
}

const failed = ({ url }: Peer, status: number, body: unknown): MemoryError => {
  const refusal = z.object({ error: z.object({ message: z.string() }) }).safeParse(body)
  return new MemoryError(
    'unavailable',
    `${url} answered ${status}${refusal.success ? `: ${refusal.data.error.message.slice(0, 300)}` : ''}.`,
    {
      hint: 'Check that each node has the other as a peer, by its key (`mneme node`), and that both clocks are right.',
    },
  )
}

/** The stored peer. */
async function stored(env: Environment, id: string): Promise<{ readonly arrangement: ControlRecord; readonly peer: Peer }> {
  const [arrangement] = await env.store.arrangements({ kind: 'peer', id })
  if (arrangement === undefined) throw new MemoryError('not_found', `There is no peer ${id} any more.`, { reason: 'peer_not_found' })
  return { arrangement, peer: peerOf(arrangement) }
}

const updatePeer =
  (arrangement: ControlRecord, data: { readonly cursor?: string; readonly pushed?: number }) =>
  (now: Instant): readonly Change[] => [
    {
      op: 'arrangement.put',
      arrangement: { ...arrangement, data: { ...arrangement.data, ...data }, updatedAt: now, version: arrangement.version + 1 },
    },
  ]

/** Requests a page. If the peer rejects the cursor, its feed is read from the start; known facts are skipped. */
async function askFeed(env: Environment, peer: Peer, signal: AbortSignal): Promise<PeerAnswer> {
  const askFor = async (limit: number, place: { readonly cursor?: string }): Promise<PeerAnswer> => {
    const url = `${peer.url}/v1/federation/facts?${new URLSearchParams({ limit: String(limit), ...place })}`
    return env.peerTransport.ask({ method: 'GET', url, authorization: await authorization(env, peer), signal })
  }
  /** Requests fewer facts if a page exceeds the size limit. */
  const ask = async (place: { readonly cursor?: string }): Promise<PeerAnswer> => {
    for (const limit of PAGE_SIZES) {
      try {
        return await askFor(limit, place)
      } catch (failure) {
        if (!(failure instanceof MemoryError && failure.reason === 'peer_answer_too_large')) throw failure
      }
    }
    return askFor(1, place)
  }
  if (peer.cursor === null) return ask({})
  const answer = await ask({ cursor: peer.cursor })
  return answer.status === 400 && refusedCursor.safeParse(answer.body).success ? ask({}) : answer
}

interface PulledPage {
  readonly added: number
  readonly rejected: number
  readonly hasMore: boolean
  /** What the peer sent, including rejected facts. */
  readonly facts: number
  readonly bytes: number
}

/** Reads one page of a peer's feed; its position is committed together with its facts. */
async function pullOnce(env: Environment, id: string, signal: AbortSignal): Promise<PulledPage> {
  const { peer } = await stored(env, id)
  const { status, body, bytes } = await askFeed(env, peer, signal)
  const page = feedAnswer.safeParse(body)
  if (status !== 200 || !page.success) throw failed(peer, status, body)
  const { facts, cursor, has_more: hasMore } = page.data
  const seen = { bytes, facts: facts.length }
  return retryOnConflict(async () => {
    const { arrangement, peer: now } = await stored(env, id)
    // Another process has read the same page.
    if (now.cursor !== peer.cursor) return { ...seen, added: 0, rejected: 0, hasMore: true }
    const moved = cursor !== null && cursor !== peer.cursor
    if (facts.length === 0 && !moved) return { ...seen, added: 0, rejected: 0, hasMore: false }
    const { added, rejected } = await receiveFacts(env, now, facts, moved ? updatePeer(arrangement, { cursor }) : undefined)
    return { ...seen, added: added.length, rejected, hasMore: hasMore && moved }
  })
}

/** Sends one page of our feed to a peer, which ignores facts it has, so that sending twice is safe. */
async function pushOnce(
  env: Environment,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly sent: number; readonly rejected: number; readonly hasMore: boolean }> {
  const { peer } = await stored(env, id)
  const { facts, last, hasMore } = await readFeed(env, peer, { after: peer.pushed, limit: MAX_BATCH_SIZE, scopes: peer.scopes })
  if (last === peer.pushed) return { sent: 0, rejected: 0, hasMore: false }
  let rejected = 0
  if (facts.length > 0) {
    const request = { method: 'POST', url: `${peer.url}/v1/federation/facts/push`, authorization: await authorization(env, peer) } as const
    const { status, body } = await env.peerTransport.ask({ ...request, body: JSON.stringify({ facts }), signal })
    const answer = pushAnswer.safeParse(body)
    if (status !== 202 || !answer.success) throw failed(peer, status, body)
    rejected = answer.data.rejected
  }
  await retryOnConflict(async () => {
    const { arrangement, peer: now } = await stored(env, id)
    if (now.pushed >= last) return
    const commitContext = { actor: `peer:${peer.nodeId}`, owners: [peer.owner] }
    await env.store.commit(commitContext, updatePeer(arrangement, { pushed: last }))
  })
  return { sent: facts.length, rejected, hasMore }
}

/** Pulls and pushes all pages within the limits of one round; `goOn` is called before each page. */
export async function syncWithPeer(
  env: Environment,
  peer: Peer,
  signal: AbortSignal,
  goOn: () => Promise<boolean> = async () => true,
): Promise<SyncResult> {
  const { id, pull, push } = peer
  let [pulled, pushed, rejected] = [0, 0, 0]
  if (pull || push) await checkAddress(env, peer, signal)
  const taken = { facts: 0, bytes: 0 }
  for (let more = pull; more && !signal.aborted && (await goOn()); ) {
    const page = await pullOnce(env, id, signal)
    pulled += page.added
    rejected += page.rejected
    taken.facts += page.facts
    taken.bytes += page.bytes
    more = page.hasMore
    if (!more || (taken.facts < MAX_ROUND_FACTS && taken.bytes < MAX_ROUND_BYTES)) continue
    env.log.warn('a peer has more than is taken in one round', { peer: peer.nodeId, ...taken })
    more = false
  }
  for (let more = push; more && !signal.aborted && (await goOn()); ) {
    const page = await pushOnce(env, id, signal)
    pushed += page.sent
    rejected += page.rejected
    more = page.hasMore
  }
  return { pulled, pushed, rejected }
}

interface PeerSyncOutcome extends SyncResult {
  readonly peer: Peer
  readonly error?: string
}

/** Syncs with every peer now; an unreachable peer does not stop the others. Fails when all of them fail. */
export async function syncAllPeers(context: Context): Promise<readonly PeerSyncOutcome[]> {
  const outcomes: PeerSyncOutcome[] = []
  let lastError: MemoryError | undefined
  for (const peer of await listPeers(context)) {
    try {
      outcomes.push({ peer, ...(await syncWithPeer(context, peer, context.signal)) })
    } catch (failure) {
      context.signal.throwIfAborted()
      lastError = toMemoryError(failure)
      outcomes.push({ peer, pulled: 0, pushed: 0, rejected: 0, error: lastError.message })
    }
  }
  if (lastError !== undefined && outcomes.every(({ error }) => error !== undefined)) throw lastError
  return outcomes
}
