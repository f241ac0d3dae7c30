import type { Environment } from '../environment.js'
import type { Denials } from './denials.js'
import type { Decision, GardenContext, NewGarden, setMember } from './gardens.js'
import { createKey, type KeyRing, listKeys, type NewKey, revokeKey } from './keys.js'

export interface BehindAccess {
  readonly keyRing: KeyRing
  readonly denials: Denials
}

/** Who comes in. */
export const accessRoom = (env: Environment, { keyRing, denials }: BehindAccess) => ({
  createKey: (by: Parameters<typeof createKey>[1], key: NewKey) => createKey(env, by, key),
  keys: (owner: string | undefined) => listKeys(env, owner),
  revokeKey: (by: Parameters<typeof revokeKey>[1], id: string) => revokeKey(env, by, id),
  verify: keyRing.verify,
  tokenHolder: keyRing.tokenHolder,
  hasKeys: keyRing.any,
  hasGardens: keyRing.hasGardens,
  mark: keyRing.mark,
  deny: denials.note,
})

/** Rooms into which only members look. Few calls are about them: loaded on first use. */
export const gardensRoom = (env: Environment) => {
  const gardens = () => import('./gardens.js')
  return {
    create: async (by: GardenContext, given: NewGarden) => (await gardens()).createGarden(env, by, given),
    list: async (by: GardenContext) => (await gardens()).listGardens(env, by),
    find: async (by: GardenContext, named: string) => (await gardens()).findGarden(env, by, named),
    setMember: async (by: GardenContext, named: string, member: Parameters<typeof setMember>[3]) =>
      (await gardens()).setMember(env, by, named, member),
    removeMember: async (by: GardenContext, named: string, entity: string) => (await gardens()).removeMember(env, by, named, entity),
    remove: async (by: GardenContext, named: string) => (await gardens()).deleteGarden(env, by, named),
    promote: async (by: GardenContext, named: string, decision: Decision) =>
      (await gardens()).decideQuarantine(env, by, named, { ...decision, verdict: 'promoted' }),
    reject: async (by: GardenContext, named: string, decision: Decision) =>
      (await gardens()).decideQuarantine(env, by, named, { ...decision, verdict: 'rejected' }),
  }
}
