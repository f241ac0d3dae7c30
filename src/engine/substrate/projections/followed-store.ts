import type { Change } from '../../../core/journal/change.js'
import type { Store } from '../../../ports/store.js'
import type { LazyIndexSync } from '../../engine-services.js'
import type { Projections } from '../../environment.js'

/** Derived copies that must not outlast what they were made of. */
const removes = ({ op }: Change): boolean => op.endsWith('.delete') || op === 'reset'

/** The same store; pages follow what is committed through it. A deletion is acknowledged once the page is gone, too. */
export function createSyncingStore(store: Store, projections: Projections, derived: LazyIndexSync): Store {
  // Whoever has configured a database has pages, too.
  if (!projections.enabled) return store
  return {
    ...store,
    async commit(by, decide) {
      let deleted = false
      let arranged = false
      const receipt = await store.commit(by, (at) => {
        const changes = decide(at)
        deleted = changes.some(removes)
        arranged = changes.some(({ op }) => op === 'arrangement.put')
        return changes
      })
      const owners = receipt.entries.map(({ owner }) => owner)
      if (deleted) {
        if (by.owners === 'everyone') await projections.clear('everyone')
        for (const owner of owners) {
          await projections.follow(owner)
          await derived.follow(owner)
        }
      } else {
        projections.wake(owners)
        derived.wake(owners)
        // Building takes its time; whoever asks before it is done waits for it, and is told what went wrong.
        if (arranged) for (const owner of owners) void derived.begin(owner).catch(() => undefined)
      }
      return receipt
    },
  }
}
