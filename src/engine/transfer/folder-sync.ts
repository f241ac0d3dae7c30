import { setTimeout as delay } from 'node:timers/promises'
import { findEdits } from '../../core/transfer/folder-edits.js'
import { type FolderPage, ownerPages } from '../../core/transfer/folder-pages.js'
import type { FolderSnapshot, MarkdownFolder, WrittenFolder } from '../../ports/markdown-folder.js'
import type { Context } from '../context.js'
import type { ExportSelection } from './export-selection.js'
import { type AppliedEdits, applyFolderEdits, type EditReport } from './folder-edits.js'
import { markdownFiles } from './markdown-pages.js'

/** How often folder and journal are looked at. A page is read once it was the same twice, as editors write in several steps. */
const POLL_MS = 500
/** Share of the time that is spent with looking and writing in a large memory. */
const REST_FACTOR = 4

export interface FolderSync extends EditReport, WrittenFolder {
  /** Files of the folder that are no pages of an export. */
  readonly unread: number
}

export interface FolderSyncOptions {
  readonly selection: ExportSelection
  /** Who edits the pages; undefined writes pages only, and keeps edited ones aside. */
  readonly author: string | undefined
}

/** One comparison of folder and memory in both directions: edits of pages are stored, then pages are written where they differ. */
export async function syncFolder(
  context: Context,
  folder: MarkdownFolder,
  applied: AppliedEdits,
  { selection, author }: FolderSyncOptions,
): Promise<FolderSync> {
  const { signal } = context
  const snapshot = await folder.read()
  const { owner } = selection
  const pages = owner === undefined ? snapshot.pages : snapshot.pages.filter((page) => page.owner === owner)
  const report: EditReport = author === undefined ? noEdits() : await applyFolderEdits(context, pages, { author, applied, signal })
  const lost = author === undefined ? editedPages(pages) : new Set(report.refused.map(({ page }) => page))
  const written = await folder.write(markdownFiles(context, selection), signal, keeping(snapshot, lost))
  if (written.left === 0) applied.clear()
  return { ...report, ...written, unread: countUnread(snapshot) }
}

/** Pages with edits that are not stored. */
const editedPages = (pages: readonly FolderPage[]): ReadonlySet<string> =>
  new Set([...ownerPages(pages).values()].flatMap((own) => findEdits(own, new Map()).map(({ page }) => page.path)))

/** The snapshot with more pages that are kept before they are rewritten. */
const keeping = (snapshot: FolderSnapshot, paths: ReadonlySet<string>): FolderSnapshot => ({
  ...snapshot,
  pages: snapshot.pages.map((page) => (paths.has(page.path) ? { ...page, content: { ...page.content, restEdited: true } } : page)),
})

const noEdits = (): EditReport => ({ added: 0, revised: 0, ended: 0, conflicts: 0, refused: [] })
const countUnread = ({ unread }: FolderSnapshot): number => unread.length

/** Keeps folder and memory in step until the call ends. Yields each comparison that changed something, and the first. */
export async function* followFolder(context: Context, path: string, options: FolderSyncOptions): AsyncGenerator<FolderSync> {
  const { signal } = context
  const folder = await context.imports.markdownFolder(path)
  const applied: AppliedEdits = new Map()
  let seen = ''
  let done: { readonly pages: string; readonly journal: string } | undefined
  while (!signal.aborted) {
    const began = performance.now()
    const pages = await folder.fingerprint()
    const journal = await newestEntry(context)
    const isDue = done === undefined || done.journal !== journal || done.pages !== pages
    if (isDue && (pages === seen || done === undefined)) {
      const sync = await syncFolder(context, folder, applied, options).catch((failure: unknown) => {
        if (!signal.aborted) throw failure
      })
      if (sync === undefined) return
      const isFirst = done === undefined
      // Own changes of both sides are looked at once more; then nothing is different.
      done = { pages, journal }
      if (isFirst || hasChanges(sync)) yield sync
    }
    seen = pages
    await delay(Math.max(POLL_MS, (performance.now() - began) * REST_FACTOR), undefined, { signal }).catch(() => undefined)
  }
}

const hasChanges = (sync: FolderSync): boolean =>
  sync.added + sync.revised + sync.ended + sync.conflicts + sync.refused.length + sync.written + sync.removed > 0

async function newestEntry({ store }: Context): Promise<string> {
  const [newest] = await store.journal({ newestFirst: true, limit: 1 })
  return newest === undefined ? '' : `${newest.seq}.${newest.hlc}`
}
