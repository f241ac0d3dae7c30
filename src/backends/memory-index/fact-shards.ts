import { MemoryError } from '../../errors.js'
import type { WarmOptions } from '../../ports/backend.js'
import { allPlaces, type OwnerWatermark, placesOfOwners } from '../sql/owners/owners.js'
import { ownModel, type StoredModel, storedModel } from '../sql/owners/stored-model.js'
import { type Connection, type Plan, runPair } from '../sql/plan/plan.js'
import { FactShard } from './fact-shard.js'
import { catchUpTo, type ShardCache } from './shard-cache.js'
import type { VectorMemory } from './vector-memory.js'

/** A connection that reports changes of the store. */
export interface FollowedConnection extends Connection {
  changeMark(): number
  /** Set if `changeMark` always changes: the owners' rows then report changes. */
  readonly marksByOwner?: true
}

/** Watermarks of owners at one store version. */
interface OwnerWatermarks {
  readonly mark: number
  readonly model: StoredModel | undefined
  readonly places: readonly OwnerWatermark[]
}

/** All summands only increase. */
export const computeOwnersVersion = ({ places, model }: Omit<OwnerWatermarks, 'mark'>): number =>
  places.reduce((sum, { seq, stamp, generation, edges, epoch }) => sum + seq + stamp + generation + edges + (epoch ?? 0), model?.epoch ?? 0)

/** Shards of one owner, or of all, at one store version. */
interface OpenShards {
  readonly mark: number
  readonly shards: readonly FactShard[]
  /** The owners' watermarks, as far as read. */
  readonly places: readonly OwnerWatermark[]
  close(): void
}

export interface FactShards {
  open(owners: readonly string[] | undefined): Promise<OpenShards>
  /** Owners whose shard is in memory. */
  owners(): readonly string[]
  warm(options: WarmOptions): Promise<void>
}

/** A query over all owners needs all shards in memory at once. */
function checkFits(places: readonly OwnerWatermark[], mostFacts: number): void {
  const facts = places.reduce((sum, place) => sum + place.facts, 0)
  if (facts <= mostFacts) return
  throw new MemoryError('too_large', `Searching all owners would load ${facts} facts, more than --search-memory-mb allows.`, {
    hint: 'Pass user_id or owner_id, or raise the limit.',
  })
}

/** The fact shards, one per owner: loaded on first use, caught up before each use. */
export function createFactShards(
  connection: FollowedConnection,
  memory: ShardCache,
  vectors: VectorMemory,
  mostFacts = Number.POSITIVE_INFINITY,
): FactShards {
  const shelf = memory.shelf((owner) => new FactShard(owner, connection))

  const placesOf = async (owners: readonly string[] | undefined): Promise<OwnerWatermarks> => {
    const mark = connection.changeMark()
    return connection.read(function* (): Plan<OwnerWatermarks> {
      const [model, places] = yield* runPair(storedModel(), owners === undefined ? allPlaces() : placesOfOwners(owners))
      return { mark, model, places }
    })
  }

  /** All watermarks at the last store version read. */
  let everyone: OwnerWatermarks | undefined

  /** Watermarks of these owners; undefined if all of their shards are current. */
  const currentPlaces = async (owners: readonly string[] | undefined): Promise<OwnerWatermarks | undefined> => {
    const mark = connection.changeMark()
    if (owners !== undefined) return owners.every((owner) => (shelf.get(owner)?.mark ?? -1) >= mark) ? undefined : placesOf(owners)
    if (everyone === undefined || everyone.mark < mark) everyone = await placesOf(undefined)
    return everyone
  }

  const open = async (owners: readonly string[] | undefined): Promise<OpenShards> => {
    const mark = connection.changeMark()
    const known = await currentPlaces(owners)
    if (owners === undefined) checkFits(known?.places ?? [], mostFacts)
    const entered = (owners ?? known?.places.map(({ owner }) => owner) ?? []).map((owner) => shelf.acquire(owner))
    let isOpen = true
    const close = (): void => {
      if (isOpen) shelf.release(entered)
      isOpen = false
    }
    try {
      if (known !== undefined)
        for (const [i, place] of known.places.entries()) {
          const cached = entered[i]
          if (cached === undefined || cached.mark >= known.mark) continue
          const model = ownModel(known.model, place.epoch)
          await catchUpTo(cached, known.mark, () => cached.shard.follow(place, model, vectors.for(model)))
        }
      const storeVersion = connection.marksByOwner === true && known !== undefined ? computeOwnersVersion(known) : mark
      return { mark: storeVersion, shards: entered.map(({ shard }) => shard), places: known?.places ?? [], close }
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    open,
    owners: () => shelf.keys(),
    async warm({ first, maxBytes, untilIdle }) {
      const load = async (owner: string): Promise<void> => (await open([owner])).close()
      await load(first)
      const { places } = await placesOf(undefined)
      for (const { owner } of places) {
        if (owner === first) continue
        if (memory.memoryBytes() >= maxBytes || !(await untilIdle())) return
        await load(owner)
      }
    },
  }
}
