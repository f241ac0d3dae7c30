import { describe, expect, it, test } from 'vitest'
import {
  type AccessFilter,
  allowsClass,
  canReadFact,
  classKey,
  excludeGardens,
  findOwnerAccess,
  intersectFilters,
  isAllowed,
  isUnrestricted,
  LOCAL_PRINCIPAL,
  mayWriteInto,
  type OwnerAccess,
  type Right,
  toBaselineAccess,
} from './access-filter.js'

const access = (fields: Partial<OwnerAccess>): OwnerAccess => ({ owner: 'ann', scopes: 'all', gardens: [], federated: false, ...fields })
const fact = { owner: 'ann', scope: 'local', garden: null, receivedFrom: null }
const holding = (reach: AccessFilter) => ({ ...LOCAL_PRINCIPAL, reach })

describe('access filter', () => {
  it.each<[Right[], Right[]]>([
    [['read'], ['read']],
    [['write'], ['write']],
    [['admin'], ['read', 'write', 'admin']],
    [['federated'], ['federated']],
    [[], []],
  ])('%j is %j', (rights, allowed) => {
    const all: readonly Right[] = ['read', 'write', 'admin', 'federated', 'peer']
    expect(all.filter((right) => isAllowed({ rights }, right))).toEqual(allowed)
  })
})

test('gives a local process full access', () => {
  expect(LOCAL_PRINCIPAL).toMatchObject({
    reach: 'everything',
    mayWrite: true,
    rights: ['read', 'write', 'admin', 'federated'],
    owner: null,
  })
})

describe("access to an owner's facts", () => {
  it('requires the scope, the garden and facts of peers to be covered', () => {
    const fields = { scope: 'local', garden: null, federated: false }
    expect(allowsClass(access({}), fields)).toBe(true)
    expect(allowsClass(access({ scopes: ['team'] }), fields)).toBe(false)
    expect(allowsClass(access({ scopes: ['team', 'local'] }), fields)).toBe(true)
    expect(allowsClass(access({}), { ...fields, garden: 'roses' })).toBe(false)
    expect(allowsClass(access({ gardens: ['roses'] }), { ...fields, garden: 'roses' })).toBe(true)
    expect(allowsClass(access({ gardens: 'all' }), { ...fields, garden: 'roses' })).toBe(true)
    expect(allowsClass(access({}), { ...fields, federated: true })).toBe(false)
    expect(allowsClass(access({ federated: true }), { ...fields, federated: true })).toBe(true)
  })

  it('is unrestricted only if no class is excluded', () => {
    expect(isUnrestricted(access({ gardens: 'all', federated: true }))).toBe(true)
    for (const less of [{ scopes: ['local'] }, { gardens: ['roses'] }, { federated: false }])
      expect(isUnrestricted(access({ gardens: 'all', federated: true, ...less }))).toBe(false)
  })

  it('prefers an entry that names the owner to the entry for all owners', () => {
    const reach: AccessFilter = { owners: [access({ owner: '*', scopes: ['public'] }), access({ owner: 'ann' })] }
    expect(findOwnerAccess(reach, 'ann')).toEqual(access({ owner: 'ann' }))
    expect(findOwnerAccess(reach, 'bob')).toEqual(access({ owner: 'bob', scopes: ['public'] }))
    expect(findOwnerAccess({ owners: [access({})] }, 'bob')).toBeUndefined()
    expect(findOwnerAccess('everything', 'bob')).toMatchObject({ owner: 'bob', scopes: 'all', gardens: 'all', federated: true })
    expect([canReadFact(reach, fact), canReadFact(reach, { ...fact, owner: 'bob' })]).toEqual([true, false])
    expect(canReadFact({ owners: [access({})] }, { ...fact, receivedFrom: 'peer' })).toBe(false)
  })

  it('does not derive write access to a garden from read access', () => {
    const rose = { scope: 'local', garden: 'roses', federated: false }
    expect(mayWriteInto(access({ gardens: ['roses'], writes: [] }), rose)).toBe(false)
    expect(mayWriteInto(access({ gardens: ['roses'], writes: ['roses'] }), rose)).toBe(true)
    expect(mayWriteInto(access({ gardens: ['roses'] }), rose)).toBe(true)
    expect(mayWriteInto(access({ gardens: [], writes: ['roses'] }), rose)).toBe(false)
    expect(mayWriteInto(access({ gardens: [], writes: [] }), { ...rose, garden: null })).toBe(true)
  })

  it('gives facts with different readers different keys', () => {
    const keys = [
      { scope: 'local', garden: null, federated: false },
      { scope: 'team', garden: null, federated: false },
      { scope: 'local', garden: 'roses', federated: false },
      { scope: 'local', garden: 'lilies', federated: false },
      { scope: 'local', garden: null, federated: true },
    ].map(classKey)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('narrowed access filter', () => {
  it('excludes gardens for contracts without gardens, and requires access to all scopes', () => {
    expect(excludeGardens(LOCAL_PRINCIPAL)).toBe(LOCAL_PRINCIPAL)
    expect(excludeGardens(holding({ owners: [access({ gardens: 'all' })] }))?.reach).toEqual({ owners: [access({})] })
    expect(excludeGardens(holding({ owners: [access({}), access({ owner: 'bob', scopes: ['local'] })] }))).toBeUndefined()
  })

  it('excludes gardens and facts of peers from what all readers have in common', () => {
    const reach = toBaselineAccess('ann')
    expect(canReadFact(reach, fact)).toBe(true)
    for (const more of [{ garden: 'roses' }, { receivedFrom: 'peer' }, { owner: 'bob' }])
      expect(canReadFact(reach, { ...fact, ...more })).toBe(false)
  })

  it('the intersection covers what both filters cover', () => {
    const asked: AccessFilter = {
      owners: [access({ scopes: ['local', 'team'], gardens: 'all', federated: true }), access({ owner: 'bob' })],
    }
    expect(intersectFilters('everything', asked)).toBe(asked)
    expect(intersectFilters(asked, 'everything')).toBe(asked)
    expect(intersectFilters({ owners: [access({ scopes: ['team', 'public'], gardens: ['roses'] })] }, asked)).toEqual({
      owners: [access({ scopes: ['team'], gardens: ['roses'], federated: false })],
    })
    expect(intersectFilters({ owners: [access({ gardens: 'all', federated: true })] }, asked)).toEqual({
      owners: [access({ scopes: ['local', 'team'], gardens: 'all', federated: true })],
    })
    expect(
      intersectFilters({ owners: [access({ scopes: ['team'], federated: true })] }, { owners: [access({ federated: false })] }),
    ).toEqual({
      owners: [access({ scopes: ['team'], federated: false })],
    })
  })
})
