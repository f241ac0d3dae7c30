import { MemoryError } from '../../errors.js'
import { allPlaces, type OwnerPlace, placesOfOwners } from '../sql/owners.js'
import { both, type Connection, type Plan } from '../sql/plan.js'
import { ownModel, type StoredModel, storedModel } from '../sql/stored-model.js'
import { FactUnit } from './fact-unit.js'
import { bring, type UnitMemory } from './unit-memory.js'
import type { VectorMemory } from './vector-memory.js'

/** The seam to a database that says when anything in it changed. */
export interface FollowedConnection extends Connection {
  changeMark(): number
  /** Every answer of `changeMark` is another: whether anything changed is told by the rows of the owners. */
  readonly marksByOwner?: true
}

/** What is known of owners at one state of the store. */
interface Places {
  readonly mark: number
  readonly model: StoredModel | undefined
  readonly places: readonly OwnerPlace[]
}

/** All of these only grow. */
export const markOf = ({ places, model }: Omit<Places, 'mark'>): number =>
  places.reduce((sum, { seq, stamp, generation, edges, epoch }) => sum + seq + stamp + generation + edges + (epoch ?? 0), model?.epoch ?? 0)

/** One owner's unit, or everyone's, up to date with a state of the store. */
export interface OpenUnits {
  readonly mark: number
  readonly units: readonly FactUnit[]
  /** Where the owners had come to, as far as that was asked for. */
  readonly places: readonly OwnerPlace[]
  close(): void
}

export interface Units {
  open(owners: readonly string[] | undefined): Promise<OpenUnits>
  /** Owners whose unit is in memory. */
  owners(): readonly string[]
}

/** Of a question about everyone all must be in memory at once. */
function checkFits(places: readonly OwnerPlace[], mostFacts: number): void {
  const facts = places.reduce((sum, place) => sum + place.facts, 0)
  if (facts <= mostFacts) return
  throw new MemoryError('too_large', `A search without an owner would need all ${facts} facts in the memory of one node.`, {
    hint: 'Name a user (`user_id`, `owner_id`), or raise --search-memory-mb.',
  })
}

/** The facts in memory, a unit for each owner: loaded on first use, followed before each use. */
export function createUnits(
  connection: FollowedConnection,
  memory: UnitMemory,
  vectors: VectorMemory,
  mostFacts = Number.POSITIVE_INFINITY,
): Units {
  const shelf = memory.shelf((owner) => new FactUnit(owner, connection))

  const placesOf = async (owners: readonly string[] | undefined): Promise<Places> => {
    const mark = connection.changeMark()
    return connection.read(function* (): Plan<Places> {
      const [model, places] = yield* both(storedModel(), owners === undefined ? allPlaces() : placesOfOwners(owners))
      return { mark, model, places }
    })
  }

  /** Everyone's places at the last state that was asked for. */
  let everyone: Places | undefined

  /** The places of these owners; undefined when all of their units are up to date. */
  const currentPlaces = async (owners: readonly string[] | undefined): Promise<Places | undefined> => {
    const mark = connection.changeMark()
    if (owners !== undefined) return owners.every((owner) => (shelf.get(owner)?.mark ?? -1) >= mark) ? undefined : placesOf(owners)
    if (everyone === undefined || everyone.mark < mark) everyone = await placesOf(undefined)
    return everyone
  }

  return {
    async open(owners) {
      const mark = connection.changeMark()
      const known = await currentPlaces(owners)
      if (owners === undefined) checkFits(known?.places ?? [], mostFacts)
      const entered = (owners ?? known?.places.map(({ owner }) => owner) ?? []).map((owner) => shelf.enter(owner))
      let open = true
      const close = (): void => {
        if (open) shelf.leave(entered)
        open = false
      }
      try {
        if (known !== undefined)
          for (const [i, place] of known.places.entries()) {
            const one = entered[i]
            if (one === undefined || one.mark >= known.mark) continue
            const model = ownModel(known.model, place.epoch)
            await bring(one, known.mark, () => one.unit.follow(place, model, vectors.for(model)))
          }
        const told = connection.marksByOwner === true && known !== undefined ? markOf(known) : mark
        return { mark: told, units: entered.map(({ unit }) => unit), places: known?.places ?? [], close }
      } catch (error) {
        close()
        throw error
      }
    },
    owners: () => shelf.keys(),
  }
}
