/** Identity of this node: a key pair. */
export interface NodeIdentity {
  /** Derived from the public key. */
  readonly id: string
  /** Raw key in base64url. */
  readonly publicKey: string
  /** Ed25519 signature in base64url. */
  sign(text: string): string
}

export interface PeerAnswer {
  readonly status: number
  /** Parsed JSON; undefined if invalid. */
  readonly body: unknown
  /** Length of the body as it was sent. */
  readonly bytes: number
}

/** HTTP access to other nodes. Rejects on a timeout, an incomplete response, or one over the size limit (`peer_answer_too_large`). */
export interface PeerTransport {
  /** True if addresses of this machine and its network are allowed. */
  readonly allowsPrivate: boolean
  /** True if a URL resolves to this machine or its network. */
  leadsInside(url: string): Promise<boolean>
  ask(request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly authorization?: string
    readonly body?: string
    readonly signal: AbortSignal
  }): Promise<PeerAnswer>
}
