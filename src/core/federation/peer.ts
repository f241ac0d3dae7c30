import type { ControlRecord } from '../access/control-record.js'
import type { JsonObject } from '../encoding/json.js'

/** What may leave a node: nothing that was meant for one person or one team. */
export const FEDERATED_SCOPES = ['company', 'public'] as const
export type FederatedScope = (typeof FEDERATED_SCOPES)[number]

/** How far what a peer says is trusted, unless the operator says otherwise. */
export const DEFAULT_TRUST = 0.5

/** Another node that facts of one owner are exchanged with. */
export interface Peer {
  readonly id: string
  readonly owner: string
  /** As its key says. */
  readonly nodeId: string
  readonly url: string
  readonly publicKey: string
  readonly scopes: readonly FederatedScope[]
  readonly trust: number
  readonly pull: boolean
  readonly push: boolean
  /** How far its feed was read; null at the beginning. */
  readonly cursor: string | null
  /** How far ours was sent to it. */
  readonly pushed: number
}

const textIn = (data: JsonObject, name: string): string => {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}

export function peerOf({ id, owner, name, data }: ControlRecord): Peer {
  const given = Array.isArray(data.scopes) ? data.scopes : []
  return {
    id,
    owner,
    nodeId: name ?? '',
    url: textIn(data, 'url'),
    publicKey: textIn(data, 'publicKey'),
    scopes: FEDERATED_SCOPES.filter((scope) => given.includes(scope)),
    trust: typeof data.trust === 'number' ? data.trust : DEFAULT_TRUST,
    pull: data.pull !== false,
    push: data.push === true,
    cursor: typeof data.cursor === 'string' ? data.cursor : null,
    pushed: typeof data.pushed === 'number' ? data.pushed : 0,
  }
}
