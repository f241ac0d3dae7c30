import type { JsonObject } from '../core/encoding/json.js'
import type { CapturedText, CaptureOptions, Message } from '../core/evidence/capture.js'

/** A document as read. */
export interface ReadDocument extends CapturedText {
  /** The title in the document, or its name. */
  readonly title: string
  readonly contentType: 'markdown' | 'text' | 'pdf' | 'structured' | 'binary'
  readonly byteCount: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  /** Why no text could be extracted, or null. */
  readonly stub: string | null
  /** Origin: a path, or URLs and the time. */
  readonly origin: JsonObject
  readonly warnings: readonly string[]
}

export interface ReadOptions extends Pick<CaptureOptions, 'maskSecrets'> {
  readonly signal: AbortSignal
}

export interface FoundFolder {
  /** With links resolved. */
  readonly path: string
  readonly entries: readonly { readonly name: string; readonly isDirectory: boolean }[]
}

/** Reads external documents. Untrusted formats are parsed in a thread with a time limit. */
export interface DocumentReader {
  /** Rejects with `invalid_input` if the path is not a file, and with `forbidden` outside of the allowed folders. */
  file(path: string, as: 'file' | 'markdown' | 'pdf', options: ReadOptions): Promise<ReadDocument & { readonly path: string }>
  /** A conversation in segments. */
  conversation(title: string, messages: readonly Message[], options: ReadOptions): Promise<CapturedText>
  web(url: string, options: ReadOptions): Promise<ReadDocument & { readonly url: string }>
  /** A folder and its direct entries. Rejects like `file`. */
  folder(path: string): Promise<FoundFolder>
  close(): Promise<void>
}
