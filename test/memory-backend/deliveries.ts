import type { Deliveries, Delivery } from '../../src/ports/deliveries.js'
import type { State } from './state.js'

const newestFirst = (a: Delivery, b: Delivery): number => b.at - a.at || (a.id < b.id ? 1 : -1)

export const createRamDeliveries = (current: () => State, replace: (state: State) => void): Deliveries => ({
  async record(deliveries, { since, most: max }) {
    const kept = [...current().deliveries, ...deliveries].filter(({ at: now }) => now >= since).sort(newestFirst)
    replace({ ...current(), deliveries: kept.slice(0, max) })
  },
  list: async ({ owners, client, conversation, fact, about, since, before, limit }) =>
    [...current().deliveries]
      .filter(
        (delivery) =>
          (owners === undefined || owners.includes(delivery.owner)) &&
          (client === undefined || delivery.client === client) &&
          (conversation === undefined || delivery.conversation === conversation) &&
          (fact === undefined || delivery.facts.some(({ id }) => id === fact)) &&
          (about === undefined ||
            delivery.question?.toLowerCase().includes(about.text.toLowerCase()) === true ||
            delivery.facts.some(({ id }) => about.facts.includes(id))) &&
          (since === undefined || delivery.at >= since) &&
          (before === undefined || delivery.at < before.at || (delivery.at === before.at && delivery.id < before.id)),
      )
      .sort(newestFirst)
      .slice(0, limit),
})
