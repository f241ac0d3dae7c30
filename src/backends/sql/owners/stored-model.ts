import { first, type Plan, text } from '../plan/plan.js'

export interface StoredModel {
  readonly id: string
  readonly dimensions: number
  /** Increases whenever all vectors are dropped, so that copies are dropped, too. */
  readonly epoch: number
}

/** The model of an owner's vectors; undefined if they are of an earlier one, or absent. */
export const ownModel = (model: StoredModel | undefined, epoch: number | null): StoredModel | undefined =>
  model?.epoch === epoch ? model : undefined

export function* storedModel(): Plan<StoredModel | undefined> {
  const row = yield* first(`SELECT value FROM meta WHERE key = 'model'`)
  return toModel(row === undefined ? null : text(row, 'value'))
}

export function toModel(stored: string | null): StoredModel | undefined {
  if (stored === null) return undefined
  const value: unknown = JSON.parse(stored)
  if (typeof value !== 'object' || value === null || !('id' in value) || !('dimensions' in value)) return undefined
  const { id, dimensions } = value
  const epoch = 'epoch' in value && typeof value.epoch === 'number' ? value.epoch : 0
  return typeof id === 'string' && typeof dimensions === 'number' ? { id, dimensions, epoch } : undefined
}
