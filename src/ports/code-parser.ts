import type { CodeChunk } from '../core/code/chunks.js'
import type { CodeReference } from '../core/journal/change.js'

export interface SourceText {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  /** A wire name; languages without a grammar are cut into line windows. */
  readonly language: string
  readonly text: string
}

export interface ParsedChunk extends CodeChunk {
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
   * One result per file in the order given. A file that cannot be parsed in its time budget, or that crashes the
   * parser, is still chunked, by lines, and only if that fails too it has no chunks. Rejects with `cancelled` when the signal fires.
   */
  parse(files: readonly SourceText[], options?: { readonly signal?: AbortSignal }): Promise<readonly ParsedFile[]>
  /** Ends the threads and frees their memory; a call that is under way rejects with `cancelled`. */
  close(): Promise<void>
}
