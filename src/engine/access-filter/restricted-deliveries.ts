import { ANY_OWNER, findOwnerAccess, type Principal, seesAllScopes } from '../../core/access/access-filter.js'
import type { Deliveries } from '../../ports/deliveries.js'

/** A query may mention any data of its owner, so reading it requires access to all scopes of the owner. */
export function restrictDeliveries({ record, list }: Deliveries, { reach }: Principal): Deliveries {
  if (reach === 'everything') return { record, list }
  const isOpen = (owner: string): boolean => {
    const access = findOwnerAccess(reach, owner)
    return access !== undefined && seesAllScopes(access)
  }
  const anyone = reach.owners.some(({ owner }) => owner === ANY_OWNER)
  return {
    record,
    list: async (query) => {
      const named = query.owners?.filter(isOpen)
      const owners = named ?? (anyone ? undefined : reach.owners.map(({ owner }) => owner).filter(isOpen))
      return (await list({ ...query, ...(owners === undefined ? {} : { owners }) })).filter(({ owner }) => isOpen(owner))
    },
  }
}
