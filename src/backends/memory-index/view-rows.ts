import { type AccessFilter, allowsClass, findOwnerAccess, isUnrestricted } from '../../core/access/access-filter.js'
import type { ShardState } from './fact-shard.js'

/** Row numbers of a view of several shards combine row and shard; in a view of one shard they are plain rows. */
const SHARD_SPAN = 2 ** 20

export interface RowLocation {
  readonly shard: ShardState
  readonly index: number
  readonly slot: number
}

/** Row numbers of one view. */
export class ViewRows {
  readonly shards: readonly ShardState[]
  readonly #single: boolean
  readonly #readable: readonly (Uint8Array | undefined)[]
  #indexOf: Map<string, number> | undefined

  constructor(shards: readonly ShardState[], reach: AccessFilter) {
    this.shards = shards
    this.#single = shards.length <= 1
    this.#readable = shards.map(({ owner, documents }) => {
      const into = findOwnerAccess(reach, owner)
      return into === undefined || isUnrestricted(into) ? undefined : documents.readable((owner) => allowsClass(into, owner))
    })
  }

  /** 1 for every readable document of a shard; undefined if all are readable. */
  readable(index: number): Uint8Array | undefined {
    return this.#readable[index]
  }

  rowOf(index: number, rid: number): number {
    return this.#single ? rid : rid * SHARD_SPAN + index
  }

  ridOf(row: number): number {
    return this.#single ? row : Math.floor(row / SHARD_SPAN)
  }

  /** The location of a row; undefined if it does not exist. */
  placeOf(row: number): RowLocation | undefined {
    const index = this.#single ? 0 : row % SHARD_SPAN
    const shard = this.shards[index]
    const slot = shard?.documents.slots.slotOf(this.ridOf(row)) ?? -1
    const mask = this.#readable[index]
    if (shard === undefined || slot < 0 || (mask !== undefined && mask[slot] !== 1)) return undefined
    return { shard, index, slot }
  }

  recordedAt(row: number): number {
    const place = this.placeOf(row)
    return place === undefined ? 0 : place.shard.documents.sketchAt(place.slot).recordedAt
  }

  /** The row of an owner's fact; undefined if the owner is not in the view. */
  rowFor(owner: string, rid: number): number | undefined {
    this.#indexOf ??= new Map(this.shards.map((shard, index) => [shard.owner, index]))
    const index = this.#indexOf.get(owner)
    const row = index === undefined ? undefined : this.rowOf(index, rid)
    return row === undefined || (index !== undefined && this.#readable[index] !== undefined && this.placeOf(row) === undefined)
      ? undefined
      : row
  }
}

/** Reads rows owner by owner; the result uses the numbers of the view. */
export async function byRow<T, S>(
  numbers: ViewRows,
  rows: readonly number[],
  read: (owner: string, rids: readonly number[]) => Promise<ReadonlyMap<number, T>>,
  as: (value: T, row: number) => S,
): Promise<ReadonlyMap<number, S>> {
  const owners = new Map<string, number[]>()
  for (const row of rows) {
    const owner = numbers.placeOf(row)?.shard.owner
    if (owner === undefined) continue
    const own = owners.get(owner)
    if (own === undefined) owners.set(owner, [row])
    else own.push(row)
  }
  const found = new Map<number, S>()
  await Promise.all(
    [...owners].map(async ([owner, own]): Promise<void> => {
      const values = await read(
        owner,
        own.map((row) => numbers.ridOf(row)),
      )
      for (const row of own) {
        const value = values.get(numbers.ridOf(row))
        if (value !== undefined) found.set(row, as(value, row))
      }
    }),
  )
  return found
}
