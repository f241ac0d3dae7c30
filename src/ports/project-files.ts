import type { SkipReason } from '../core/code/files.js'
import type { ScanScope } from '../core/evidence/scan-scope.js'

/** A folder that may be indexed, and the name it goes by. */
export interface FoundProject {
  readonly path: string
  readonly root: string
  readonly name: string
  readonly git: boolean
}

export interface ProjectFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly absolute: string
  readonly size: number
  readonly mtimeUs: number
}

export type FileRead =
  | {
      readonly skipped: null
      readonly text: string
      readonly language: string
      /** sha-256 of the bytes, in hex. */
      readonly hash: string
      readonly size: number
      readonly mtimeUs: number
    }
  /** `gone` is what is no longer there, or no longer a file. */
  | { readonly skipped: SkipReason | 'gone'; readonly size: number; readonly mtimeUs: number }

export interface FileScan {
  readonly signal?: AbortSignal
  /** What is wanted of it, beyond the ignore rules. */
  readonly scope?: ScanScope
  onSkip?(path: string, reason: string, isDirectory: boolean): void
}

/** `rescan` says that the project must be compared as a whole. A removed path may have been a folder, and be there again. */
export type FilesChanged =
  | { readonly rescan: true }
  | { readonly rescan: false; readonly changed: readonly string[]; readonly removed: readonly string[] }

export interface FilesWatch {
  readonly mode: 'events' | 'polling'
  close(): Promise<void>
}

/** The working tree of a project on this machine. */
export interface ProjectFiles {
  /** Rejects with `invalid_input` when the path is no folder that can be indexed. */
  find(path: string): Promise<FoundProject>
  /** Where a folder would be that `find` does not find, in the form in which `find` gives paths. */
  formerPath(path: string): Promise<string>
  /** Every file the ignore rules leave, in a stable order. */
  scan(path: string, options: FileScan): AsyncIterable<ProjectFile>
  /** One file of a project as it is now; undefined when it is none, `unreadable` when that cannot be told. */
  stat(root: string, path: string): Promise<ProjectFile | 'unreadable' | undefined>
  read(file: Pick<ProjectFile, 'path' | 'absolute'>): Promise<FileRead>
  /** Calls `onChange` one at a time; what happens meanwhile is gathered for the next call. */
  watch(path: string, onChange: (change: FilesChanged) => Promise<void>): Promise<FilesWatch>
}
