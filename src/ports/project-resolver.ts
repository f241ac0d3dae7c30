export interface ResolvedProject {
  /** The root of the repository, or the folder itself. */
  readonly root: string
  /** The remote of the repository, which any folder may claim; undefined without one. */
  readonly remote: string | undefined
}

/** Resolves the project of a working directory. */
export interface ProjectResolver {
  /** The project of a working directory; undefined for a home or root directory. */
  projectOf(folder: string): Promise<ResolvedProject | undefined>
}
