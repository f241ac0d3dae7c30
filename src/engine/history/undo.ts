import type { JsonObject } from '../../core/encoding/json.js'
import type { Fact } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { type Change, isTrimmed, type JournalEntry } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { factSchema } from '../facts/fact-schema.js'
import { retryOnConflict } from '../facts/revise.js'
import { edgeSchema, entitySchema, sourceSchema } from '../transfer/lines.js'

interface UndoResult {
  readonly undone: number
  /** Not undone: changed again, deleted, or without a previous state in the journal. */
  readonly skipped: readonly string[]
}

const PAGE_SIZE = 2000
/** Larger runs are undone in several commits, newest changes first. */
const MAX_COMMIT_CHANGES = 4000

/** Undoes all changes of one actor, such as a job run or an import. */
export async function undoActor(env: Environment, actor: string, run: string): Promise<UndoResult> {
  const found = new Map<string, TouchedTarget>()
  for (let beyond: JournalEntry | undefined; ; ) {
    const entries: readonly JournalEntry[] = await env.graph.journalOf(run, PAGE_SIZE, beyond)
    touch(found, entries)
    beyond = entries[entries.length - 1]
    if (beyond === undefined || entries.length < PAGE_SIZE) break
  }
  if (found.size === 0) throw new MemoryError('not_found', `Nothing was done by "${run}".`, { hint: '`mneme history` shows who did what.' })
  const targets = [...found]
  const result = { undone: 0, skipped: [] as string[] }
  for (let i = 0; i < targets.length; i += MAX_COMMIT_CHANGES) {
    const part = await undo(env, actor, targets.slice(i, i + MAX_COMMIT_CHANGES), run)
    result.undone += part.undone
    result.skipped.push(...part.skipped)
  }
  return result
}

/** Changes are numbered per owner; the owner may be omitted if all changes share one numbering. */
export async function undoChange(env: Environment, actor: string, seq: number, owner?: string): Promise<UndoResult> {
  const [entry] = await env.store.journal({ ...(owner === undefined ? {} : { owner }), after: seq - 1, before: seq + 1, limit: 1 })
  if (entry === undefined) throw new MemoryError('not_found', `There is no change ${seq}.`, { hint: '`mneme history` lists the changes.' })
  if (isTrimmed(entry, await env.store.journalTrimmed()))
    throw new MemoryError('conflict', `Change ${seq} cannot be undone: what it changed was dropped for its age.`, {
      hint: '`--journal-days` sets how long the journal keeps that.',
    })
  return undoEntries(env, actor, [entry], `change ${seq}`)
}

/** Undoes changes in one commit. */
export function undoEntries(env: Environment, actor: string, entries: readonly JournalEntry[], what: string): Promise<UndoResult> {
  return undo(env, actor, [...touch(new Map(), entries)], what)
}

/** The newest and the oldest change of one target. */
interface TouchedTarget {
  readonly newest: Touch
  oldest: Touch
}

/** The part of an entry that undo needs, because a run may have hundreds of thousands. */
interface Touch extends Pick<JournalEntry, 'seq' | 'hlc' | 'op' | 'owner' | 'before'> {
  /** The resulting state as JSON, because text takes a fraction of the memory of an object. */
  readonly after: string | null
}

/** Adds entries to their targets, newest first. */
function touch(found: Map<string, TouchedTarget>, entries: readonly JournalEntry[]): Map<string, TouchedTarget> {
  for (const entry of [...entries].sort((a, b) => (a.hlc < b.hlc ? 1 : -1))) {
    const { seq, hlc, op, owner, before, after } = entry
    const recorded: Touch = { seq, hlc, op, owner, before, after: after === null ? null : JSON.stringify(after) }
    const known = found.get(entry.target)
    if (known === undefined) found.set(entry.target, { newest: recorded, oldest: recorded })
    else known.oldest = recorded
  }
  return found
}

/** Restores the state before these changes in one commit. Undoing is a change like any other. */
function undo(env: Environment, actor: string, targets: readonly (readonly [string, TouchedTarget])[], what: string): Promise<UndoResult> {
  const reason = `undo of ${what}`
  return retryOnConflict(async () => {
    const skipped: string[] = []
    const plans: ((at: number) => Change)[] = []
    const trimmed = await env.store.journalTrimmed()
    const stored = await storedTargets(env, targets)
    for (const [target, { newest, oldest }] of targets) {
      const isGone = isTrimmed({ ...oldest, after: leftBy(oldest) }, trimmed)
      const plan = isGone ? undefined : restoration(stored, target, newest, oldest, reason)
      if (plan === undefined) skipped.push(target)
      else plans.push(plan)
    }
    const owners = [...new Set(targets.map(([, { newest }]) => newest.owner))]
    if (plans.length > 0) await env.store.commit({ actor, owners }, (now) => plans.map((plan) => plan(now)))
    return { undone: plans.length, skipped }
  })
}

interface StoredTargets {
  readonly facts: ReadonlyMap<string, Fact>
  readonly entities: ReadonlyMap<string, Entity>
  readonly edges: ReadonlyMap<string, Edge>
  readonly sources: ReadonlyMap<string, Source>
}

/** The current state of the targets. */
async function storedTargets({ store }: Environment, targets: readonly (readonly [string, TouchedTarget])[]): Promise<StoredTargets> {
  const targetsOf = (op: JournalEntry['op']): readonly string[] => targets.flatMap(([id, { newest }]) => (newest.op === op ? [id] : []))
  const byId = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> => new Map(rows.map((row) => [row.id, row]))
  return {
    facts: byId(await store.facts(targetsOf('fact.put'))),
    entities: byId(await store.entities(targetsOf('entity.put'))),
    edges: byId(await store.edgesById(targetsOf('edge.put'))),
    sources: byId(await store.sources(targetsOf('source.put'))),
  }
}

function restoration(
  stored: StoredTargets,
  id: string,
  newest: Touch,
  oldest: Touch,
  reason: string,
): ((now: number) => Change) | undefined {
  const after = leftBy(newest)
  if (after === null) return undefined
  const { before } = oldest
  switch (newest.op) {
    case 'fact.put': {
      const fact = stored.facts.get(id)
      if (fact === undefined || !isAsLeft(fact, after)) return undefined
      if (before === null) return () => ({ op: 'fact.delete', id, owner: fact.owner, reason })
      // Keeps the mark of a comparison, so that a separated pair is not compared again.
      const compared = fact.dedupAt !== null
      return (now) => ({
        op: 'fact.put',
        fact: factSchema.parse({
          ...restored(fact, before),
          updatedAt: now,
          ...(compared ? { dedupAt: now } : {}),
          version: fact.version + 1,
        }),
        reason,
      })
    }
    case 'entity.put': {
      const entity = stored.entities.get(id)
      if (entity === undefined || !isAsLeft(entity, after)) return undefined
      if (before === null) return () => ({ op: 'entity.delete', id, owner: entity.owner, reason })
      return (now) => ({
        op: 'entity.put',
        entity: entitySchema.parse({ ...restored(entity, before), updatedAt: now, version: entity.version + 1 }),
        reason,
      })
    }
    case 'edge.put': {
      const edge = stored.edges.get(id)
      if (edge === undefined || !isAsLeft(edge, after)) return undefined
      if (before === null) return () => ({ op: 'edge.delete', id, owner: edge.owner, reason })
      return () => ({ op: 'edge.put', edge: edgeSchema.parse({ ...restored(edge, before), version: edge.version + 1 }), reason })
    }
    case 'source.put': {
      const source = stored.sources.get(id)
      if (source === undefined || !isAsLeft(source, after)) return undefined
      if (before === null) return () => ({ op: 'source.delete', id, owner: source.owner, reason })
      // Replaced passages are not kept, so changes of files cannot be undone.
      if (after.files !== 0) return undefined
      return (now) => ({
        op: 'source.put',
        source: sourceSchema.parse({ ...restored(source, before), updatedAt: now, version: source.version + 1 }),
        reason,
      })
    }
    default:
      return undefined
  }
}

const leftBy = ({ after }: Touch): JsonObject | null => (after === null ? null : JSON.parse(after))

/** Fields that differ even if every later change was undone. */
const OF_THE_CHANGE = new Set(['version', 'updatedAt', 'dedupAt'])

/** True if the target is in the state that a change left: unchanged since, or restored by undoing later changes. */
const isAsLeft = (now: object, left: JsonObject): boolean =>
  Object.entries(now).every(([key, value]) => OF_THE_CHANGE.has(key) || JSON.stringify(value ?? null) === JSON.stringify(left[key] ?? null))

/** The journal omits fields without a value. */
const restored = (now: object, before: JsonObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(now).map((key) => [key, before[key] ?? null]))
