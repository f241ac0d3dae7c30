import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { allPlaces, type OwnerPlace, placesOfOwners } from '../sql/owners.js'
import type { Connection, Plan } from '../sql/plan.js'
import { type StoredModel, storedModel } from '../sql/stored-model.js'
import { BlockMemory } from '../vector/block-memory.js'
import { FactUnit } from './fact-unit.js'

/** The seam to a database that says when anything in it changed. */
export interface FollowedConnection extends Connection {
  changeMark(): number
}

export interface UnitLimits {
  /** Units that nobody uses are let go, least recently used first, while all together take more. */
  readonly bytes: number
  /** A unit that nobody asked for so long is let go. */
  readonly idleMs: number
}

/** Timers run no longer than this. */
const LONGEST_TIMER = 2 ** 31

export const DEFAULT_LIMITS: UnitLimits = { bytes: 512 * 2 ** 20, idleMs: 15 * 60_000 }

interface Held {
  readonly unit: FactUnit
  /** Views that are open on it. */
  users: number
  usedAt: number
  /** The state of the store that it has followed to. */
  mark: number
  /** The pass that is under way. */
  following: Promise<void> | undefined
}

/** What is known of owners at one state of the store. */
interface Places {
  readonly mark: number
  readonly model: StoredModel | undefined
  readonly places: readonly OwnerPlace[]
}

/** One owner's unit, or everyone's, up to date with a state of the store. */
export interface OpenUnits {
  readonly mark: number
  readonly units: readonly FactUnit[]
  close(): void
}

export interface Units {
  open(owners: readonly string[] | undefined): Promise<OpenUnits>
  memoryBytes(): number
  /** Owners whose unit is in memory. */
  owners(): readonly string[]
  close(): void
}

/** The units in memory: loaded on first use, followed before each use, held under a limit. */
export function createUnits(connection: FollowedConnection, limits: UnitLimits = DEFAULT_LIMITS): Units {
  const held = new Map<string, Held>()
  let memory: BlockMemory | undefined
  let epoch = -1
  let timer: NodeJS.Timeout | undefined

  /** One memory for the vectors of one model. */
  const memoryFor = (model: StoredModel | undefined): BlockMemory | undefined => {
    if (model === undefined) return undefined
    if (memory === undefined || (epoch !== model.epoch && memory.dimensions !== model.dimensions))
      memory = new BlockMemory(model.dimensions)
    epoch = model.epoch
    return memory
  }

  const create = (owner: string): Held => ({
    unit: new FactUnit(owner, connection),
    users: 0,
    usedAt: performance.now(),
    mark: -1,
    following: undefined,
  })

  /** One pass at a time; a caller who comes during one waits for it, and makes its own where that began too early. */
  const bring = async (one: Held, place: OwnerPlace, { mark, model }: Places): Promise<void> => {
    while (one.following !== undefined) await one.following.catch(() => undefined)
    if (one.mark >= mark) return
    one.following = one.unit.follow(place, model, memoryFor(model)).finally(() => {
      one.following = undefined
    })
    await one.following
    one.mark = mark
  }

  const placesOf = async (owners: readonly string[] | undefined): Promise<Places> => {
    const mark = connection.changeMark()
    return connection.read(function* (): Plan<Places> {
      const model = yield* storedModel()
      return { mark, model, places: owners === undefined ? yield* allPlaces() : yield* placesOfOwners(owners) }
    })
  }

  /** Takes part in one use of a unit; whoever enters leaves. */
  const enter = (owner: string): Held => {
    const one = held.get(owner) ?? create(owner)
    one.users++
    // The last place of the map is the most recent use.
    held.delete(owner)
    held.set(owner, one)
    return one
  }

  const drop = (one: Held): void => {
    one.unit.release()
    held.delete(one.unit.owner)
  }

  const total = (): number => [...held.values()].reduce((sum, one) => sum + one.unit.memoryBytes, 0)

  const shrink = (): void => {
    let bytes = total()
    for (const one of [...held.values()]) {
      if (bytes <= limits.bytes) return
      if (one.users > 0) continue
      bytes -= one.unit.memoryBytes
      drop(one)
    }
  }

  const releaseIdle = (): void => {
    timer = undefined
    const before = held.size
    for (const one of [...held.values()]) if (one.users === 0 && performance.now() - one.usedAt >= limits.idleMs) drop(one)
    if (held.size > 0) watchIdle()
    else if (before > 0) collectGarbage()
  }

  const watchIdle = (): void => {
    if (limits.idleMs < LONGEST_TIMER) timer ??= setTimeout(releaseIdle, Math.max(10, limits.idleMs / 4)).unref()
  }

  const leave = (entered: readonly Held[]): void => {
    for (const one of entered) {
      one.users--
      one.usedAt = performance.now()
    }
    shrink()
    watchIdle()
  }

  /** Everyone's places at the last state that was asked for. */
  let everyone: Places | undefined

  /** The places of these owners; undefined when all of their units are up to date. */
  const currentPlaces = async (owners: readonly string[] | undefined): Promise<Places | undefined> => {
    const mark = connection.changeMark()
    if (owners !== undefined) return owners.every((owner) => (held.get(owner)?.mark ?? -1) >= mark) ? undefined : placesOf(owners)
    if (everyone === undefined || everyone.mark < mark) everyone = await placesOf(undefined)
    return everyone
  }

  return {
    async open(owners) {
      const mark = connection.changeMark()
      const known = await currentPlaces(owners)
      const entered = (owners ?? known?.places.map(({ owner }) => owner) ?? []).map(enter)
      let open = true
      const close = (): void => {
        if (open) leave(entered)
        open = false
      }
      try {
        if (known !== undefined)
          for (const [i, place] of known.places.entries()) {
            const one = entered[i]
            if (one !== undefined && one.mark < known.mark) await bring(one, place, known)
          }
        return { mark, units: entered.map(({ unit }) => unit), close }
      } catch (error) {
        close()
        throw error
      }
    },
    memoryBytes: total,
    owners: () => [...held.keys()],
    close() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** An idle process collects nothing by itself, and what it let go would stay with it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
