import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Peer } from '../../core/federation/peer.js'
import { addressProofText, peerAddress } from '../../core/federation/peer-address.js'
import { isSigned } from '../../core/federation/signature.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

export const PROOF_PATH = '/.well-known/stigmem/proof'

interface AddressProof {
  readonly nodeId: string
  readonly address: string
  readonly signature: string
}

/** Signs a challenge for an address of this node; undefined for other addresses, so that a relay gets no proof. */
export async function proveAddress(
  env: Environment,
  { address, challenge }: { readonly address: string; readonly challenge: string },
  own: readonly string[],
): Promise<AddressProof | undefined> {
  if (!own.some((url) => peerAddress(url) === address)) return undefined
  const node = await env.node()
  return { nodeId: node.id, address, signature: node.sign(addressProofText({ node: node.id, address, challenge })) }
}

const proofAnswer = z.object({ signature: z.string().max(200) })

/** Rejects unless the node at the address of a peer holds its key. Tokens are sent only after this check. */
export async function checkAddress(env: Environment, { url, nodeId, publicKey }: Peer, signal: AbortSignal): Promise<void> {
  const address = peerAddress(url) ?? ''
  const challenge = randomUUID()
  const response = await env.peerTransport.ask({
    method: 'GET',
    url: `${url}${PROOF_PATH}?${new URLSearchParams({ challenge, address })}`,
    signal,
  })
  const proof = proofAnswer.safeParse(response.body)
  const text = addressProofText({ node: nodeId, address, challenge })
  if (response.status === 200 && proof.success && isSigned(text, proof.data.signature, publicKey)) return
  throw new MemoryError('unavailable', `${url} has not proven that it holds the key of ${nodeId}.`, {
    reason: 'peer_not_proven',
    hint: 'Check the address and the key of the peer (`mneme node` there). Behind a proxy, start the peer with --public-url.',
  })
}
