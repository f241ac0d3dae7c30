import type { FolderPage } from '../core/transfer/folder-pages.js'

/** A file of a Markdown export. */
export interface MarkdownFile {
  readonly path: string
  readonly text: string
}

export interface WrittenFolder {
  readonly files: number
  /** Files that are new or changed. */
  readonly written: number
  /** Pages of what is no longer there. */
  readonly removed: number
  /** Pages that were edited after they were read, and stay as they are. */
  readonly left: number
}

/** The pages of a folder as they were read. */
export interface FolderSnapshot {
  readonly pages: readonly FolderPage[]
  /** Hashes of the texts by path. */
  readonly hashes: ReadonlyMap<string, string>
  /** Markdown files that are no pages of an export, and pages that are too large. */
  readonly unread: readonly string[]
}

/** A folder that an export writes to and a person edits. */
export interface MarkdownFolder {
  readonly path: string
  /** Differs if any page differs; cheap, as pages are not read. */
  fingerprint(): Promise<string>
  read(): Promise<FolderSnapshot>
  /**
   * Writes files where they differ from what is there, and removes old pages of an export. With the snapshot they follow from,
   * pages that were edited since are left alone, and edits that are not read are kept in `.mneme-edits`.
   */
  write(files: AsyncIterable<MarkdownFile>, signal: AbortSignal, since?: FolderSnapshot): Promise<WrittenFolder>
}
