import type { ScanScope } from '../core/evidence/scan-scope.js'
import type { SkipReason } from '../core/files/skipped-files.js'

/** A folder that may be indexed, and its name. */
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
      /** SHA-256 of the bytes, in hex. */
      readonly hash: string
      readonly size: number
      readonly mtimeUs: number
    }
  /** `gone`: absent, or not a file any more. */
  | { readonly skipped: SkipReason | 'gone'; readonly size: number; readonly mtimeUs: number }

interface FileScan {
  readonly signal?: AbortSignal
  /** What to read of it, in addition to the ignore rules. */
  readonly scope?: ScanScope
  onSkip?(path: string, reason: string, isDirectory: boolean): void
}

/** `rescan` requires a complete comparison. A removed path may have been a folder, and may exist again. */
export type FilesChanged =
  | { readonly rescan: true }
  | { readonly rescan: false; readonly changed: readonly string[]; readonly removed: readonly string[] }

export interface FilesWatch {
  readonly mode: 'events' | 'polling'
  close(): Promise<void>
}

/** The working tree of a project on this machine. */
export interface ProjectFiles {
  /**
   * Rejects with `invalid_input` if the path is not a folder that can be indexed. A path `named` by a caller must also be below
   * the allowed roots, otherwise it is rejected with `forbidden`.
   */
  find(path: string, options?: { readonly named?: boolean }): Promise<FoundProject>
  /** The canonical form of a path that does not exist any more. */
  formerPath(path: string): Promise<string>
  /** Every file not excluded by ignore rules, in a stable order. */
  scan(path: string, options: FileScan): AsyncIterable<ProjectFile>
  /** One file of a project; undefined if it is not a file, `unreadable` if that cannot be determined. */
  stat(root: string, path: string): Promise<ProjectFile | 'unreadable' | undefined>
  read(file: Pick<ProjectFile, 'path' | 'absolute'>): Promise<FileRead>
  /** Calls `onChange` one at a time; changes in between are collected for the next call. */
  watch(path: string, onChange: (change: FilesChanged) => Promise<void>): Promise<FilesWatch>
}
