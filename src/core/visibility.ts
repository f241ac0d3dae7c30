/** What decides who may read a fact: whose it is, how far it is meant to go, and the garden it stands in, if any. */
export interface FactClass {
  readonly owner: string
  readonly scope: string
  readonly garden: string | null
}

/** What of one owner's facts a reader may see. Facts in gardens are seen by those who are let into the garden. */
export interface OwnerReach {
  readonly owner: string
  readonly scopes: readonly string[] | 'all'
  readonly gardens: readonly string[] | 'all'
}

/** What a reader may see, as data, so that every index can filter by it. */
export type Reach = 'everything' | { readonly owners: readonly OwnerReach[] }

/** Who asks. */
export interface Principal {
  readonly name: string
  readonly reach: Reach
  readonly mayWrite: boolean
}

/** Whoever can run this program on the machine can read its files: a local process reaches everything. */
export const LOCAL: Principal = { name: 'local', reach: 'everything', mayWrite: true }

const among = (list: readonly string[] | 'all', value: string): boolean => list === 'all' || list.includes(value)

export const isWhole = ({ scopes, gardens }: OwnerReach): boolean => scopes === 'all' && gardens === 'all'

/** What of an owner's facts is reached; undefined when nothing is. */
export const reachInto = (reach: Reach, owner: string): OwnerReach | undefined =>
  reach === 'everything' ? { owner, scopes: 'all', gardens: 'all' } : reach.owners.find((one) => one.owner === owner)

export const covers = ({ scopes, gardens }: OwnerReach, { scope, garden }: Omit<FactClass, 'owner'>): boolean =>
  among(scopes, scope) && (garden === null || among(gardens, garden))

export function reaches(reach: Reach, fact: FactClass): boolean {
  const into = reachInto(reach, fact.owner)
  return into !== undefined && covers(into, fact)
}

/** Facts of one owner with the same key are read by the same people. */
export const classKey = ({ scope, garden }: Omit<FactClass, 'owner'>): string => JSON.stringify([scope, garden])
