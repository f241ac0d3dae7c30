import { type OwnerWatermark, placesOfOwners } from '../../sql/owners/owners.js'
import { ownModel, type StoredModel, storedModel } from '../../sql/owners/stored-model.js'
import type { Dialect } from '../../sql/plan/dialect.js'
import { first, number, type Row, runPair } from '../../sql/plan/plan.js'
import { buildLarge, type LargeConnection } from './build-index.js'
import { followLarge } from './catch-up-index.js'
import { dropOrphanedBuilds } from './orphaned-builds.js'

/** A large owner at the state of a query. */
export interface LargePlace {
  readonly place: OwnerWatermark
  readonly model: StoredModel | undefined
  /** Mean tokens per fact when the index was built. */
  readonly tokensEach: number
}

interface IndexedOwners {
  /** Undefined if the owner is small, or its index is still being built: its shard is used. */
  open(owner: string): Promise<LargePlace | undefined>
  /** Records the number of facts of an owner. */
  note(owner: string, facts: number): void
  close(): Promise<void>
}

/** Delay before a failed build is retried by a query. */
const REST_MS = 60_000
const MAX_KNOWN = 100_000
/** Interval of the search for leftovers of killed builders. */
const SWEEP_MS = 10 * 60_000

/** Owners with more facts than one shard should hold are searched in the database once their index exists. */
export function createLargeOwners(connection: LargeConnection, dialect: Dialect, from: number): IndexedOwners {
  const sizes = new Map<string, number>()
  const stop = new AbortController()
  const failedAt = new Map<string, number>()
  let building: Promise<void> | undefined
  let sweeping: Promise<unknown> | undefined
  let sweptAt = Number.NEGATIVE_INFINITY

  const sweep = (): void => {
    if (performance.now() - sweptAt < SWEEP_MS) return
    sweptAt = performance.now()
    sweeping = dropOrphanedBuilds(connection, dialect).catch(() => undefined)
  }

  const build = (place: OwnerWatermark, model: StoredModel | undefined): void => {
    const { owner } = place
    if (building !== undefined || stop.signal.aborted || performance.now() - (failedAt.get(owner) ?? Number.NEGATIVE_INFINITY) < REST_MS)
      return
    building = buildLarge(connection, dialect, place, model, stop.signal)
      // Until a build succeeds the shard is used, which reports problems of the database.
      .catch(() => void failedAt.set(owner, performance.now()))
      .finally(() => {
        building = undefined
      })
  }

  const read = (owner: string): Promise<readonly [readonly [StoredModel | undefined, readonly OwnerWatermark[]], Row | undefined]> =>
    connection.read(() =>
      runPair(
        runPair(storedModel(), placesOfOwners([owner])),
        first(`SELECT ready, seq, stamp, generation, epoch, tokens FROM large_owners WHERE owner = ?`, owner),
      ),
    )

  const note = (owner: string, facts: number): void => {
    if (sizes.size >= MAX_KNOWN) sizes.clear()
    sizes.set(owner, facts)
  }

  return {
    note,
    async open(owner) {
      sweep()
      if ((sizes.get(owner) ?? from) < from) return undefined
      const [[stored, [place]], state] = await read(owner)
      if (place === undefined) return undefined
      note(owner, place.facts)
      const model = ownModel(stored, place.epoch)
      // Vectors of an earlier model will be dropped, so they are not indexed.
      const isBehind = place.epoch !== null && stored !== undefined && model === undefined
      if (place.facts < from || isBehind) return undefined
      const isThere =
        state !== undefined &&
        number(state, 'ready') === 1 &&
        number(state, 'generation') === place.generation &&
        number(state, 'epoch') === (model?.epoch ?? 0)
      if (!isThere) {
        build(place, model)
        return undefined
      }
      if (number(state, 'seq') < place.seq || number(state, 'stamp') < place.stamp) await followLarge(connection, dialect, owner)
      return { place, model, tokensEach: number(state, 'tokens') }
    },
    async close() {
      stop.abort()
      await building
      await sweeping
    },
  }
}
