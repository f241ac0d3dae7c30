import type { Fact } from '../../../core/facts/fact.js'
import { MemoryError } from '../../../errors.js'
import type { OwnedName } from '../links/backfill-mentions.js'
import { addNameUse, removeNameUse } from '../links/links.js'
import type { Plan } from '../plan/plan.js'

/** Links are written after all rows of a commit, so that facts stored together find each other. */
export interface DeferredLinks {
  /** By fact id. */
  readonly facts: Map<string, { readonly rid: number; readonly fact: Fact }>
  /** Facts that may refer to others, with their previous state. */
  readonly fields: Map<string, { readonly fact: Fact; readonly before: Fact | undefined }>
  /** Change in the number of facts per author. */
  readonly authors: Map<string, { readonly owner: string; readonly author: string; readonly uses: number }>
  readonly names: Map<string, OwnedName>
  /** Names that are no longer used. */
  readonly dropped: Map<string, OwnedName>
  /** Skipped statements, with the existing fact that asserts the same. */
  readonly repeats: Map<string, string>
}

export const conflict = (what: string): MemoryError =>
  new MemoryError('conflict', `${what} was modified by another writer; nothing was stored.`, { hint: 'Read it again and retry.' })

type VersionedRow = { readonly owner: string; readonly version: number }

/** A creation requires no stored row, a replacement the preceding version of the same owner. */
export function checkVersion(what: string, stored: VersionedRow | undefined, put: VersionedRow, imported: boolean): void {
  const follows =
    stored === undefined ? imported || put.version === 1 : !imported && put.version === stored.version + 1 && put.owner === stored.owner
  if (!follows) throw conflict(what)
}

export function* changeSubject(before: string | null, after: string | null, owner: string, pending: DeferredLinks): Plan<void> {
  if (before === after) return
  if (before !== null) yield* forgetName(owner, before, pending)
  if (after !== null && (yield* addNameUse(owner, after))) pending.names.set(`${owner}\0${after}`, { owner, name: after })
}

export function* forgetName(owner: string, name: string, pending: DeferredLinks): Plan<void> {
  if (yield* removeNameUse(owner, name)) pending.dropped.set(`${owner}\0${name}`, { owner, name })
}

export function countAuthor(owner: string, author: Fact['author'], uses: 1 | -1, { authors }: DeferredLinks): void {
  if (author === null) return
  const key = `${owner}\0${author}`
  authors.set(key, { owner, author, uses: uses + (authors.get(key)?.uses ?? 0) })
}
