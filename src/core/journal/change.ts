import { MemoryError } from '../../errors.js'
import type { AccessFilter } from '../access/access-filter.js'
import type { ControlRecord, ControlRecordKind } from '../access/control-record.js'
import type { JsonObject } from '../encoding/json.js'
import type { Fact, Instant } from '../facts/fact.js'
import type { Passage, Source } from '../facts/source.js'
import type { Edge, NodeKind } from '../graph/edge.js'
import type { Entity } from '../graph/entity.js'

/**
 * Every mutation there is. A store applies a list of them, with their journal entries and index rows, in one
 * transaction or not at all. A `put` whose version is 1 creates; any other replaces the version before it, unless it is
 * `imported`: then it creates whatever its version.
 */
export type Change =
  | {
      readonly op: 'fact.put'
      readonly fact: Fact
      readonly imported?: true
      /** Left out where its source says the same already; the receipt names that fact. */
      readonly once?: true
      readonly reason?: string
      /** The current facts of the same claim that this was decided upon; where others are current, or other versions, it is a conflict. */
      readonly claimants?: Claimants
    }
  | { readonly op: 'fact.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  | { readonly op: 'entity.put'; readonly entity: Entity; readonly imported?: true; readonly reason?: string }
  | { readonly op: 'entity.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  | { readonly op: 'edge.put'; readonly edge: Edge; readonly imported?: true; readonly reason?: string }
  | { readonly op: 'edge.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  | { readonly op: 'source.put'; readonly source: Source; readonly files?: readonly FileChange[]; readonly reason?: string }
  | { readonly op: 'source.delete'; readonly id: string; readonly owner: string; readonly reason?: string }
  /** `digest` stands for a secret that only who was given it knows; it goes into no entry of the journal. */
  | { readonly op: 'arrangement.put'; readonly arrangement: ControlRecord; readonly digest?: string; readonly reason?: string }
  | {
      readonly op: 'arrangement.delete'
      readonly kind: ControlRecordKind
      readonly id: string
      readonly owner: string
      readonly reason?: string
    }
  /** Someone was refused: changes nothing, and is kept. */
  | { readonly op: 'denial'; readonly owner: string; readonly who: string; readonly reason?: string }
  /** Everything of one owner, or of all owners when null; the journal keeps only that it happened. */
  | { readonly op: 'reset'; readonly owner: string | null; readonly reason?: string }

/** Facts that were looked at, of all that whoever decided could see. */
export interface Claimants {
  readonly seen: readonly { readonly id: string; readonly version: number }[]
  readonly reach?: AccessFilter
}

/** Ids of what some changes are about. */
export const touchedBy = (changes: readonly Change[]): readonly string[] =>
  changes.flatMap((change) => {
    if (change.op === 'fact.put') return [change.fact.id]
    if (change.op === 'entity.put') return [change.entity.id]
    if (change.op === 'source.put') return [change.source.id]
    return change.op === 'fact.delete' || change.op === 'entity.delete' || change.op === 'source.delete' ? [change.id] : []
  })

/**
 * The passages of one file of a source, replaced as a whole; no passages and `gone` removes the file. A passage that says
 * the same as one before keeps that one's id and vector.
 */
export interface FileChange {
  readonly path: string
  readonly size: number
  readonly modifiedAt: Instant
  readonly hash: string
  readonly gone: boolean
  /** Only size and time are new: the passages stay as they are. */
  readonly kept?: true
  /** Why the file has no passages, so that it is not read again before it changes. */
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

/** Whose memory a change is about; null is everyone's. */
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

/** What a change puts, whatever it is. */
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

/** Some databases take no text with NUL in it, so none does; inside of JSON it is written otherwise and harms nobody. */
export function checkTexts(changes: readonly Change[]): void {
  for (const change of changes) {
    const members: Readonly<Record<string, unknown>> = { ...nounOf(change) }
    for (const name in members) {
      const value = members[name]
      if (typeof value === 'string' && value.includes(NUL))
        throw new MemoryError('invalid_input', `Invalid ${name}: must not contain NUL characters`, {
          hint: 'Take them out; nothing was stored.',
        })
    }
  }
}

/** Whose memory a commit may change: those named, or all there are. */
export type CommitOwners = readonly string[] | 'everyone'

/** A commit locks and numbers by the owners it names: a change of another's would be neither. */
export function checkOwners(changes: readonly Change[], owners: CommitOwners): void {
  if (owners === 'everyone') return
  for (const change of changes) {
    const owner = ownerOf(change)
    if (owner === null || !owners.includes(owner))
      throw new MemoryError('internal', `A commit for ${owners.join(', ') || 'nobody'} changes what belongs to ${owner ?? 'everyone'}.`)
  }
}

/** One line of the journal. */
export interface JournalEntry {
  /** Grows within an owner: an entry is named by owner and number. */
  readonly seq: number
  /** The same for all entries of one commit. */
  readonly commit: string
  /** Grows within an owner as well, and can be compared between owners and stores. */
  readonly hlc: string
  readonly at: Instant
  readonly owner: string
  readonly actor: string
  readonly op: Change['op']
  readonly targetKind: NodeKind | ControlRecordKind | 'edge' | 'store' | 'door'
  readonly target: string
  /** Null for a creation, and for anything whose target was deleted since. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly reason: string | null
}

/** Whether an entry has lost its contents for its age. It then looks like the creation of something, which it need not be. */
export const isTrimmed = ({ seq, op, before, after }: JournalEntry, trimmed: number): boolean =>
  seq <= trimmed && op.endsWith('.put') && before === null && after === null
