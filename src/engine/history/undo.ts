import type { JsonObject } from '../../core/encoding/json.js'
import { type Change, isTrimmed, type JournalEntry } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { factSchema } from '../facts/fact-schema.js'
import { retryOnConflict } from '../facts/revise.js'
import { edgeSchema, entitySchema, sourceSchema } from '../transfer/lines.js'

export interface UndoResult {
  readonly undone: number
  /** Changed again since, deleted, or without what they were before: left as they are. */
  readonly skipped: readonly string[]
}

const MAX_ENTRIES = 100_000

/** What one actor did, such as one run of a job. */
export async function undoActor(env: Environment, actor: string, run: string): Promise<UndoResult> {
  const entries = await env.graph.journalOf(run, MAX_ENTRIES)
  if (entries.length === 0)
    throw new MemoryError('not_found', `Nothing was done by "${run}".`, { hint: '`mneme history` shows who did what.' })
  return undoEntries(env, actor, entries, run)
}

/** A change is named by its owner and its number; the owner may be left out where everyone's changes are numbered together. */
export async function undoChange(env: Environment, actor: string, seq: number, owner?: string): Promise<UndoResult> {
  const [entry] = await env.store.journal({ ...(owner === undefined ? {} : { owner }), after: seq - 1, before: seq + 1, limit: 1 })
  if (entry === undefined) throw new MemoryError('not_found', `There is no change ${seq}.`, { hint: '`mneme history` lists the changes.' })
  if (isTrimmed(entry, await env.store.journalTrimmed()))
    throw new MemoryError('conflict', `Change ${seq} cannot be undone: what it changed was dropped for its age.`, {
      hint: '`--journal-days` sets how long the journal keeps that.',
    })
  return undoEntries(env, actor, [entry], `change ${seq}`)
}

/** Puts everything back to where it was before these changes, newest first, in one commit. Undoing is a change like any other. */
export function undoEntries(env: Environment, actor: string, entries: readonly JournalEntry[], what: string): Promise<UndoResult> {
  const reason = `undo of ${what}`
  const targets = new Map<string, { readonly newest: JournalEntry; oldest: JournalEntry }>()
  for (const entry of [...entries].sort((a, b) => (a.hlc < b.hlc ? 1 : -1))) {
    const known = targets.get(entry.target)
    if (known === undefined) targets.set(entry.target, { newest: entry, oldest: entry })
    else known.oldest = entry
  }
  return retryOnConflict(async () => {
    const skipped: string[] = []
    const plans: ((at: number) => Change)[] = []
    const trimmed = await env.store.journalTrimmed()
    for (const [target, { newest, oldest }] of targets) {
      const plan = isTrimmed(oldest, trimmed) ? undefined : await restoration(env, target, newest, oldest, reason)
      if (plan === undefined) skipped.push(target)
      else plans.push(plan)
    }
    const owners = [...new Set(entries.map(({ owner }) => owner))]
    if (plans.length > 0) await env.store.commit({ actor, owners }, (at) => plans.map((plan) => plan(at)))
    return { undone: plans.length, skipped }
  })
}

async function restoration(
  env: Environment,
  id: string,
  newest: JournalEntry,
  oldest: JournalEntry,
  reason: string,
): Promise<((at: number) => Change) | undefined> {
  const { store } = env
  if (newest.after === null) return undefined
  const { before } = oldest
  switch (newest.op) {
    case 'fact.put': {
      const [fact] = await store.facts([id])
      if (fact === undefined || !isAsLeft(fact, newest)) return undefined
      if (before === null) return () => ({ op: 'fact.delete', id, owner: fact.owner, reason })
      // Compared is compared: a pair that was taken apart again is not put to the same question.
      const compared = fact.dedupAt !== null
      return (at) => ({
        op: 'fact.put',
        fact: factSchema.parse({
          ...restored(fact, before),
          updatedAt: at,
          ...(compared ? { dedupAt: at } : {}),
          version: fact.version + 1,
        }),
        reason,
      })
    }
    case 'entity.put': {
      const [entity] = await store.entities([id])
      if (entity === undefined || !isAsLeft(entity, newest)) return undefined
      if (before === null) return () => ({ op: 'entity.delete', id, owner: entity.owner, reason })
      return (at) => ({
        op: 'entity.put',
        entity: entitySchema.parse({ ...restored(entity, before), updatedAt: at, version: entity.version + 1 }),
        reason,
      })
    }
    case 'edge.put': {
      const [edge] = await store.edgesById([id])
      if (edge === undefined || !isAsLeft(edge, newest)) return undefined
      if (before === null) return () => ({ op: 'edge.delete', id, owner: edge.owner, reason })
      return () => ({ op: 'edge.put', edge: edgeSchema.parse({ ...restored(edge, before), version: edge.version + 1 }), reason })
    }
    case 'source.put': {
      const [source] = await store.sources([id])
      if (source === undefined || !isAsLeft(source, newest)) return undefined
      if (before === null) return () => ({ op: 'source.delete', id, owner: source.owner, reason })
      // Passages that were replaced are not kept, so what changed them stays.
      if (newest.after?.files !== 0) return undefined
      return (at) => ({
        op: 'source.put',
        source: sourceSchema.parse({ ...restored(source, before), updatedAt: at, version: source.version + 1 }),
        reason,
      })
    }
    default:
      return undefined
  }
}

/** What differs although a later change was undone. */
const OF_THE_CHANGE = new Set(['version', 'updatedAt', 'dedupAt'])

/** Whether something is as a change left it: not changed since, or put back to it by undoing what came later. */
function isAsLeft(now: object, { after }: JournalEntry): boolean {
  const left: Readonly<Record<string, unknown>> = after ?? {}
  return Object.entries(now).every(
    ([key, value]) => OF_THE_CHANGE.has(key) || JSON.stringify(value ?? null) === JSON.stringify(left[key] ?? null),
  )
}

/** The journal leaves out what had no value. */
const restored = (now: object, before: JsonObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(now).map((key) => [key, before[key] ?? null]))
