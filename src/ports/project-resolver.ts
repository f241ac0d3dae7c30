/** Where someone works, by the folder they stand in. */
export interface ProjectResolver {
  /** A name that every clone of the same project has; undefined for a home or a root, which are no project. */
  nameOf(folder: string): Promise<string | undefined>
}
