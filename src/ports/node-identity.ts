/** Who this node is among others: a pair of keys that only it has. */
export interface NodeIdentity {
  /** Follows from the public key. */
  readonly id: string
  /** Raw, as base64url. */
  readonly publicKey: string
  /** Ed25519, as base64url. */
  sign(text: string): string
}

export interface PeerAnswer {
  readonly status: number
  /** Parsed; undefined where it was no JSON. */
  readonly body: unknown
}

/** The way to other nodes. Rejects where nothing comes back in time, or only a part. */
export interface PeerTransport {
  /** Whether addresses of this machine and its network may be asked. */
  readonly allowsPrivate: boolean
  /** Whether an address leads to this machine or its network as it is written. */
  leadsInside(url: string): Promise<boolean>
  ask(request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly authorization: string
    readonly body?: string
    readonly signal: AbortSignal
  }): Promise<PeerAnswer>
}
