import type { Fact } from '../facts/fact.js'
import { isCurrentStatus } from '../facts/validity.js'
import type { FolderPage } from './folder-pages.js'
import { type PageItem, shownHash, shownMark } from './markdown-page.js'

/** The fact that an item was written from. */
export interface EditBase {
  readonly version: number
  /** `shownMark` of its text. */
  readonly shown: string
}

/** What a person changed in a folder since it was written. */
export type FolderEdit =
  | { readonly kind: 'revise' | 'remove'; readonly id: string; readonly text: string; readonly base: EditBase; readonly page: FolderPage }
  /** An item with an id and without a base: its page lost its comment, or it was pasted. */
  | { readonly kind: 'unbased'; readonly id: string; readonly text: string; readonly page: FolderPage }
  | { readonly kind: 'add'; readonly text: string; readonly page: FolderPage }

interface ShownFact {
  readonly item: PageItem
  readonly page: FolderPage
}

/**
 * The edits of all pages of one owner. Pages are compared with the comments they were written with; `applied` holds newer
 * bases, of edits that were stored while their page was not rewritten yet. An item that moved to another page was not removed.
 */
export function findEdits(pages: readonly FolderPage[], applied: ReadonlyMap<string, EditBase>): readonly FolderEdit[] {
  const bases = new Map<string, { readonly base: EditBase; readonly page: FolderPage }>()
  const shown = new Map<string, ShownFact[]>()
  const edits: FolderEdit[] = []
  for (const page of pages) {
    for (const record of page.content.records) {
      if (!('fact' in record) || typeof record.fact.id !== 'string') continue
      const { id, version } = record.fact
      const written = { version: typeof version === 'number' ? version : 1, shown: record.shown }
      const known = bases.get(id)?.base
      if (known === undefined || known.version < written.version) bases.set(id, { base: newer(written, applied.get(id)), page })
    }
    for (const item of page.content.items) {
      if (item.id === undefined) {
        if (item.text.trim() !== '') edits.push({ kind: 'add', text: item.text, page })
        continue
      }
      const known = shown.get(item.id)
      if (known === undefined) shown.set(item.id, [{ item, page }])
      else known.push({ item, page })
    }
  }
  for (const [id, { base, page }] of bases) {
    const items = (shown.get(id) ?? []).filter(({ item }) => item.text.trim() !== '')
    const edited = items.filter(({ item }) => shownHash(item.text) !== base.shown)
    const [first] = edited
    if (items.length === 0) edits.push({ kind: 'remove', id, text: '', base, page })
    else if (first !== undefined) {
      // A copy that was edited next to the unchanged item is a new one.
      const revises = edited.length === items.length
      if (revises) edits.push({ kind: 'revise', id, text: first.item.text, base, page: first.page })
      for (const copy of revises ? edited.slice(1) : edited) edits.push({ kind: 'add', text: copy.item.text, page: copy.page })
    }
  }
  for (const [id, items] of shown)
    if (!bases.has(id)) for (const { item, page } of items) edits.push({ kind: 'unbased', id, text: item.text, page })
  return edits
}

const newer = (written: EditBase, applied: EditBase | undefined): EditBase =>
  applied !== undefined && applied.version > written.version ? applied : written

/** Effect of an edit of a stored fact. A conflict leaves the fact unchanged and is listed for review. */
type EditResolution = 'none' | 'apply' | 'conflict'

/** Compares an edit with the fact as it is stored now; `text` is the text of the edit as it would be stored. */
export function resolveEdit(edit: Exclude<FolderEdit, { kind: 'add' }>, text: string, stored: Fact | undefined): EditResolution {
  const says = stored === undefined ? undefined : shownMark(stored)
  if (edit.kind === 'remove') {
    if (stored === undefined || !isCurrentStatus(stored.status)) return 'none'
    return stored.version === edit.base.version || says === edit.base.shown ? 'apply' : 'conflict'
  }
  if (stored !== undefined && (stored.text === text || says === shownHash(text))) return 'none'
  if (stored === undefined || edit.kind === 'unbased') return 'conflict'
  if (stored.version === edit.base.version) return 'apply'
  // Another field was changed, such as its importance: both changes hold.
  return says === edit.base.shown && isCurrentStatus(stored.status) ? 'apply' : 'conflict'
}
