/** How far the pages of an owner follow the journal. */
export interface PagePlace {
  readonly seq: number
  /** False until every object that was there before has its page. */
  readonly complete: boolean
}

/** A page by what it shows. */
export interface PageName {
  readonly type: string
  readonly id: string
}

/** Generated pages in a folder, each owner's apart. A page is there as a whole or not at all. */
export interface PageFolder {
  place(owner: string): Promise<PagePlace | undefined>
  setPlace(owner: string, place: PagePlace): Promise<void>
  write(owner: string, page: PageName, text: string): Promise<void>
  /** Whatever it shows. */
  remove(owner: string, id: string): Promise<void>
  /** Removes every page of these owners, or of all. */
  clear(owners: readonly string[] | 'everyone'): Promise<void>
  /** Names of the files that are there. */
  files(owner: string): Promise<ReadonlySet<string>>
  read(owner: string, page: PageName): Promise<string | undefined>
}
