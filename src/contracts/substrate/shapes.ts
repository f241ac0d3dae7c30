import { z } from 'zod'
import { toActor } from '../../core/access/actor.js'
import type { Instant } from '../../core/facts/fact.js'
import { formatInstant } from '../../core/input/input.js'
import { headOf, type MemoryObject, type ObjectFilters } from '../../engine/substrate/objects/objects.js'
import type { Call } from '../operation.js'
import { optional } from './envelope.js'

/** This contract has one owner: the server's. */
export const ownerOf = ({ context }: Call): string => context.settings.defaultOwner

export const graphBackend = z.enum(['file', 'kuzu'])
export const semanticBackend = z.enum(['lancedb'])

/** The named actor, otherwise the caller. */
export function actorOf({ actor }: Call, actorInput: unknown): string {
  const named = z.object({ type: z.string(), id: z.string() }).safeParse(actorInput)
  return named.success ? toActor(`${named.data.type.replaceAll(':', '-')}:${named.data.id}`) : actor
}

/** ISO 8601 in UTC, with microseconds if present. */
export const iso = (instant: Instant): string => formatInstant(instant).replace(/(?:\.0{9}|(\.\d{6})\d{3})Z$/u, '$1+00:00')
export const isoOrNull = (instant: Instant | null): string | null => (instant === null ? null : iso(instant))

const names = optional(z.array(z.string()))
const name = optional(z.string())

/** Filter fields with one or several values. */
export const filtersSchema = z
  .strictObject({
    ...{ object_type: name, object_types: names, kind: name, kinds: names, status: name, statuses: names },
    ...{ node_id: name, node_ids: names, source_id: name, source_ids: names },
  })
  .transform((input): ObjectFilters => {
    const both = (single: string | undefined, several: readonly string[] | undefined): readonly string[] | undefined =>
      single === undefined ? several : [...new Set([single, ...(several ?? [])])]
    return {
      types: both(input.object_type, input.object_types),
      kinds: both(input.kind, input.kinds),
      statuses: both(input.status, input.statuses),
      nodeIds: both(input.node_id, input.node_ids),
      sourceIds: both(input.source_id, input.source_ids),
    }
  })

export const atLeastOne = z.int().min(1, 'Input should be greater than or equal to 1')

/** Truncates a text to a number of characters. */
export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, Math.max(0, most - 3)).trimEnd()}...` : text

const MAX_SUMMARY_CHARS = 360

export const toHead = (object: MemoryObject, chars = MAX_SUMMARY_CHARS): Readonly<Record<string, unknown>> => {
  const { type, id, kind, title, status, summary } = headOf(object)
  return { object_type: type, id, kind, title, status, summary: clip(summary, chars) }
}
