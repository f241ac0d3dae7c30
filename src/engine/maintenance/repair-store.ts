import type { Context } from '../context.js'
import { removeDanglingEdges } from './remove-dangling-edges.js'
import { type RepairResult, repairFutureDates } from './repair-future-dates.js'

interface StoreRepair extends RepairResult {
  /** Dangling edges removed. */
  readonly removed: number
  readonly lossAccepted: boolean
}

/** Repairs what `diagnose` reports; accepts the loss of acknowledged changes only on request. */
export async function repairStore(context: Context, actor: string, options: { readonly acceptLoss: boolean }): Promise<StoreRepair> {
  const repaired = await repairFutureDates(context, actor, context.signal)
  const removed = await removeDanglingEdges(context, actor, context.signal)
  return { ...repaired, removed, lossAccepted: options.acceptLoss && (await context.maintenance.acceptLoss()) }
}
