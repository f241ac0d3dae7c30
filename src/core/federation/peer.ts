import type { ControlRecord } from '../access/control-record.js'
import type { JsonObject } from '../encoding/json.js'

/** Scopes that are exchanged with peers. */
export const FEDERATED_SCOPES = ['company', 'public'] as const
export type FederatedScope = (typeof FEDERATED_SCOPES)[number]

/** Default trust in a peer. */
export const DEFAULT_TRUST = 0.5

/** Another node that exchanges facts of one owner with this one. */
export interface Peer {
  readonly id: string
  readonly owner: string
  /** Derived from its key. */
  readonly nodeId: string
  readonly url: string
  readonly publicKey: string
  readonly scopes: readonly FederatedScope[]
  readonly trust: number
  readonly pull: boolean
  readonly push: boolean
  /** Position in its feed; null at the start. */
  readonly cursor: string | null
  /** Position in our feed up to which facts were pushed. */
  readonly pushed: number
}

const textIn = (data: JsonObject, name: string): string => {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}

export function peerOf({ id, owner, name, data }: ControlRecord): Peer {
  const listed = Array.isArray(data.scopes) ? data.scopes : []
  return {
    id,
    owner,
    nodeId: name ?? '',
    url: textIn(data, 'url'),
    publicKey: textIn(data, 'publicKey'),
    scopes: FEDERATED_SCOPES.filter((scope) => listed.includes(scope)),
    trust: typeof data.trust === 'number' ? data.trust : DEFAULT_TRUST,
    pull: data.pull !== false,
    push: data.push === true,
    cursor: typeof data.cursor === 'string' ? data.cursor : null,
    pushed: typeof data.pushed === 'number' ? data.pushed : 0,
  }
}
