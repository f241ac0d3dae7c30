import { z } from 'zod'
import { createKey, listKeys, revokeKey } from '../../engine/access/keys.js'
import { entityOf, gardenRoles, keyShape, rights, rolesIn, scopes, scopesOf, toKey } from '../key-input.js'
import { operation } from '../operation.js'
import { keysText, newKeyText } from './plain-text.js'

export const keysCreate = operation({
  name: 'keys_create',
  command: 'keys create',
  title: 'Create a key',
  description: 'Make a key for the HTTP server and print it; it is shown this once, and only its hash is stored',
  effect: 'write',
  idempotent: false,
  keyed: false,
  positionals: ['owner', 'entity'],
  input: z.strictObject({
    owner: z.string().min(1).describe('Whose memory it opens; * is everyone'),
    entity: z.string().min(1).optional().describe('URI of who speaks with it; user:<owner> unless given'),
    source: z.array(z.string()).optional().describe('Further URIs it may speak for'),
    scope: scopes.optional().describe('Scopes it reads and writes (local, team, company, public); all unless given'),
    garden: gardenRoles.optional().describe('Roles in gardens, as slug:role'),
    right: rights.optional().describe('read, write, admin, federated; read and write unless given'),
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
  description: 'The keys that were made, without the keys themselves',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ owner: z.string().optional().describe('Only those of this owner') }),
  output: z.object({ keys: z.array(keyShape) }),
  text: keysText,
  run: async ({ context }, { owner }) => ({ keys: (await listKeys(context, owner)).map(toKey) }),
})

export const keysRevoke = operation({
  name: 'keys_revoke',
  command: 'keys revoke',
  title: 'Revoke a key',
  description: 'End a key by its id, and the sessions that were opened with it',
  effect: 'destroy',
  idempotent: true,
  keyed: false,
  positionals: ['id'],
  input: z.strictObject({ id: z.string() }),
  output: keyShape,
  run: async ({ context, actor }, { id }) => toKey(await revokeKey(context, { actor, principal: context.principal }, id)),
})
