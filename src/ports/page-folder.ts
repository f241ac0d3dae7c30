/** Progress of an owner's pages through the journal. */
export interface PagePlace {
  readonly seq: number
  /** False until every object that existed before has its page. */
  readonly complete: boolean
}

/** A page by the object it shows. */
export interface PageName {
  readonly type: string
  readonly id: string
}

/** Generated pages in a folder per owner. A page is written completely or not at all. */
export interface PageFolder {
  place(owner: string): Promise<PagePlace | undefined>
  setPlace(owner: string, place: PagePlace): Promise<void>
  write(owner: string, page: PageName, text: string): Promise<void>
  /** Removes the pages of an object. */
  remove(owner: string, id: string): Promise<void>
  /** Removes every page of these owners, or of all. */
  clear(owners: readonly string[] | 'everyone'): Promise<void>
  /** Names of existing files. */
  files(owner: string): Promise<ReadonlySet<string>>
  read(owner: string, page: PageName): Promise<string | undefined>
}
