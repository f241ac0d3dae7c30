import type { DerivedFollower, Environment } from './environment.js'

export interface DerivedOnDemand extends DerivedFollower {
  /** Also makes what was configured and is not there yet. */
  begin(owner: string): Promise<void>
}

/** Loaded once some database follows this store: for most none ever does. */
export function derivedOnDemand(env: Environment): DerivedOnDemand {
  let opening: Promise<DerivedFollower> | undefined
  const open = (): Promise<DerivedFollower> => {
    opening ??= import('./governed/derived-follower.js').then(({ createDerivedFollower }) => createDerivedFollower(env))
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
