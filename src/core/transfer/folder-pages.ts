import type { ParsedPage } from './markdown-page.js'

/** A page of a watched folder as it was read. */
export interface FolderPage {
  readonly path: string
  readonly owner: string
  /** Name of the entity the page is about, for items that were added. */
  readonly subject: string | undefined
  readonly content: ParsedPage
}

export function ownerPages(pages: readonly FolderPage[]): ReadonlyMap<string, readonly FolderPage[]> {
  const found = new Map<string, FolderPage[]>()
  for (const page of pages) {
    const own = found.get(page.owner)
    if (own === undefined) found.set(page.owner, [page])
    else own.push(page)
  }
  return found
}
