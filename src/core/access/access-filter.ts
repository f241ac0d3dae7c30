/** What decides who may read a fact: whose it is, how far it is meant to go, the garden it stands in, and whether a peer sent it. */
export interface FactClass {
  readonly owner: string
  readonly scope: string
  readonly garden: string | null
  /** The peer it came from. */
  readonly receivedFrom: string | null
}

/** The same within one owner. */
export interface ClassOfOwner {
  readonly scope: string
  readonly garden: string | null
  readonly federated: boolean
}

/** What of one owner's facts a reader may see. Facts in gardens are seen by those who are let into the garden. */
export interface OwnerAccess {
  /** `*` is everyone who is not named beside it. */
  readonly owner: string
  readonly scopes: readonly string[] | 'all'
  readonly gardens: readonly string[] | 'all'
  /** Whether it covers what came from peers. */
  readonly federated: boolean
  /** The gardens it may write into; those it reads, unless given. */
  readonly writes?: readonly string[] | 'all'
}

/** What a reader may see, as data, so that every index can filter by it. */
export type AccessFilter = 'everything' | { readonly owners: readonly OwnerAccess[] }

export const ANY_OWNER = '*'

/** What a key may be allowed; `federated` is to read what came from peers. */
export const KEY_RIGHTS = ['read', 'write', 'admin', 'federated'] as const
export type KeyRight = (typeof KEY_RIGHTS)[number]
/** What an operation may ask for: `peer` is to be a node that exchanges facts with this one. */
export type Right = KeyRight | 'peer'

/** Who asks. */
export interface Principal {
  /** As the journal names it. */
  readonly name: string
  readonly reach: AccessFilter
  readonly mayWrite: boolean
  readonly rights: readonly Right[]
  /** How it is known who asks: not at all, by a key of this store, by the token of an issuer, or by the signature of a peer. */
  readonly proof: 'none' | 'key' | 'token' | 'peer'
  /** The id of the key. */
  readonly key: string | null
  /** Whose memory a call means that names nobody; null where the settings say. */
  readonly owner: string | null
  /** Who speaks, as a URI, and for whom else it may speak. */
  readonly entity: string | null
  readonly sources: readonly string[]
  /** Its roles in gardens. */
  readonly roles: readonly { readonly owner: string; readonly slug: string; readonly roles: readonly string[] }[]
}

/** Whoever can run this program on the machine can read its files: a local process reaches everything. */
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

/** Whoever administers may read and write, too. */
export const isAllowed = ({ rights }: Pick<Principal, 'rights'>, right: Right): boolean =>
  rights.includes(right) || ((right === 'read' || right === 'write') && rights.includes('admin'))

/**
 * The same principal as contracts without gardens see it: nothing that stands in one. They know no scopes either, so they are
 * for whoever may read all of them; undefined for others.
 */
export function excludeGardens(principal: Principal): Principal | undefined {
  const { reach } = principal
  if (reach === 'everything') return principal
  if (!reach.owners.every(seesAllScopes)) return undefined
  return { ...principal, reach: { owners: reach.owners.map((one) => ({ ...one, gardens: [] })) } }
}

/**
 * What whoever reads all scopes of an owner sees of it, gardens and peers or not: what is concluded for all of them is
 * concluded from this.
 */
export const toBaselineAccess = (owner: string): AccessFilter => ({ owners: [{ owner, scopes: 'all', gardens: [], federated: false }] })

const among = (list: readonly string[] | 'all', value: string): boolean => list === 'all' || list.includes(value)

export const isUnrestricted = ({ scopes, gardens, federated }: OwnerAccess): boolean => scopes === 'all' && gardens === 'all' && federated

/** What stands in no garden and has no scope, such as code, is seen by whoever sees all scopes of its owner. */
export const seesAllScopes = ({ scopes }: OwnerAccess): boolean => scopes === 'all'

/** What of an owner's facts is reached; undefined when nothing is. */
export function findOwnerAccess(reach: AccessFilter, owner: string): OwnerAccess | undefined {
  if (reach === 'everything') return { owner, scopes: 'all', gardens: 'all', federated: true }
  const named = reach.owners.find((one) => one.owner === owner)
  if (named !== undefined) return named
  const anyone = reach.owners.find((one) => one.owner === ANY_OWNER)
  return anyone === undefined ? undefined : { ...anyone, owner }
}

export const allowsClass = ({ scopes, gardens, federated: peers }: OwnerAccess, { scope, garden, federated }: ClassOfOwner): boolean =>
  among(scopes, scope) && (garden === null || among(gardens, garden)) && (peers || !federated)

export const classOf = ({ scope, garden, receivedFrom }: Omit<FactClass, 'owner'>): ClassOfOwner => ({
  scope,
  garden,
  federated: receivedFrom !== null,
})

export function canReadFact(reach: AccessFilter, fact: FactClass): boolean {
  const into = findOwnerAccess(reach, fact.owner)
  return into !== undefined && allowsClass(into, classOf(fact))
}

/** Whether facts of this class may be written: reading a garden is not enough to write into it. */
export const mayWriteInto = (of: OwnerAccess, fact: ClassOfOwner): boolean =>
  allowsClass(of, fact) && (fact.garden === null || among(of.writes ?? of.gardens, fact.garden))

/** Facts of one owner with the same key are read by the same people. */
export const classKey = ({ scope, garden, federated }: ClassOfOwner): string =>
  `${scope} ${federated} ${garden === null ? '' : `in ${garden}`}`

const both = (a: readonly string[] | 'all', b: readonly string[] | 'all'): readonly string[] | 'all' =>
  a === 'all' ? b : b === 'all' ? a : a.filter((one) => b.includes(one))

/** What two reaches both cover; the second names its owners. */
export function intersectFilters(reach: AccessFilter, asked: AccessFilter): AccessFilter {
  if (asked === 'everything') return reach
  if (reach === 'everything') return asked
  return {
    owners: asked.owners.flatMap((of) => {
      const own = findOwnerAccess(reach, of.owner)
      if (own === undefined) return []
      const covered = {
        scopes: both(own.scopes, of.scopes),
        gardens: both(own.gardens, of.gardens),
        federated: own.federated && of.federated,
      }
      return [{ ...own, ...covered, owner: of.owner }]
    }),
  }
}
