import { z } from 'zod'
import { GARDEN_ROLES } from '../../core/access/garden.js'
import { createKey, listKeys, revokeKey } from '../../engine/access/keys.js'
import { entityOf, gardenRoles, keyShape, rights, rolesIn, scopes, scopesOf, toKey } from '../key-input.js'
import { operation } from '../operation.js'

const PATH = '/v1/auth/keys'

export const createKeyOperation = operation({
  name: 'create_key',
  title: 'Create a key',
  description: 'Create a key for one owner. The response contains it once; it cannot be read again',
  effect: 'write',
  idempotent: false,
  keyed: false,
  right: 'admin',
  malformed: 'unprocessable',
  route: { method: 'POST', path: PATH, status: 201 },
  input: z.strictObject({
    owner: z.string().min(1).describe('Owner that the key opens; * for all owners'),
    entity: z.string().min(1).optional().describe('URI of the entity that uses the key'),
    sources: z.array(z.string().min(1)).optional().describe('Further sources for which it may assert facts'),
    scopes: scopes.optional().describe('Scopes it reads and writes; default all'),
    gardens: z
      .union([z.record(z.string(), z.enum(GARDEN_ROLES)), gardenRoles])
      .meta({ wire: 'object' })
      .optional()
      .describe('Roles in gardens by slug'),
    rights: rights.optional().describe('read, write, admin, federated; default read and write'),
  }),
  output: z.object({ id: z.string(), key: z.string() }),
  async run({ context, actor }, { owner, entity, gardens, ...rights }) {
    return createKey(
      context,
      { actor, principal: context.principal },
      {
        owner,
        entity: entityOf(owner, entity),
        ...(rights.sources === undefined ? {} : { sources: rights.sources }),
        ...(rights.rights === undefined ? {} : { rights: rights.rights }),
        scopes: scopesOf(rights.scopes),
        gardens: Array.isArray(gardens) ? rolesIn(gardens) : (gardens ?? {}),
      },
    )
  },
})

export const listKeysOperation = operation({
  name: 'list_keys',
  title: 'List keys',
  description: 'List keys without their secrets',
  effect: 'read',
  idempotent: true,
  right: 'admin',
  malformed: 'unprocessable',
  route: { method: 'GET', path: PATH, status: 200 },
  input: z.strictObject({ owner: z.string().optional() }),
  output: z.object({ keys: z.array(keyShape) }),
  run: async ({ context }, { owner }) => ({ keys: (await listKeys(context, owner)).map(toKey) }),
})

export const revokeKeyOperation = operation({
  name: 'revoke_key',
  title: 'Revoke a key',
  description: 'Revoke a key and end its sessions',
  effect: 'destroy',
  idempotent: true,
  keyed: false,
  right: 'admin',
  malformed: 'unprocessable',
  route: { method: 'DELETE', path: `${PATH}/:id`, status: 204 },
  input: z.strictObject({ id: z.string() }),
  output: keyShape,
  run: async ({ context, actor }, { id }) => toKey(await revokeKey(context, { actor, principal: context.principal }, id)),
})
