import { MemoryError } from '../../errors.js'
import type { AccessFilter } from '../access/access-filter.js'
import type { ControlRecord, ControlRecordKind } from '../access/control-record.js'
import type { JsonObject } from '../encoding/json.js'
import type { Fact, Instant } from '../facts/fact.js'
import type { Passage, Source } from '../facts/source.js'
import type { Edge, NodeKind } from '../graph/edge.js'
import type { Entity } from '../graph/entity.js'

/**
 * Every mutation. A store applies a list of them, with journal entries and index rows, in one transaction or not at all. A `put` with
 * version 1 creates; any other replaces the previous version, unless it is `imported`: then it creates with its own version.
 */
export type Change =
  | {
      readonly op: 'fact.put'
      readonly fact: Fact
      readonly imported?: true
      /** Skipped if its source asserted the same already; the receipt names that fact. */
      readonly once?: true
      readonly reason?: string
      /** Current facts of the same claim on which the decision was based; other facts or versions are a conflict. */
      readonly claimants?: Claimants
    }
  | { readonly op: 'fact.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  | { readonly op: 'entity.put'; readonly entity: Entity; readonly imported?: true; readonly reason?: string }
  | { readonly op: 'entity.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  | { readonly op: 'edge.put'; readonly edge: Edge; readonly imported?: true; readonly reason?: string }
  | { readonly op: 'edge.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  | { readonly op: 'source.put'; readonly source: Source; readonly files?: readonly FileChange[]; readonly reason?: string }
  | { readonly op: 'source.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  /** `digest` is the digest of a secret; no journal entry contains it. */
  | { readonly op: 'arrangement.put'; readonly arrangement: ControlRecord; readonly digest?: string; readonly reason?: string }
  | {
      readonly op: 'arrangement.delete'
      readonly kind: ControlRecordKind
      readonly id: string
      readonly owner: string
      readonly reason?: string
    }
  /** A rejected access: changes nothing, and is journalled. */
  | { readonly op: 'denial'; readonly owner: string; readonly who: string; readonly reason?: string }
  /** Deletes everything of one owner, or of all owners if null; the journal keeps only the entry itself. */
  | { readonly op: 'reset'; readonly owner: string | null; readonly reason?: string }

/** Facts that a decision was based on, among those its caller may read. */
export interface Claimants {
  readonly seen: readonly { readonly id: string; readonly version: number }[]
  readonly reach?: AccessFilter
}

/** Ids that changes refer to. */
export const touchedBy = (changes: readonly Change[]): readonly string[] =>
  changes.flatMap((change) => {
    if (change.op === 'fact.put') return [change.fact.id]
    if (change.op === 'entity.put') return [change.entity.id]
    if (change.op === 'source.put') return [change.source.id]
    return change.op === 'fact.delete' || change.op === 'entity.delete' || change.op === 'source.delete' ? [change.id] : []
  })

/**
 * Replaces the passages of one file of a source; no passages and `gone` removes the file. A passage with unchanged text keeps its id and
 * vector.
 */
export interface FileChange {
  readonly path: string
  readonly size: number
  readonly modifiedAt: Instant
  readonly hash: string
  readonly gone: boolean
  /** Only size and time are new; the passages stay. */
  readonly kept?: true
  /** Why the file has no passages; it is not read again until it changes. */
  readonly skipped?: string
  readonly passages: readonly Passage[]
  readonly references: readonly CodeReference[]
}

export const REFERENCE_KINDS = ['defines', 'calls', 'imports', 'inherits', 'references'] as const

/** A name defined or used in a file; a use is resolved to a definition in the same source. */
export interface CodeReference {
  /** Ordinal of the passage that holds the name. */
  readonly ordinal: number
  readonly kind: (typeof REFERENCE_KINDS)[number]
  readonly name: string
  /** For imports: the module specifier as written. */
  readonly module: string | null
}

/** The owner of a change; null for all owners. */
export function ownerOf(change: Change): string | null {
  switch (change.op) {
    case 'fact.put':
      return change.fact.owner
    case 'entity.put':
      return change.entity.owner
    case 'edge.put':
      return change.edge.owner
    case 'source.put':
      return change.source.owner
    case 'arrangement.put':
      return change.arrangement.owner
    default:
      return change.owner
  }
}

/** The object of a change. */
function nounOf(change: Change): object {
  switch (change.op) {
    case 'fact.put':
      return change.fact
    case 'entity.put':
      return change.entity
    case 'edge.put':
      return change.edge
    case 'source.put':
      return change.source
    default:
      return change
  }
}

const NUL = '\0'

/** Some databases reject NUL in text, so all do. In JSON it is escaped and allowed. */
export function checkTexts(changes: readonly Change[]): void {
  for (const change of changes) {
    const members: Readonly<Record<string, unknown>> = { ...nounOf(change) }
    for (const name in members) {
      const value = members[name]
      if (typeof value === 'string' && value.includes(NUL))
        throw new MemoryError('invalid_input', `Invalid ${name}: must not contain NUL characters`, {
          hint: 'Remove them; nothing was stored.',
        })
    }
  }
}

/** Owners that a commit may change. */
export type CommitOwners = readonly string[] | 'everyone'

/** A commit locks and numbers the owners it names; a change of another owner would bypass both. */
export function checkOwners(changes: readonly Change[], owners: CommitOwners): void {
  if (owners === 'everyone') return
  for (const change of changes) {
    const owner = ownerOf(change)
    if (owner === null || !owners.includes(owner))
      throw new MemoryError('internal', `A commit for ${owners.join(', ') || 'no owner'} contains a change of ${owner ?? 'all owners'}.`)
  }
}

/** One entry of the journal. */
export interface JournalEntry {
  /** Increases within an owner; owner and number identify an entry. */
  readonly seq: number
  /** Shared by all entries of one commit. */
  readonly commit: string
  /** Increases within an owner, and is comparable between owners and stores. */
  readonly hlc: string
  readonly at: Instant
  readonly owner: string
  readonly actor: string
  readonly op: Change['op']
  readonly targetKind: NodeKind | ControlRecordKind | 'edge' | 'store' | 'door'
  readonly target: string
  /** Null for a creation, and if the target was deleted since. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly reason: string | null
}

/** Whether an entry has lost its contents for its age. It then looks like the creation of something, which it need not be. */
export const isTrimmed = ({ seq, op, before, after }: Pick<JournalEntry, 'seq' | 'op' | 'before' | 'after'>, trimmed: number): boolean =>
  seq <= trimmed && op.endsWith('.put') && before === null && after === null
