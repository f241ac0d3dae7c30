import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../encoding/json.js'
import type { ControlRecord } from './control-record.js'
import { canManage, canModerate, canWrite, GARDEN_ROLES, gardenData, gardenOf, isLastAdmin } from './garden.js'
import { keyOf, keyText, principalOf, readKey } from './key.js'

const arrangement = (data: JsonObject, more: Partial<ControlRecord> = {}): ControlRecord => ({
  id: 'a'.repeat(20),
  kind: 'garden',
  owner: 'ann',
  name: null,
  data,
  createdAt: 5,
  updatedAt: 5,
  version: 1,
  ...more,
})
const member = (role: string, more: JsonObject = {}): JsonObject => ({ role, addedBy: 'user:ann', addedAt: 3, ...more })
const garden = (slug: string, members: JsonObject, more: JsonObject = {}, owner = 'ann'): ControlRecord =>
  arrangement({ members, ...more }, { name: slug, owner })
const key = (data: JsonObject, owner = 'ann') => keyOf(arrangement({ entity: 'user:ann', scopes: 'all', ...data }, { kind: 'key', owner }))

describe('garden', () => {
  it('grants each role its rights', () => {
    expect(GARDEN_ROLES.filter(canWrite)).toEqual(['writer', 'admin'])
    expect(GARDEN_ROLES.filter(canManage)).toEqual(['admin'])
    expect(GARDEN_ROLES.filter(canModerate)).toEqual(['admin', 'quarantine:moderator'])
  })

  it('is parsed from its stored form; unknown values grant nothing', () => {
    const stored = garden(
      'roses',
      { 'user:ann': member('admin'), 'user:bob': member('king'), 'user:eve': 'admin', 'user:dan': { role: 'reader' } },
      { name: 'Roses', scope: 'team', description: 'red', quarantine: true, createdBy: 'user:ann' },
    )
    const read = gardenOf(stored)
    expect(read).toMatchObject({ slug: 'roses', name: 'Roses', scope: 'team', description: 'red', quarantine: true, isDeleted: false })
    expect(read.members).toEqual({
      'user:ann': { role: 'admin', addedBy: 'user:ann', addedAt: 3 },
      'user:dan': { role: 'reader', addedBy: '', addedAt: 0 },
    })
    expect(gardenOf({ ...stored, data: gardenData(read) })).toEqual(read)
    expect(gardenOf(arrangement({ members: [], quarantine: 'yes', name: 7 }))).toMatchObject({
      slug: 'a'.repeat(20),
      name: 'a'.repeat(20),
      scope: 'local',
      description: null,
      quarantine: false,
      members: {},
    })
    expect(gardenOf(garden('roses', {}, { deletedAt: 9 })).isDeleted).toBe(true)
  })

  it('detects the last admin', () => {
    const gardenWith = (members: JsonObject) => gardenOf(garden('roses', members))
    expect(isLastAdmin(gardenWith({ ann: member('admin'), bob: member('writer') }), 'ann')).toBe(true)
    expect(isLastAdmin(gardenWith({ ann: member('admin'), bob: member('admin') }), 'ann')).toBe(false)
    expect(isLastAdmin(gardenWith({ ann: member('admin'), bob: member('writer') }), 'bob')).toBe(false)
    expect(isLastAdmin(gardenWith({ ann: member('admin') }), 'eve')).toBe(false)
  })
})

describe('key', () => {
  it('is parsed from its text; other texts are rejected', () => {
    const text = keyText('a'.repeat(20), 'S'.repeat(43))
    expect(readKey(text)).toEqual({ id: 'a'.repeat(20), secret: 'S'.repeat(43) })
    for (const other of ['', `${text}x`, text.slice(1), text.toUpperCase()]) expect(readKey(other)).toBeUndefined()
  })

  it('grants no right for an unknown value', () => {
    expect(key({ gardens: { roses: 'writer', lilies: 'king' }, rights: ['read', 'fly'], sources: ['user:b', 3] })).toMatchObject({
      gardens: { roses: 'writer' },
      rights: ['read'],
      sources: ['user:b'],
      scopes: 'all',
      isRevoked: false,
    })
    for (const gardens of [['roses'], 'roses', null, 7]) expect(key({ gardens }).gardens).toEqual({})
    expect(key({ scopes: ['team', 'moon'], entity: 7 })).toMatchObject({ scopes: ['team'], entity: '' })
    expect([key({ revokedAt: 8 }), key({ revokedAt: null })].map(({ isRevoked }) => isRevoked)).toEqual([true, false])
  })
})

describe('access of a key', () => {
  const rights = ['read', 'write']
  const into = (gardens: readonly ControlRecord[], data: JsonObject, owner = 'ann') => principalOf(key({ rights, ...data }, owner), gardens)

  it('reads the gardens in which it has a role, and writes to those whose role allows it', () => {
    const gardens = [
      garden('reads', { 'user:ann': member('reader') }),
      garden('writes', { 'user:ann': member('writer') }),
      garden('moderates', { 'user:ann': member('quarantine:moderator') }, { quarantine: true }),
      garden('only-named', { 'user:ann': member('quarantine:moderator') }),
      garden('granted', {}),
      garden('foreign', { 'user:bob': member('admin') }),
      garden('gone', { 'user:ann': member('admin') }, { deletedAt: 3 }),
    ]
    const { reach, roles } = into(gardens, { gardens: { granted: 'writer' } })
    expect(reach).toEqual({
      owners: [
        {
          owner: 'ann',
          scopes: 'all',
          gardens: ['reads', 'writes', 'moderates', 'only-named', 'granted'],
          writes: ['writes', 'moderates', 'granted'],
          federated: false,
        },
      ],
    })
    expect(roles.map(({ slug, roles: held }) => [slug, held])).toContainEqual(['granted', ['writer']])
  })

  it('the slug of a garden of another owner grants nothing', () => {
    const gardens = [garden('roses', {}, {}, 'bob'), garden('lilies', {}, {}, 'ann')]
    expect(into(gardens, { gardens: { roses: 'writer', lilies: 'reader' } }).reach).toMatchObject({
      owners: [{ owner: 'ann', gardens: ['lilies'], writes: [] }],
    })
    expect(into(gardens, { gardens: { roses: 'writer' } }, '*').reach).toMatchObject({
      owners: [
        { owner: 'bob', gardens: ['roses'], writes: ['roses'] },
        { owner: '*', gardens: [], writes: [] },
      ],
    })
  })

  it('an administrator reads every garden of its owner, and everything only with all owners and scopes', () => {
    expect(into([], { rights: ['admin'] }).reach).toEqual({
      owners: [{ owner: 'ann', scopes: 'all', gardens: 'all', writes: 'all', federated: false }],
    })
    expect(into([], { rights: ['admin', 'federated'] }).reach).not.toBe('everything')
    expect(into([], { rights: ['admin', 'federated'] }, '*').reach).toBe('everything')
    expect(into([], { rights: ['admin'] }, '*').reach).not.toBe('everything')
    expect(into([], { rights: ['admin', 'federated'], scopes: ['team'] }, '*').reach).not.toBe('everything')
  })

  it('without the right to read or write, it reads and writes nothing', () => {
    expect(into([], { rights: ['federated'] })).toMatchObject({ reach: { owners: [] }, mayWrite: false, owner: 'ann' })
    expect(into([], { rights: ['read'] })).toMatchObject({ reach: { owners: [{ owner: 'ann' }] }, mayWrite: false })
    expect(into([], { rights: ['write'] })).toMatchObject({ reach: { owners: [{ owner: 'ann' }] }, mayWrite: true })
    expect(into([], { rights: ['read'] }, '*').owner).toBeNull()
  })
})
