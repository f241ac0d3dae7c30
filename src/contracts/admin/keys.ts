import { z } from 'zod'
import { createKey, listKeys, revokeKey } from '../../engine/access/keys.js'
import { entityOf, gardenRoles, keyShape, rights, rolesIn, scopes, scopesOf, toKey } from '../key-input.js'
import { operation } from '../operation.js'
import { keysText, newKeyText } from './plain-text.js'

export const keysCreate = operation({
  name: 'keys_create',
  command: 'keys create',
  title: 'Create a key',
  description: 'Create an API key for the HTTP server and print it once; only its digest is stored',
  effect: 'write',
  idempotent: false,
  keyed: false,
  positionals: ['owner', 'entity'],
  input: z.strictObject({
    owner: z.string().min(1).describe('Owner that the key opens; * for all owners'),
    entity: z.string().min(1).optional().describe('URI of the entity that uses the key; default user:<owner>'),
    source: z.array(z.string()).optional().describe('Further sources for which it may assert facts'),
    scope: scopes.optional().describe('Scopes it reads and writes (local, team, company, public); default all'),
    garden: gardenRoles.optional().describe('Roles in gardens, as slug:role'),
    right: rights.optional().describe('read, write, admin, federated; default read and write'),
  }),
  output: z.object({ id: z.string(), key: z.string() }),
  text: newKeyText,
  run: ({ context, actor }, { owner, entity, source, scope, garden, right }) =>
    createKey(
      context,
      { actor, principal: context.principal },
      {
        owner,
        entity: entityOf(owner, entity),
        sources: source ?? [],
        scopes: scopesOf(scope),
        gardens: rolesIn(garden ?? []),
        ...(right === undefined ? {} : { rights: right }),
      },
    ),
})

export const keysList = operation({
  name: 'keys_list',
  command: 'keys list',
  title: 'List keys',
  description: 'List keys without their secrets',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ owner: z.string().optional().describe('Only keys of this owner') }),
  output: z.object({ keys: z.array(keyShape) }),
  text: keysText,
  run: async ({ context }, { owner }) => ({ keys: (await listKeys(context, owner)).map(toKey) }),
})

export const keysRevoke = operation({
  name: 'keys_revoke',
  command: 'keys revoke',
  title: 'Revoke a key',
  description: 'Revoke a key by its id, and end its sessions',
  effect: 'destroy',
  idempotent: true,
  keyed: false,
  positionals: ['id'],
  input: z.strictObject({ id: z.string() }),
  output: keyShape,
  run: async ({ context, actor }, { id }) => toKey(await revokeKey(context, { actor, principal: context.principal }, id)),
})
