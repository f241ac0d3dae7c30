import type { Change } from '../../../core/journal/change.js'
import type { Store } from '../../../ports/store.js'
import type { LazyIndexSync } from '../../engine-services.js'
import type { Projections } from '../../environment.js'

/** Deletions must reach derived copies as well. */
const removes = ({ op }: Change): boolean => op.endsWith('.delete') || op === 'reset'

/** A store whose commits update pages and derived databases. A deletion is acknowledged once the page is deleted as well. */
export function createSyncingStore(store: Store, projections: Projections, derived: LazyIndexSync): Store {
  // A configured database implies pages.
  if (!projections.enabled) return store
  return {
    ...store,
    async commit(commitContext, decide) {
      let deleted = false
      let arranged = false
      const receipt = await store.commit(commitContext, (at) => {
        const changes = decide(at)
        deleted = changes.some(removes)
        arranged = changes.some(({ op }) => op === 'arrangement.put')
        return changes
      })
      const owners = receipt.entries.map(({ owner }) => owner)
      if (deleted) {
        if (commitContext.owners === 'everyone') await projections.clear('everyone')
        for (const owner of owners) {
          await projections.follow(owner)
          await derived.follow(owner)
        }
      } else {
        projections.wake(owners)
        derived.wake(owners)
        // Building takes time; earlier queries wait for it and report its failure.
        if (arranged) for (const owner of owners) void derived.begin(owner).catch(() => undefined)
      }
      return receipt
    },
  }
}
