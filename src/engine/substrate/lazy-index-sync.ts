import type { LazyIndexSync } from '../engine-services.js'
import type { DerivedIndexSync, Environment } from '../environment.js'

/** Loaded when a derived database is configured, which most stores never do. */
export function createLazyIndexSync(env: Environment): LazyIndexSync {
  let opening: Promise<DerivedIndexSync> | undefined
  const open = (): Promise<DerivedIndexSync> => {
    opening ??= import('./knowledge/derived-follower.js').then(({ createDerivedIndexSync: createDerivedFollower }) =>
      createDerivedFollower(env),
    )
    return opening
  }
  const isWanted = (): boolean => env.derived?.present() === true
  return {
    begin: async (owner) => (await open()).follow(owner),
    rebuild: async (kind, owner) => (await open()).rebuild(kind, owner),
    follow: async (owner) => (isWanted() ? (await open()).follow(owner) : undefined),
    wake(owners) {
      if (isWanted()) void open().then((follower) => follower.wake(owners))
    },
    async close() {
      await (await opening)?.close()
    },
  }
}
