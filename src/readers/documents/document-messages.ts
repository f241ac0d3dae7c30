import type { CapturedChunk, CapturedText, Message } from '../../core/evidence/capture.js'

/** `plain_html` extracts the words only, for pages whose conversion takes too long. */
type DocumentForm = 'markdown' | 'text' | 'html' | 'plain_html' | 'pdf' | 'conversation'

export interface DocumentRequest {
  readonly form: DocumentForm
  /** Bytes of a PDF. */
  readonly bytes?: Uint8Array
  readonly text?: string
  /** Messages of a conversation. */
  readonly messages?: readonly Message[]
  /** Used if the document has no title. */
  readonly title: string
  readonly maskSecrets: boolean
}

export interface MadeDocument {
  readonly captured: CapturedText
  readonly title: string
  readonly contentType: 'markdown' | 'text' | 'pdf' | 'structured'
  /** Why there is no text. */
  readonly stub: string | null
}

/** `page` reports progress. Chunks arrive in small batches, so that receiving them does not block the event loop. */
export type DocumentReply =
  | { readonly page: number }
  | { readonly chunks: readonly CapturedChunk[] }
  | { readonly made: MadeDocument }
  | { readonly failure: string; readonly tooLarge: boolean }
