import { z } from 'zod'
import { GARDEN_ROLES } from '../../core/access/garden.js'
import { createKey, listKeys, revokeKey } from '../../engine/access/keys.js'
import { entityOf, gardenRoles, keyShape, rights, rolesIn, scopes, scopesOf, toKey } from '../key-input.js'
import { operation } from '../operation.js'

const PATH = '/v1/auth/keys'

export const createKeyOperation = operation({
  name: 'create_key',
  title: 'Create a key',
  description: 'Make a key for one owner. The answer shows it once; afterwards nobody can read it',
  effect: 'write',
  idempotent: false,
  keyed: false,
  right: 'admin',
  malformed: 'unprocessable',
  route: { method: 'POST', path: PATH, status: 201 },
  input: z.strictObject({
    owner: z.string().min(1).describe('Whose memory it opens; * is everyone'),
    entity: z.string().min(1).optional().describe('URI of who speaks with it'),
    sources: z.array(z.string().min(1)).optional().describe('Further URIs it may speak for'),
    scopes: scopes.optional().describe('Scopes it reads and writes; all unless given'),
    gardens: z
      .union([z.record(z.string(), z.enum(GARDEN_ROLES)), gardenRoles])
      .meta({ wire: 'object' })
      .optional()
      .describe('Roles in gardens by slug'),
    rights: rights.optional().describe('read, write, admin, federated; read and write unless given'),
  }),
  output: z.object({ id: z.string(), key: z.string() }),
  async run({ context, actor }, { owner, entity, gardens, ...given }) {
    return createKey(
      context,
      { actor, principal: context.principal },
      {
        owner,
        entity: entityOf(owner, entity),
        ...(given.sources === undefined ? {} : { sources: given.sources }),
        ...(given.rights === undefined ? {} : { rights: given.rights }),
        scopes: scopesOf(given.scopes),
        gardens: Array.isArray(gardens) ? rolesIn(gardens) : (gardens ?? {}),
      },
    )
  },
})

export const listKeysOperation = operation({
  name: 'list_keys',
  title: 'List keys',
  description: 'The keys that were made, without the keys themselves',
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
  description: 'End a key, and the sessions that were opened with it',
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
