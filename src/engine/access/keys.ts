import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ANY_OWNER, findOwnerAccess, isAllowed, KEY_RIGHTS, type Principal, seesAllScopes } from '../../core/access/access-filter.js'
import type { ControlRecord } from '../../core/access/control-record.js'
import { type Key, type KeyTerms, keyOf, keyText, principalOf, readKey } from '../../core/access/key.js'
import { normalUri } from '../../core/statements/uri.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

const SECRET_BYTES = 32

export type NewKey = Partial<KeyTerms> & Pick<KeyTerms, 'owner' | 'entity'>

/** A key as listed, without its secret. */
export interface ListedKey extends Key {
  readonly createdAt: number
  readonly revokedAt: number | null
}

interface KeyCreator {
  readonly actor: string
  readonly principal: Principal
}

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const beyond = (message: string): MemoryError =>
  new MemoryError('forbidden', message, { hint: 'Use a key with more rights, or the command `mneme keys`.' })

/** Access that a key has and the principal lacks; undefined if none. */
function lacking({ reach, rights: own }: Principal, { owner, scopes, rights }: KeyTerms): string | undefined {
  if (reach === 'everything') return undefined
  const into = owner === ANY_OWNER ? reach.owners.find((access) => access.owner === ANY_OWNER) : findOwnerAccess(reach, owner)
  if (into === undefined) return `access to what belongs to ${owner}`
  if (!seesAllScopes(into) && (scopes === 'all' || scopes.some((scope) => !into.scopes.includes(scope)))) return 'scopes'
  return rights.includes('federated') && !isAllowed({ rights: own }, 'federated') ? 'the right federated' : undefined
}

/** Creates a key. The secret is returned only here. */
export async function createKey(
  env: Environment,
  creator: KeyCreator,
  newKey: NewKey,
): Promise<{ readonly id: string; readonly key: string }> {
  const terms: KeyTerms = {
    owner: newKey.owner,
    entity: normalUri(newKey.entity),
    sources: (newKey.sources ?? []).map((source) => normalUri(source, 'source')),
    scopes: newKey.scopes ?? 'all',
    gardens: newKey.gardens ?? {},
    rights: newKey.rights ?? ['read', 'write'],
  }
  // A key cannot create keys with more access than its own.
  const missing = lacking(creator.principal, terms)
  if (missing !== undefined) throw beyond(`A key cannot give ${missing} that it does not have itself.`)
  const { owner, ...data } = terms
  const id = env.ids.mint()
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await env.store.commit({ actor: creator.actor, owners: [owner] }, (now) => [
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
        createdAt: now,
        updatedAt: now,
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
 * Revokes a key. It stays listed, so that its changes keep their name. Revoking twice changes nothing. A key cannot revoke one
 * with more access than its own.
 */
export async function revokeKey({ store }: Environment, { actor, principal }: KeyCreator, id: string): Promise<ListedKey> {
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

/** The holder of a token of an issuer. */
export interface TokenHolder {
  readonly subject: string
  readonly owner: string
  readonly rights: readonly string[]
}

/** Authentication against the store. */
export interface KeyRing {
  /** The principal of a key; undefined if unknown or revoked. */
  verify(text: string): Promise<Principal | undefined>
  /** The principal of a token: all scopes of its owner, and the gardens of which it is a member. */
  tokenHolder(holder: TokenHolder): Promise<Principal>
  /** True if a key was ever created, including revoked ones. Requests then require one. */
  any(): Promise<boolean>
  /** True if a garden was ever created. */
  hasGardens(): Promise<boolean>
  /** Increases with every change that may affect authentication. */
  mark(): Promise<number>
}

/** Caches keys until a key or a garden changes in any process. */
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

  /** Unknown ids are not cached, because their number is unbounded; neither is a key read during a change, which may be outdated. */
  const read = async (id: string) => {
    const since = mark
    const found = await load(id)
    if (found !== undefined && mark === since) known.set(id, found)
    return found
  }

  return {
    async verify(text) {
      await follow()
      const presented = readKey(text)
      if (presented === undefined) return undefined
      const entry = known.get(presented.id) ?? (await read(presented.id))
      const isRight = timingSafeEqual(digestOf(presented.secret), entry?.digest ?? nothing)
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
