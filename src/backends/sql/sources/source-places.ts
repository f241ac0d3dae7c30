import { number, numberOrNull, type Plan, run, text } from '../plan/plan.js'

/** The watermark of a source's rows, from which copies catch up. */
export interface SourcePlace {
  readonly id: string
  readonly owner: string
  readonly kind: string
  /** False once it is archived. */
  readonly isActive: boolean
  /** Increases with every change of its files. */
  readonly version: number
  /** Changes if the id was reused, or if rows changed without a new version. */
  readonly origin: string
  /** Last vector batch of its owner. */
  readonly stamp: number
  /** Epoch of the model of its owner's vectors; null without vectors. */
  readonly epoch: number | null
}

/** Reads all sources, which are few. */
export function* sourcePlaces(): Plan<readonly SourcePlace[]> {
  const rows = yield* run(
    `SELECT s.id, s.owner, s.kind, s.status, s.version, s.created_at, coalesce(o.generation, 0) AS generation, coalesce(o.stamp, 0) AS stamp, o.epoch AS epoch
     FROM sources s LEFT JOIN owners o ON o.owner = s.owner ORDER BY s.id`,
  )
  return rows.map((row) => ({
    id: text(row, 'id'),
    owner: text(row, 'owner'),
    kind: text(row, 'kind'),
    isActive: text(row, 'status') === 'active',
    version: number(row, 'version'),
    origin: `${number(row, 'created_at')}/${number(row, 'generation')}`,
    stamp: number(row, 'stamp'),
    epoch: numberOrNull(row, 'epoch'),
  }))
}
