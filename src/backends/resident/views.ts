import { setImmediate } from 'node:timers/promises'
import { ANYONE, covers, isWhole, type Reach, reachInto } from '../../core/visibility.js'
import type { Hit, LinkIndex, Pool, View, WordHit } from '../../ports/view.js'
import type { Dialect } from '../sql/dialect.js'
import { createLinkIndex, type OwnedLinks } from '../sql/link-index.js'
import type { OwnerPlace } from '../sql/owners.js'
import { inSlices, number, text, together } from '../sql/plan.js'
import { saidAt } from '../sql/said.js'
import { TopHits } from '../vector/top-hits.js'
import type { By } from '../vector/vector-rows.js'
import type { UnitState } from './fact-unit.js'
import type { FollowedConnection, Units } from './units.js'
import { searchWords, type Whole } from './word-search.js'

/** Row numbers of a view of several units: the rid, and beside it which unit; in one of a single unit they are rids. */
const SPAN = 2 ** 20

interface Placed {
  readonly unit: UnitState
  readonly index: number
  readonly slot: number
}

/** The numbers of one view. */
class RowNumbers {
  readonly units: readonly UnitState[]
  readonly #single: boolean
  readonly #readable: readonly (Uint8Array | undefined)[]
  #indexOf: Map<string, number> | undefined

  constructor(units: readonly UnitState[], reach: Reach) {
    this.units = units
    this.#single = units.length <= 1
    this.#readable = units.map(({ owner, documents }) => {
      const into = reachInto(reach, owner)
      return into === undefined || isWhole(into) ? undefined : documents.readable((of) => covers(into, of))
    })
  }

  /** 1 at every document of a unit that may be read; undefined when all may. */
  readable(index: number): Uint8Array | undefined {
    return this.#readable[index]
  }

  rowOf(index: number, rid: number): number {
    return this.#single ? rid : rid * SPAN + index
  }

  ridOf(row: number): number {
    return this.#single ? row : Math.floor(row / SPAN)
  }

  /** Where a row is; undefined when it is not there. */
  placeOf(row: number): Placed | undefined {
    const index = this.#single ? 0 : row % SPAN
    const unit = this.units[index]
    const slot = unit?.documents.slots.slotOf(this.ridOf(row)) ?? -1
    const mask = this.#readable[index]
    if (unit === undefined || slot < 0 || (mask !== undefined && mask[slot] !== 1)) return undefined
    return { unit, index, slot }
  }

  recordedAt(row: number): number {
    const place = this.placeOf(row)
    return place === undefined ? 0 : place.unit.documents.sketchAt(place.slot).recordedAt
  }

  /** The row of an owner's fact; undefined for an owner who is not in the view. */
  rowFor(owner: string, rid: number): number | undefined {
    this.#indexOf ??= new Map(this.units.map((unit, index) => [unit.owner, index]))
    const index = this.#indexOf.get(owner)
    const row = index === undefined ? undefined : this.rowOf(index, rid)
    return row === undefined || (index !== undefined && this.#readable[index] !== undefined && this.placeOf(row) === undefined)
      ? undefined
      : row
  }
}

/** Whose units are needed; undefined needs everyone's. */
export function ownersOf(owner: string | undefined, reach: Reach): readonly string[] | undefined {
  if (reach === 'everything') return owner === undefined ? undefined : [owner]
  if (reach.owners.some((one) => one.owner === ANYONE)) return owner === undefined ? undefined : [owner]
  const reached = reach.owners.map((one) => one.owner)
  return owner === undefined ? reached : reached.filter((one) => one === owner)
}

/** A question put to what of some owners is in memory; `whole` tells what is known of an owner of whom only some is. */
export type ViewParts = (
  states: readonly UnitState[],
  owner: string | undefined,
  reach: Reach,
  whole?: Whole,
) => Omit<View, 'mark' | 'close'>

export function createViewParts(connection: FollowedConnection, dialect: Dialect): ViewParts {
  const links = createLinkIndex(connection, dialect)
  return (states, owner, reach, whole) => {
    const numbers = new RowNumbers(states, reach)
    return {
      words: wordsIn({ connection, dialect, numbers, owner, isAll: owner === undefined && reach === 'everything', whole }),
      vectors: vectorsIn(numbers),
      links: linksIn(numbers, links),
      said: (rids) =>
        byRow(
          numbers,
          rids,
          (of, own) => connection.read(() => saidAt(of, own)),
          (said, rid) => (said.rid === rid ? said : { ...said, rid }),
        ),
      rows: rowsIn(connection, numbers, owner),
    }
  }
}

const rowsIn = (connection: FollowedConnection, numbers: RowNumbers, owner: string | undefined): View['rows'] => ({
  ridsOf: (ids) =>
    connection.read(function* () {
      const rows =
        owner === undefined
          ? yield* inSlices(ids, (marks) => `SELECT rid, id, owner FROM facts WHERE id IN (${marks})`)
          : yield* inSlices(ids, (marks) => `SELECT rid, id, owner FROM facts WHERE +owner = ? AND id IN (${marks})`, owner)
      return new Map(
        rows.flatMap((row): [string, number][] => {
          const found = numbers.rowFor(text(row, 'owner'), number(row, 'rid'))
          return found === undefined ? [] : [[text(row, 'id'), found]]
        }),
      )
    }),
  idsOf: async (rids) =>
    new Map(
      rids.flatMap((rid): [number, string][] => {
        const place = numbers.placeOf(rid)
        return place === undefined ? [] : [[rid, place.unit.documents.sketchAt(place.slot).id]]
      }),
    ),
})

export interface Views {
  view(owner: string | undefined, reach?: Reach): Promise<View>
}

/** @param seen Hears where owners have come to, as far as questions ask. */
export const createViews = (units: Units, parts: ViewParts, seen: (place: OwnerPlace) => void = () => undefined): Views => ({
  async view(owner, reach = 'everything') {
    const opened = await units.open(ownersOf(owner, reach))
    for (const place of opened.places) seen(place)
    const states = opened.units.map((unit) => unit.state)
    return { mark: opened.mark, ...parts(states, owner, reach), close: opened.close }
  },
})

/** Whether a document of the pool may be found. */
const filterOf = (numbers: RowNumbers, index: number, unit: UnitState, pool: Pool): ((slot: number) => boolean) => {
  const { documents } = unit
  const { before, except } = pool
  const mask = numbers.readable(index)
  if (before === undefined && except === undefined && mask === undefined) return (slot) => documents.holds(slot, pool)
  return (slot) => {
    const row = numbers.rowOf(index, documents.slots.ridAt(slot))
    const isOpen = (mask === undefined || mask[slot] === 1) && (before === undefined || row < before) && row !== except
    return isOpen && documents.holds(slot, pool)
  }
}

interface WordsOptions {
  readonly connection: FollowedConnection
  readonly dialect: Dialect
  readonly numbers: RowNumbers
  readonly owner: string | undefined
  /** No owner is named and everything may be read. */
  readonly isAll: boolean
  readonly whole: Whole | undefined
}

const wordsIn = ({ connection, dialect, numbers, owner, isAll, whole }: WordsOptions): View['words'] => ({
  phrase: (words, limit) =>
    connection.read(function* () {
      const owners = owner === undefined && dialect.wordsByOwner ? numbers.units.map((unit) => unit.owner) : [owner]
      const found = yield* together(owners.map((one) => dialect.lexicalPhrase(one, words, limit)))
      const rows = found.flat().flatMap((row) => numbers.rowFor(text(row, 'owner'), number(row, 'rid')) ?? [])
      return (owners.length === 1 ? rows : rows.sort((a, b) => numbers.recordedAt(b) - numbers.recordedAt(a))).slice(0, limit)
    }),
  async search(terms, pool, limit, fields) {
    const wanted = numbers.units.map((unit, index) => ({
      words: unit.words,
      readable: numbers.readable(index),
      passes: filterOf(numbers, index, unit, pool),
      rowAt: (slot: number) => numbers.rowOf(index, unit.documents.slots.ridAt(slot)),
    }))
    const { hits, documents, rarity, scoreAt } = searchWords(wanted, terms, limit, fields, isAll, whole)
    // Promises that are settled already never let others in: one question must not be one long block.
    await setImmediate()
    const hitOf = (rid: number): WordHit[] => {
      const place = numbers.placeOf(rid)
      return place === undefined ? [] : [{ rid, ...scoreAt(place.index, place.slot) }]
    }
    return {
      hits: hits.flatMap(({ rid }) => hitOf(rid)),
      documents,
      rarity,
      scores: async (rids) => new Map(rids.flatMap(hitOf).map((hit) => [hit.rid, hit])),
    }
  },
})

const vectorsIn = (numbers: RowNumbers): View['vectors'] => ({
  async search(query, pool, limit, by: By = 'best piece') {
    const top = new TopHits(limit)
    for (const [index, unit] of numbers.units.entries()) {
      if (unit.vectors === undefined) continue
      const among = {
        passes: filterOf(numbers, index, unit, pool),
        ridAt: (slot: number) => numbers.rowOf(index, unit.documents.slots.ridAt(slot)),
      }
      for (const hit of await unit.vectors.search(query, limit, among, by)) top.offer(hit)
    }
    await setImmediate()
    return top.best().map(({ rid, score }): Hit => ({ rid, score }))
  },
  async similarities(query, rids) {
    const found = new Map<number, number>()
    for (const rid of rids) {
      const place = numbers.placeOf(rid)
      const cosine = place?.unit.vectors?.similarity(query, place.slot)
      if (cosine !== undefined) found.set(rid, cosine)
    }
    return found
  },
  pieces: async (query, rids) =>
    new Map(
      rids.flatMap((rid) => {
        const place = numbers.placeOf(rid)
        const pieces = place?.unit.vectors?.pieces(query, place.slot) ?? []
        return pieces.length === 0 ? [] : [[rid, pieces]]
      }),
    ),
  vectors: async (rids) =>
    new Map(
      rids.flatMap((rid): [number, Float32Array][] => {
        const place = numbers.placeOf(rid)
        const vector = place?.unit.vectors?.vector(place.slot)
        return vector === undefined ? [] : [[rid, vector]]
      }),
    ),
})

/** Reads rows owner by owner, as each numbers its own; the answer is in the numbers of the view. */
async function byRow<T, S>(
  numbers: RowNumbers,
  rows: readonly number[],
  read: (owner: string, rids: readonly number[]) => Promise<ReadonlyMap<number, T>>,
  as: (value: T, row: number) => S,
): Promise<ReadonlyMap<number, S>> {
  const owners = new Map<string, number[]>()
  for (const row of rows) {
    const owner = numbers.placeOf(row)?.unit.owner
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

/** The links of rids in the numbers of the view. */
function linksIn(numbers: RowNumbers, links: OwnedLinks): LinkIndex {
  const same = <T>(value: T): T => value
  return {
    sketches: async (rids) =>
      rids.flatMap((row) => {
        const place = numbers.placeOf(row)
        return place === undefined ? [] : [{ rid: row, ...place.unit.documents.sketchAt(place.slot) }]
      }),
    surroundings: (rids, characters) => byRow(numbers, rids, (owner, own) => links.surroundings(owner, own, characters), same),
    mentions: (rids) => byRow(numbers, rids, links.mentions, same),
    postings: async (owner, names, limit) => {
      const inView = (rids: readonly number[]): readonly number[] => rids.flatMap((rid) => numbers.rowFor(owner, rid) ?? [])
      return (await links.postings(owner, names, limit)).map(({ name, subjects, mentions }) => ({
        name,
        subjects: inView(subjects),
        mentions: inView(mentions),
      }))
    },
    namesIn: links.namesIn,
    authorsIn: links.authorsIn,
  }
}
