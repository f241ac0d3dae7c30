import type { CapturedChunk, CapturedText } from '../../core/evidence/capture.js'

/** `plain_html` takes the words alone, for pages that take too long to be laid out. */
export type DocumentForm = 'markdown' | 'text' | 'html' | 'plain_html' | 'pdf'

export interface DocumentRequest {
  readonly form: DocumentForm
  /** Of a PDF. */
  readonly bytes?: Uint8Array
  readonly text?: string
  /** The name it has where it does not give itself one. */
  readonly title: string
  readonly maskSecrets: boolean
}

export interface MadeDocument {
  readonly captured: CapturedText
  readonly title: string
  readonly contentType: 'markdown' | 'text' | 'pdf'
  /** Why there is no text. */
  readonly stub: string | null
}

/** `page` is a sign of life: one more page is done. Chunks come a few at a time, so that taking them over holds nobody up. */
export type DocumentReply =
  | { readonly page: number }
  | { readonly chunks: readonly CapturedChunk[] }
  | { readonly made: MadeDocument }
  | { readonly failure: string }
