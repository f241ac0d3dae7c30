import type { JsonObject } from '../core/encoding/json.js'
import type { CapturedText, CaptureOptions } from '../core/evidence/capture.js'

/** How a document was read. */
export interface ReadDocument extends CapturedText {
  /** As the document calls itself, or its name. */
  readonly title: string
  readonly contentType: 'markdown' | 'text' | 'pdf' | 'binary'
  readonly byteCount: number
  /** sha-256 of the bytes as they were read, in hex. */
  readonly sha256: string
  /** Why nothing of its text could be read; null otherwise. */
  readonly stub: string | null
  /** Where it was read: a path, or addresses and the time. */
  readonly origin: JsonObject
  readonly warnings: readonly string[]
}

export interface ReadOptions extends Pick<CaptureOptions, 'maskSecrets'> {
  readonly signal: AbortSignal
}

export interface FoundFolder {
  /** Once links are followed. */
  readonly path: string
  readonly entries: readonly { readonly name: string; readonly isDirectory: boolean }[]
}

/** Documents from outside. What is hostile in them takes its time in a thread of its own. */
export interface DocumentReader {
  /** Rejects with `invalid_input` for what is no file, and with `forbidden` outside of the folders that may be read. */
  file(path: string, as: 'file' | 'markdown' | 'pdf', options: ReadOptions): Promise<ReadDocument & { readonly path: string }>
  web(url: string, options: ReadOptions): Promise<ReadDocument & { readonly url: string }>
  /** A folder and what lies directly in it. Rejects as `file` does when it is none, or may not be read. */
  folder(path: string): Promise<FoundFolder>
  close(): Promise<void>
}
