import type { Fact } from '../../core/facts/fact.js'
import { isCurrentStatus, withStatus } from '../../core/facts/validity.js'
import { checkText } from '../../core/input/input.js'
import { type EditBase, type FolderEdit, findEdits, resolveEdit } from '../../core/transfer/folder-edits.js'
import { type FolderPage, ownerPages } from '../../core/transfer/folder-pages.js'
import { shownMark } from '../../core/transfer/markdown-page.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { checkNewFact, toFact } from '../facts/remember.js'
import { findFact, retryOnConflict, revise } from '../facts/revise.js'
import { toMaskedText } from '../masking.js'
import { toLastingId } from './items.js'

const MAX_AUTHOR_CHARS = 200
/** How often an edit is compared with the store again after another writer was faster. */
const MAX_ATTEMPTS = 5

/** Latest version written by an edit, by fact, for pages that were not rewritten since. */
export type AppliedEdits = Map<string, EditBase>

export interface EditReport {
  added: number
  revised: number
  ended: number
  /** Edits of what was changed in the memory as well: they wait in the review. */
  conflicts: number
  /** Edits that cannot be stored, and why. */
  readonly refused: { readonly page: string; readonly problem: string }[]
}

const emptyReport = (): EditReport => ({ added: 0, revised: 0, ended: 0, conflicts: 0, refused: [] })

interface EditState {
  readonly author: string
  readonly owner: string
  readonly applied: AppliedEdits
  readonly report: EditReport
}

/** Stores what a person changed in the pages of a folder, as versions with that person as author. */
export async function applyFolderEdits(
  env: Environment,
  pages: readonly FolderPage[],
  { author, applied, signal }: { readonly author: string; readonly applied: AppliedEdits; readonly signal: AbortSignal },
): Promise<EditReport> {
  const report = emptyReport()
  for (const [owner, own] of ownerPages(pages)) {
    const editing = { owner, applied, report, author: author.slice(0, MAX_AUTHOR_CHARS) }
    for (const edit of findEdits(own, applied)) {
      signal.throwIfAborted()
      try {
        if (edit.kind === 'add') await addItem(env, editing, edit.text, edit.page, {})
        else await applyEdit(env, editing, edit)
      } catch (failure) {
        if (!(failure instanceof MemoryError) || (failure.code !== 'invalid_input' && failure.code !== 'too_large')) throw failure
        report.refused.push({ page: edit.page.path, problem: failure.message })
      }
    }
  }
  return report
}

async function applyEdit(env: Environment, editing: EditState, edit: Exclude<FolderEdit, { kind: 'add' }>): Promise<void> {
  const { owner, author, applied, report } = editing
  const text = toMaskedText(env, edit.text)
  for (let attempt = 1; ; attempt++) {
    const stored = await findFact(env, edit.id, owner)
    const resolution = resolveEdit(edit, text, stored)
    if (resolution === 'none') return
    if (resolution === 'conflict') return reportConflict(env, editing, edit, stored)
    if (stored === undefined) return
    if (edit.kind !== 'remove') checkText(text, 'text', env.settings.maxContentBytes)
    try {
      const made = await revise(env, author, {
        ...{
          id: edit.id,
          owner,
          ifVersion: stored.version,
          reason: `${edit.kind === 'remove' ? 'removed from' : 'edited in'} ${edit.page.path}`,
        },
        change: (fact, now) => (edit.kind === 'remove' ? withStatus(fact, 'outdated', now) : { ...fact, text, author }),
      })
      if (made !== undefined) applied.set(edit.id, { version: made.version, shown: shownMark(made) })
      report[edit.kind === 'remove' ? 'ended' : 'revised']++
      return
    } catch (failure) {
      if (!(failure instanceof MemoryError) || failure.code !== 'conflict' || attempt === MAX_ATTEMPTS) throw failure
    }
  }
}

/** Neither side is overwritten: the text of the person becomes a candidate, and a fact that was removed becomes one itself. */
async function reportConflict(
  env: Environment,
  editing: EditState,
  edit: Exclude<FolderEdit, { kind: 'add' }>,
  stored: Fact | undefined,
): Promise<void> {
  const { owner, author, report } = editing
  if (edit.kind !== 'remove') {
    const isNew = await addItem(env, editing, edit.text, edit.page, { conflictsWith: edit.id })
    if (isNew) report.conflicts++
    return
  }
  if (stored === undefined || stored.status === 'candidate') return
  await revise(env, author, {
    ...{ id: edit.id, owner, reason: `removed from ${edit.page.path}, and changed in the memory as well` },
    change: (fact, now) => (isCurrentStatus(fact.status) ? withStatus(fact, 'candidate', now) : undefined),
  })
  report.conflicts++
}

/** Stores an item that has no fact. The id follows from page and text, so that the same edit is stored once. */
async function addItem(
  env: Environment,
  { owner, author, report }: EditState,
  text: string,
  page: FolderPage,
  { conflictsWith }: { readonly conflictsWith?: string },
): Promise<boolean> {
  const reason = conflictsWith === undefined ? `added in ${page.path}` : `edited in ${page.path}, and changed in the memory as well`
  const input = {
    ...{ text, owner, author, reason, source: 'folder', subject: page.subject, metadata: { folder: { page: page.path } } },
    ...(conflictsWith === undefined
      ? {}
      : { status: 'candidate' as const, metadata: { folder: { page: page.path, conflicts_with: conflictsWith } } }),
  }
  checkNewFact(env, input)
  const masked = toMaskedText(env, text)
  return retryOnConflict(async () => {
    for (let nth = 0; ; nth++) {
      const id = toLastingId(`folder\0${owner}\0${conflictsWith ?? page.path}\0${text}\0${nth}`)
      const [known] = await env.store.facts([id])
      if (known !== undefined && known.text === masked && isCurrentStatus(known.status)) return false
      if (known !== undefined) continue
      await env.store.commit({ actor: author, owners: [owner] }, (now) => [
        { op: 'fact.put', fact: { ...toFact(env, input, now, { actor: author, connection: null }), id }, reason },
      ])
      await env.embedding.now([id])
      if (conflictsWith === undefined) report.added++
      return true
    }
  })
}
