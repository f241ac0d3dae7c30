import type { Fact } from '../../core/facts/fact.js'
import { type Feedback, withMark } from '../../core/facts/feedback.js'
import { withTag } from '../../core/facts/tags.js'
import { isCurrentStatus, withStatus } from '../../core/facts/validity.js'
import { checkMetadata, checkText } from '../../core/input/input.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import { withinLimits } from '../entities/nodes.js'
import { forget, invalidate, revise } from '../facts/revise.js'

export const unknownFact = (id: string): MemoryError =>
  new MemoryError('not_found', `There is no fact ${id.slice(0, 100)}.`, {
    reason: 'gone',
    hint: 'It was deleted, or this key may not see it.',
  })

type EditableFields = Pick<Fact, 'text' | 'kind' | 'title' | 'subject' | 'predicate' | 'author' | 'importance' | 'confidence'>
export type Edit = { readonly [F in keyof EditableFields]?: EditableFields[F] | undefined } & { readonly validFrom?: number | undefined }

/** Corrects a fact in place. With a version, fails if the fact has changed since. */
export async function editFact(
  context: Context,
  actor: string,
  {
    id,
    version,
    reason,
    ...edit
  }: Edit & { readonly id: string; readonly version?: number | undefined; readonly reason?: string | undefined },
): Promise<Fact> {
  if (edit.text !== undefined) checkText(edit.text, 'text', context.settings.maxContentBytes)
  const fields = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
  const fact = await revise(context, actor, {
    id,
    reason,
    ifVersion: version,
    change: (before) => ({ ...before, ...fields }),
  })
  if (fact === undefined) throw unknownFact(id)
  return fact
}

/** Ends facts now; returns those that were current. */
export async function endFacts(
  context: Context,
  actor: string,
  ids: readonly string[],
  reason: string | undefined,
): Promise<readonly string[]> {
  const ended: string[] = []
  for (const id of ids)
    if (await invalidate(context, actor, { id, ...(reason === undefined ? {} : { reason }) }, { unknown: unknownFact })) ended.push(id)
  return ended
}

/** Makes ended facts current again; returns those that had ended. */
export const restoreFacts = (context: Context, actor: string, ids: readonly string[]): Promise<readonly string[]> =>
  changeEach(context, actor, ids, (fact, now) => {
    const over = !isCurrentStatus(fact.status) || (fact.validUntil !== null && fact.validUntil <= now)
    return over ? { ...withStatus(fact, 'active', now), validUntil: null } : undefined
  })

/** Overwrites the text of facts irreversibly. */
export async function deleteFacts(
  context: Context,
  actor: string,
  ids: readonly string[],
  reason: string | undefined,
): Promise<readonly string[]> {
  const deleted: string[] = []
  for (const id of ids) if (await forget(context, actor, { id, ...(reason === undefined ? {} : { reason }) })) deleted.push(id)
  return deleted
}

export const tagFacts = (
  context: Context,
  actor: string,
  ids: readonly string[],
  tag: string,
  wanted: boolean,
): Promise<readonly string[]> =>
  changeEach(context, actor, ids, (fact) => {
    const metadata = withTag(fact.metadata, tag, wanted)
    if (metadata === undefined) return undefined
    checkMetadata(metadata, 'metadata', context.settings.maxMetadataBytes)
    return withinLimits(context, { ...fact, metadata }, fact)
  })

/** Counts a rating of a delivered fact. */
export const markFact = (context: Context, actor: string, id: string, mark: keyof Feedback): Promise<readonly string[]> =>
  changeEach(context, actor, [id], (fact) => ({ ...fact, metadata: withMark(fact.metadata, mark) }))

async function changeEach(
  context: Context,
  actor: string,
  ids: readonly string[],
  change: (fact: Fact, now: number) => Fact | undefined,
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const id of ids) {
    let did = false
    const fact = await revise(context, actor, {
      id,
      change(before, now) {
        const after = change(before, now)
        did = after !== undefined
        return after
      },
    })
    if (fact === undefined) throw unknownFact(id)
    if (did) changed.push(id)
  }
  return changed
}
