import { number, numberOrNull, type Plan, run, text } from './plan.js'

/** How far a source's rows have come: whoever holds a copy of them follows from one place to the next. */
export interface SourcePlace {
  readonly id: string
  readonly owner: string
  readonly kind: string
  /** Grows with every change of its files. */
  readonly version: number
  /** Another one than before: the id was used again, or rows went without a change of the version. */
  readonly origin: string
  /** The last batch of its owner's vectors. */
  readonly stamp: number
  /** Of the model whose vectors the owner has; null without any. */
  readonly epoch: number | null
}

/** Of all sources: they are few. */
export function* sourcePlaces(): Plan<readonly SourcePlace[]> {
  const rows = yield* run(
    `SELECT s.id, s.owner, s.kind, s.version, s.created_at, coalesce(o.generation, 0) AS generation, coalesce(o.stamp, 0) AS stamp, o.epoch AS epoch
     FROM sources s LEFT JOIN owners o ON o.owner = s.owner ORDER BY s.id`,
  )
  return rows.map((row) => ({
    id: text(row, 'id'),
    owner: text(row, 'owner'),
    kind: text(row, 'kind'),
    version: number(row, 'version'),
    origin: `${number(row, 'created_at')}/${number(row, 'generation')}`,
    stamp: number(row, 'stamp'),
    epoch: numberOrNull(row, 'epoch'),
  }))
}
