import type { Context } from '../context.js'

export type { Delivery } from '../../ports/deliveries.js'
export type { FactFilter } from '../../ports/facets.js'

const MAX_OWNERS = 200

/** Owners whose memories the caller may query. */
export const listOwners = async ({ graph }: Context): Promise<readonly string[]> => (await graph.owners()).slice(0, MAX_OWNERS)
