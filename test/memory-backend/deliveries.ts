import type { Deliveries, Delivery } from '../../src/ports/deliveries.js'
import type { State } from './state.js'

const newestFirst = (a: Delivery, b: Delivery): number => b.at - a.at || (a.id < b.id ? 1 : -1)

export const createRamDeliveries = (current: () => State, replace: (state: State) => void): Deliveries => ({
  async record(deliveries, { since, most }) {
    const kept = [...current().deliveries, ...deliveries].filter(({ at }) => at >= since).sort(newestFirst)
    replace({ ...current(), deliveries: kept.slice(0, most) })
  },
  list: async ({ owners, client, conversation, fact, since, before, limit }) =>
    [...current().deliveries]
      .filter(
        (one) =>
          (owners === undefined || owners.includes(one.owner)) &&
          (client === undefined || one.client === client) &&
          (conversation === undefined || one.conversation === conversation) &&
          (fact === undefined || one.facts.some(({ id }) => id === fact)) &&
          (since === undefined || one.at >= since) &&
          (before === undefined || one.at < before.at || (one.at === before.at && one.id < before.id)),
      )
      .sort(newestFirst)
      .slice(0, limit),
})
