/** The class of a fact, which decides who may read it: owner, scope, garden, and whether a peer sent it. */
interface FactClass {
  readonly owner: string
  readonly scope: string
  readonly garden: string | null
  /** The peer that sent the fact. */
  readonly receivedFrom: string | null
}

/** A class within one owner. */
export interface ClassOfOwner {
  readonly scope: string
  readonly garden: string | null
  readonly federated: boolean
}

/** Which facts of one owner a reader may read. Facts in a garden require access to the garden. */
export interface OwnerAccess {
  /** `*` matches all owners not listed. */
  readonly owner: string
  readonly scopes: readonly string[] | 'all'
  readonly gardens: readonly string[] | 'all'
  /** True if facts received from peers are included. */
  readonly federated: boolean
  /** Gardens with write access; by default those with read access. */
  readonly writes?: readonly string[] | 'all'
}

/** What a reader may read, as data that indexes can filter by. */
export type AccessFilter = 'everything' | { readonly owners: readonly OwnerAccess[] }

export const ANY_OWNER = '*'

/** Rights of a key; `federated` reads facts received from peers. */
export const KEY_RIGHTS = ['read', 'write', 'admin', 'federated'] as const
export type KeyRight = (typeof KEY_RIGHTS)[number]
/** Rights that an operation may require; `peer` is a node that exchanges facts with this one. */
export type Right = KeyRight | 'peer'

/** The authenticated caller. */
export interface Principal {
  /** The name in the journal. */
  readonly name: string
  readonly reach: AccessFilter
  readonly mayWrite: boolean
  readonly rights: readonly Right[]
  /** How the caller was authenticated: not at all, by a key of this store, by a token of an issuer, or by the signature of a peer. */
  readonly proof: 'none' | 'key' | 'token' | 'peer'
  /** The id of the key. */
  readonly key: string | null
  /** The owner for calls that name none; null for the configured default. */
  readonly owner: string | null
  /** The identity as a URI, and further sources it may assert facts for. */
  readonly entity: string | null
  readonly sources: readonly string[]
  /** Roles in gardens. */
  readonly roles: readonly { readonly owner: string; readonly slug: string; readonly roles: readonly string[] }[]
}

/** A local process has full access, because its user can read the files anyway. */
export const LOCAL_PRINCIPAL: Principal = {
  name: 'local',
  reach: 'everything',
  mayWrite: true,
  rights: KEY_RIGHTS,
  proof: 'none',
  key: null,
  owner: null,
  entity: null,
  sources: [],
  roles: [],
}

/** `admin` includes read and write. */
export const isAllowed = ({ rights }: Pick<Principal, 'rights'>, right: Right): boolean =>
  rights.includes(right) || ((right === 'read' || right === 'write') && rights.includes('admin'))

/**
 * The principal for contracts without gardens: without facts in gardens. These contracts have no scopes either, so they require
 * access to all scopes; undefined otherwise.
 */
export function excludeGardens(principal: Principal): Principal | undefined {
  const { reach } = principal
  if (reach === 'everything') return principal
  if (!reach.owners.every(seesAllScopes)) return undefined
  return { ...principal, reach: { owners: reach.owners.map((owner) => ({ ...owner, gardens: [] })) } }
}

/**
 * The access that all readers of all scopes of an owner have in common, without gardens and peers. Data derived for all of them
 * is derived from this.
 */
export const toBaselineAccess = (owner: string): AccessFilter => ({ owners: [{ owner, scopes: 'all', gardens: [], federated: false }] })

const allows = (list: readonly string[] | 'all', value: string): boolean => list === 'all' || list.includes(value)

export const isUnrestricted = ({ scopes, gardens, federated }: OwnerAccess): boolean => scopes === 'all' && gardens === 'all' && federated

/** Data without garden and scope, such as code, requires access to all scopes of its owner. */
export const seesAllScopes = ({ scopes }: OwnerAccess): boolean => scopes === 'all'

/** The access to an owner's facts; undefined without access. */
export function findOwnerAccess(reach: AccessFilter, owner: string): OwnerAccess | undefined {
  if (reach === 'everything') return { owner, scopes: 'all', gardens: 'all', federated: true }
  const named = reach.owners.find((access) => access.owner === owner)
  if (named !== undefined) return named
  const anyone = reach.owners.find((access) => access.owner === ANY_OWNER)
  return anyone === undefined ? undefined : { ...anyone, owner }
}

export const allowsClass = ({ scopes, gardens, federated: peers }: OwnerAccess, { scope, garden, federated }: ClassOfOwner): boolean =>
  allows(scopes, scope) && (garden === null || allows(gardens, garden)) && (peers || !federated)

export const classOf = ({ scope, garden, receivedFrom }: Omit<FactClass, 'owner'>): ClassOfOwner => ({
  scope,
  garden,
  federated: receivedFrom !== null,
})

export function canReadFact(reach: AccessFilter, fact: FactClass): boolean {
  const into = findOwnerAccess(reach, fact.owner)
  return into !== undefined && allowsClass(into, classOf(fact))
}

/** True if facts of this class may be written. Read access to a garden is not sufficient. */
export const mayWriteInto = (access: OwnerAccess, fact: ClassOfOwner): boolean =>
  allowsClass(access, fact) && (fact.garden === null || allows(access.writes ?? access.gardens, fact.garden))

/** Facts of one owner with the same key have the same readers. */
export const classKey = ({ scope, garden, federated }: ClassOfOwner): string =>
  `${scope} ${federated} ${garden === null ? '' : `in ${garden}`}`

const intersect = (a: readonly string[] | 'all', b: readonly string[] | 'all'): readonly string[] | 'all' =>
  a === 'all' ? b : b === 'all' ? a : a.filter((scope) => b.includes(scope))

/** The intersection of two access filters; the second lists its owners. */
export function intersectFilters(reach: AccessFilter, requested: AccessFilter): AccessFilter {
  if (requested === 'everything') return reach
  if (reach === 'everything') return requested
  return {
    owners: requested.owners.flatMap((access) => {
      const own = findOwnerAccess(reach, access.owner)
      if (own === undefined) return []
      const covered = {
        scopes: intersect(own.scopes, access.scopes),
        gardens: intersect(own.gardens, access.gardens),
        federated: own.federated && access.federated,
      }
      return [{ ...own, ...covered, owner: access.owner }]
    }),
  }
}
