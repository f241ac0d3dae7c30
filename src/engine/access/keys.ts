import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ANY_OWNER, findOwnerAccess, isAllowed, KEY_RIGHTS, type Principal, seesAllScopes } from '../../core/access/access-filter.js'
import type { ControlRecord } from '../../core/access/control-record.js'
import { type Key, type KeyTerms, keyOf, keyText, principalOf, readKey } from '../../core/access/key.js'
import { normalUri } from '../../core/statements/uri.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

const SECRET_BYTES = 32

export type NewKey = Partial<KeyTerms> & Pick<KeyTerms, 'owner' | 'entity'>

/** A key as a list shows it: never the key itself. */
export interface ListedKey extends Key {
  readonly createdAt: number
  readonly revokedAt: number | null
}

interface By {
  readonly actor: string
  readonly principal: Principal
}

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const beyond = (message: string): MemoryError =>
  new MemoryError('forbidden', message, { hint: 'Use a key with more rights, or the command `mneme keys`.' })

/** What a key has that a principal has not; undefined where there is nothing. */
function lacking({ reach, rights: own }: Principal, { owner, scopes, rights }: KeyTerms): string | undefined {
  if (reach === 'everything') return undefined
  const into = owner === ANY_OWNER ? reach.owners.find((one) => one.owner === ANY_OWNER) : findOwnerAccess(reach, owner)
  if (into === undefined) return `access to what belongs to ${owner}`
  if (!seesAllScopes(into) && (scopes === 'all' || scopes.some((scope) => !into.scopes.includes(scope)))) return 'scopes'
  return rights.includes('federated') && !isAllowed({ rights: own }, 'federated') ? 'the right federated' : undefined
}

/** Makes a key. What it answers is the only time that it is shown. */
export async function createKey(env: Environment, by: By, given: NewKey): Promise<{ readonly id: string; readonly key: string }> {
  const terms: KeyTerms = {
    owner: given.owner,
    entity: normalUri(given.entity),
    sources: (given.sources ?? []).map((source) => normalUri(source, 'source')),
    scopes: given.scopes ?? 'all',
    gardens: given.gardens ?? {},
    rights: given.rights ?? ['read', 'write'],
  }
  // Whoever hands out keys hands out no more than they have.
  const missing = lacking(by.principal, terms)
  if (missing !== undefined) throw beyond(`A key cannot give ${missing} that it does not have itself.`)
  const { owner, ...data } = terms
  const id = env.ids.mint()
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await env.store.commit({ actor: by.actor, owners: [owner] }, (at) => [
    {
      op: 'arrangement.put',
      arrangement: {
        kind: 'key',
        id,
        owner,
        name: null,
        data: {
          ...data,
          sources: [...data.sources],
          scopes: data.scopes === 'all' ? 'all' : [...data.scopes],
          gardens: { ...data.gardens },
          rights: [...data.rights],
        },
        createdAt: at,
        updatedAt: at,
        version: 1,
      },
      digest: digestOf(secret).toString('hex'),
    },
  ])
  return { id, key: keyText(id, secret) }
}

const listed = (arrangement: ControlRecord): ListedKey => ({
  ...keyOf(arrangement),
  createdAt: arrangement.createdAt,
  revokedAt: typeof arrangement.data.revokedAt === 'number' ? arrangement.data.revokedAt : null,
})

export async function listKeys({ store }: Environment, owner: string | undefined): Promise<readonly ListedKey[]> {
  return (await store.arrangements({ kind: 'key', ...(owner === undefined ? {} : { owner }) })).map(listed)
}

/**
 * A revoked key stays in the list, so that what it did keeps its name. Revoking twice changes nothing. Whoever has less than a
 * key cannot end it, or they could send everyone away who has more.
 */
export async function revokeKey({ store }: Environment, { actor, principal }: By, id: string): Promise<ListedKey> {
  const [stored] = await store.arrangements({ kind: 'key', id })
  if (stored === undefined)
    throw new MemoryError('not_found', `There is no key ${id}.`, { reason: 'key_not_found', hint: '`mneme keys list` shows their ids.' })
  const missing = lacking(principal, keyOf(stored))
  if (missing !== undefined) throw beyond(`A key cannot revoke one that has ${missing} which it does not have itself.`)
  if (keyOf(stored).isRevoked) return listed(stored)
  const revoked = (at: number): ControlRecord => ({
    ...stored,
    data: { ...stored.data, revokedAt: at },
    updatedAt: at,
    version: stored.version + 1,
  })
  const { at } = await store.commit({ actor, owners: [stored.owner] }, (now) => [
    { op: 'arrangement.put', arrangement: revoked(now), reason: 'revoked' },
  ])
  return listed(revoked(at))
}

/** Whoever an issuer vouches for. */
export interface TokenHolder {
  readonly subject: string
  readonly owner: string
  readonly rights: readonly string[]
}

/** What doors ask of a store. */
export interface KeyRing {
  /** Who holds this key; undefined when there is none such, or no more. */
  verify(text: string): Promise<Principal | undefined>
  /** The same for whoever an issuer vouches for: all scopes of its owner, and the gardens in which it is a member. */
  tokenHolder(holder: TokenHolder): Promise<Principal>
  /** Whether a key was ever made, revoked ones too: then nobody comes in without one. */
  any(): Promise<boolean>
  /** Whether there is a garden, or ever was. */
  hasGardens(): Promise<boolean>
  /** Grows with every change that may concern who is let in. */
  mark(): Promise<number>
}

/** Reads keys once, until one of them or a garden changes, in whatever process. */
export function createKeyRing({ store }: Pick<Environment, 'store'>): KeyRing {
  const nothing = digestOf('')
  let mark = -1
  let hasKeys = false
  let hasGardens = false
  const known = new Map<string, { readonly digest: Buffer; readonly principal: Principal }>()

  const follow = async (): Promise<void> => {
    const now = await store.arrangementsMark()
    if (now === mark) return
    hasKeys = (await store.arrangements({ kind: 'key' })).length > 0
    hasGardens = (await store.arrangements({ kind: 'garden' })).length > 0
    known.clear()
    mark = now
  }

  const load = async (id: string) => {
    const [stored] = await store.arrangements({ kind: 'key', id })
    const digest = await store.digestOf('key', id)
    if (stored === undefined || digest === undefined) return undefined
    const key = keyOf(stored)
    if (key.isRevoked) return undefined
    const gardens = await store.arrangements({ kind: 'garden', ...(key.owner === ANY_OWNER ? {} : { owner: key.owner }) })
    return { digest: Buffer.from(digest, 'hex'), principal: principalOf(key, gardens) }
  }

  /** Ids that nobody has are not kept: there is no end of them. Nor is what was read while something changed, which may be of before. */
  const read = async (id: string) => {
    const since = mark
    const found = await load(id)
    if (found !== undefined && mark === since) known.set(id, found)
    return found
  }

  return {
    async verify(text) {
      await follow()
      const said = readKey(text)
      if (said === undefined) return undefined
      const entry = known.get(said.id) ?? (await read(said.id))
      const isRight = timingSafeEqual(digestOf(said.secret), entry?.digest ?? nothing)
      return isRight ? entry?.principal : undefined
    },
    async tokenHolder({ subject, owner, rights }) {
      const entity = normalUri(`user:${subject}`)
      const key = { id: subject, owner, entity, sources: [], scopes: 'all', gardens: {}, isRevoked: false } as const
      const known = KEY_RIGHTS.filter((right) => rights.includes(right))
      const principal = principalOf({ ...key, rights: known }, await store.arrangements({ kind: 'garden', owner }))
      return { ...principal, name: `token:${subject}`, proof: 'token', key: null }
    },
    async any() {
      await follow()
      return hasKeys
    },
    async hasGardens() {
      await follow()
      return hasGardens
    },
    mark: () => store.arrangementsMark(),
  }
}
