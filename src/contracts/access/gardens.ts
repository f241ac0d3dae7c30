import { z } from 'zod'
import { GARDEN_ROLES, type Garden, gardenUri, type Member, SLUG } from '../../core/access/garden.js'
import { SCOPES } from '../../core/facts/fact.js'
import { formatInstant } from '../../core/input/input.js'
import { normalUri } from '../../core/statements/uri.js'
import {
  createGarden,
  decideQuarantine,
  deleteGarden,
  findGarden,
  listGardens,
  removeMember,
  setMember,
} from '../../engine/access/gardens.js'
import type { Call } from '../operation.js'
import { operation } from '../operation.js'

const PATH = '/v1/gardens'

const memberShape = z.object({ entity_uri: z.string(), role: z.string(), added_by: z.string(), added_at: z.string() })
const gardenShape = z.object({
  id: z.string(),
  garden_id: z.string(),
  slug: z.string(),
  name: z.string(),
  scope: z.string(),
  description: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  members: z.array(memberShape),
  quarantine: z.boolean(),
})

const memberRecord = memberShape.extend({ garden: z.string() })

const toMember = (slug: string, entity_uri: string, { role, addedBy, addedAt }: Member): z.input<typeof memberRecord> => ({
  ...{ garden: slug, entity_uri, role, added_by: addedBy, added_at: formatInstant(addedAt) },
})

const toGarden = ({ members, createdBy, createdAt, isDeleted: _, owner: _owner, ...garden }: Garden): z.input<typeof gardenShape> => ({
  ...garden,
  garden_id: gardenUri(garden.slug),
  created_by: createdBy,
  created_at: formatInstant(createdAt),
  members: Object.entries(members).map(([entity_uri, { role, addedBy, addedAt }]) => ({
    entity_uri,
    role,
    added_by: addedBy,
    added_at: formatInstant(addedAt),
  })),
})

const callerOf = ({ context, actor }: Call) => ({ principal: context.principal, actor })
const slug = z.string().min(1).describe('Slug or URI of the garden')
const role = z.enum(GARDEN_ROLES)
const entity = z.string()

const shared = { malformed: 'unprocessable', listed: true } as const

export const createGardenOperation = operation({
  ...shared,
  name: 'create_garden',
  title: 'Create a garden',
  description: 'Create a members-only partition of facts; the caller becomes its first admin',
  effect: 'write',
  idempotent: false,
  route: { method: 'POST', path: PATH, status: 201 },
  input: z.strictObject({
    slug: z.string().regex(SLUG, 'must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or digit'),
    name: z.string().min(1).max(200),
    scope: z.enum(SCOPES).default('company').describe('Scope of every fact in it; immutable'),
    description: z.string().max(2000).optional(),
    quarantine: z.boolean().default(false).describe('Facts wait in it until a moderator promotes them'),
  }),
  output: gardenShape,
  run: async (call, { description, ...options }) =>
    toGarden(await createGarden(call.context, callerOf(call), { ...options, description: description ?? null })),
})

export const listGardensOperation = operation({
  ...shared,
  name: 'list_gardens',
  title: 'List gardens',
  description: 'List the gardens in which the caller has a role',
  effect: 'read',
  idempotent: true,
  route: { method: 'GET', path: PATH, status: 200 },
  input: z.strictObject({}),
  output: z.object({ gardens: z.array(gardenShape), total: z.int() }),
  async run(call) {
    const gardens = (await listGardens(call.context, callerOf(call))).map(toGarden)
    return { gardens, total: gardens.length }
  },
})

export const getGarden = operation({
  ...shared,
  name: 'get_garden',
  title: 'Get a garden',
  description: 'Get one garden with its members',
  effect: 'read',
  idempotent: true,
  route: { method: 'GET', path: `${PATH}/:slug`, status: 200 },
  input: z.strictObject({ slug }),
  output: gardenShape,
  run: async (call, input) => toGarden(await findGarden(call.context, callerOf(call), input.slug)),
})

export const deleteGardenOperation = operation({
  ...shared,
  name: 'delete_garden',
  title: 'Delete a garden',
  description: 'Close a garden. Its facts stay, readable by administrators only, and its slug is never reused',
  effect: 'destroy',
  idempotent: false,
  keyed: false,
  right: 'write',
  route: { method: 'DELETE', path: `${PATH}/:slug`, status: 204 },
  input: z.strictObject({ slug }),
  output: z.object({}),
  async run(call, input) {
    await deleteGarden(call.context, callerOf(call), input.slug)
    return {}
  },
})

export const addMember = operation({
  ...shared,
  name: 'add_garden_member',
  title: 'Add a member',
  description: 'Add a member to a garden',
  effect: 'write',
  idempotent: false,
  route: { method: 'POST', path: `${PATH}/:slug/members`, status: 201 },
  input: z.strictObject({ slug, entity_uri: entity, role: role.default('reader') }),
  output: memberRecord,
  async run(call, input) {
    const entity = normalUri(input.entity_uri, 'entity_uri')
    const { garden, member } = await setMember(call.context, callerOf(call), input.slug, { entity, role: input.role, mode: 'add' })
    return toMember(garden.slug, entity, member)
  },
})

export const setMemberOperation = operation({
  ...shared,
  name: 'set_garden_member',
  title: 'Set a member',
  description: 'Add a member to a garden, or change the role of a member',
  effect: 'write',
  idempotent: true,
  route: {
    method: 'PUT',
    path: `${PATH}/:slug/members/:entity{.+}`,
    status: 200,
    statusOf: ({ added }) => (added === true ? 201 : 200),
    otherStatuses: [201],
  },
  input: z.strictObject({ slug, entity, role }),
  output: memberRecord.extend({ added: z.boolean() }),
  async run(call, input) {
    const entity = normalUri(input.entity)
    const { garden, member, isNew } = await setMember(call.context, callerOf(call), input.slug, { entity, role: input.role, mode: 'put' })
    return { ...toMember(garden.slug, entity, member), added: isNew }
  },
})

export const changeMember = operation({
  ...shared,
  name: 'change_garden_member',
  title: 'Change a member',
  description: 'Change the role of a member',
  effect: 'write',
  idempotent: true,
  listed: false,
  route: { method: 'PATCH', path: `${PATH}/:slug/members/:entity{.+}`, status: 200 },
  input: z.strictObject({ slug, entity, role }),
  output: memberRecord,
  async run(call, input) {
    const entity = normalUri(input.entity)
    const { garden, member } = await setMember(call.context, callerOf(call), input.slug, { entity, role: input.role, mode: 'change' })
    return toMember(garden.slug, entity, member)
  },
})

export const listMembers = operation({
  ...shared,
  name: 'list_garden_members',
  title: 'List members',
  description: 'List the members of a garden with their roles',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: { method: 'GET', path: `${PATH}/:slug/members`, status: 200 },
  input: z.strictObject({ slug }),
  output: z.object({ members: z.array(memberRecord), total: z.int() }),
  async run(call, input) {
    const garden = await findGarden(call.context, callerOf(call), input.slug)
    const members = Object.entries(garden.members).map(([entity, member]) => toMember(garden.slug, entity, member))
    return { members, total: members.length }
  },
})

export const removeMemberOperation = operation({
  ...shared,
  name: 'remove_garden_member',
  title: 'Remove a member',
  description: 'Remove a member from a garden; the last admin cannot be removed',
  effect: 'destroy',
  idempotent: false,
  keyed: false,
  right: 'write',
  route: { method: 'DELETE', path: `${PATH}/:slug/members/:entity{.+}`, status: 204 },
  input: z.strictObject({ slug, entity }),
  output: z.object({}),
  async run(call, input) {
    await removeMember(call.context, callerOf(call), input.slug, normalUri(input.entity))
    return {}
  },
})

const decided = z.object({ fact_id: z.string(), quarantine_status: z.string(), garden_id: z.string().nullable() })
const reason = z.string().max(2000).default('')

export const promoteFact = operation({
  ...shared,
  name: 'promote_fact',
  title: 'Promote a fact',
  description: 'Promote a fact from a quarantine garden, into another garden or into none',
  effect: 'write',
  idempotent: false,
  route: { method: 'POST', path: `${PATH}/:slug/promote`, status: 200 },
  input: z.strictObject({ slug, fact_id: z.string().min(1), reason, target_garden_id: z.string().optional() }),
  output: decided,
  async run(call, input) {
    const decision = { verdict: 'promoted', factId: input.fact_id, reason: input.reason, target: input.target_garden_id } as const
    const fact = await decideQuarantine(call.context, callerOf(call), input.slug, decision)
    return { fact_id: fact.id, quarantine_status: 'promoted', garden_id: fact.garden === null ? null : gardenUri(fact.garden) }
  },
})

export const rejectFact = operation({
  ...shared,
  name: 'reject_fact',
  title: 'Reject a fact',
  description: 'Reject a fact in a quarantine garden permanently',
  effect: 'write',
  idempotent: false,
  route: { method: 'POST', path: `${PATH}/:slug/reject`, status: 200 },
  input: z.strictObject({ slug, fact_id: z.string().min(1), reason }),
  output: decided,
  async run(call, input) {
    const fact = await decideQuarantine(call.context, callerOf(call), input.slug, {
      verdict: 'rejected',
      factId: input.fact_id,
      reason: input.reason,
    })
    return { fact_id: fact.id, quarantine_status: 'rejected', garden_id: fact.garden === null ? null : gardenUri(fact.garden) }
  },
})
