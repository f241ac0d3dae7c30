import type { CodeChunk } from '../core/code/chunks/chunks.js'
import type { CodeReference } from '../core/journal/change.js'

export interface SourceText {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  /** A published language name; languages without a grammar are cut into line windows. */
  readonly language: string
  readonly text: string
}

interface ParsedChunk extends CodeChunk {
  readonly terms: Uint8Array
  readonly rough?: Uint8Array
}

export interface ParsedFile {
  readonly path: string
  /** False when the file was cut into line windows. */
  readonly parsed: boolean
  readonly chunks: readonly ParsedChunk[]
  readonly references: readonly CodeReference[]
}

export interface CodeParser {
  /**
   * One result per file, in order. A file that exceeds its time budget or crashes the parser is cut into line windows; if that fails too,
   * it has no chunks. Rejects with `cancelled` when the signal fires.
   */
  parse(files: readonly SourceText[], options?: { readonly signal?: AbortSignal }): Promise<readonly ParsedFile[]>
  /** Ends the threads; a running call rejects with `cancelled`. */
  close(): Promise<void>
}
