import type { Change } from '../../core/change.js'
import type { Store } from '../../ports/store.js'
import type { Projections } from '../environment.js'

/** Derived copies that must not outlast what they were made of. */
const removes = ({ op }: Change): boolean => op.endsWith('.delete') || op === 'reset'

/** The same store; pages follow what is committed through it. A deletion is acknowledged once the page is gone, too. */
export function followedStore(store: Store, projections: Projections): Store {
  if (!projections.enabled) return store
  return {
    ...store,
    async commit(by, decide) {
      let deleted = false
      const receipt = await store.commit(by, (at) => {
        const changes = decide(at)
        deleted = changes.some(removes)
        return changes
      })
      const owners = receipt.entries.map(({ owner }) => owner)
      if (deleted) {
        if (by.owners === 'everyone') await projections.clear('everyone')
        for (const owner of owners) await projections.follow(owner)
      } else projections.wake(owners)
      return receipt
    },
  }
}
