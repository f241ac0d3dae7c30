/** Resolves the project of a working directory. */
export interface ProjectResolver {
  /** A name shared by every clone of a project; undefined for a home or root directory. */
  nameOf(folder: string): Promise<string | undefined>
}
