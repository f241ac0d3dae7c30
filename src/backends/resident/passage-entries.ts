import type { ProjectWords } from './project-words.js'

/** What filters ask about a passage. */
export interface Entry {
  readonly project: Project
  readonly source: number
  readonly path: string
  readonly language: string | null
  readonly kind: string
}

/** A source whose passages are held. */
export interface Project {
  readonly number: number
  /** Of the source; empty until its row is read. */
  kind: string
  owner: string
  /** The version of the source whose files are all here. */
  revision: number
  readonly files: Map<string, Set<number>>
  readonly words: ProjectWords
}

/** A pool in the numbers of this index. */
export interface Filter {
  /** The one project, where it is only one. */
  readonly owner: number | undefined
  /** Whose words count, and whether these are all there are. */
  readonly projects: readonly Project[]
  readonly isAll: boolean
  accept(rid: number): boolean
}

export const fileOf = (entry: Entry | undefined): string => (entry === undefined ? '' : `${entry.source}/${entry.path}`)
