import { z } from 'zod'
import { DECAY_MODES, type DecayPolicy } from '../../core/statements/decay.js'
import { toTimestamp } from '../../core/statements/statement.js'
import { createPolicy, deletePolicy, listPolicies, sweepAsCaller } from '../../engine/stigmem/decay.js'
import { LINT_CHECKS, lintStatements } from '../../engine/stigmem/lint.js'
import { operation } from '../operation.js'
import { confidence, record, scope, speakerOf } from './shapes.js'

const DECAY_PATH = '/v1/decay'

export const decayScope = operation({
  name: 'decay_scope',
  title: 'Decay scope',
  description: 'Let the facts of a scope fade by the policies, or tell with dry_run what would. Doing it twice changes nothing more.',
  effect: 'write',
  idempotent: true,
  keyed: false,
  longRunning: true,
  right: 'admin',
  malformed: 'unprocessable',
  route: {
    method: 'POST',
    path: `${DECAY_PATH}/sweep`,
    status: 200,
    statusOf: (answer) => (answer.status === 'running' ? 202 : 200),
    otherStatuses: [202],
  },
  input: z.strictObject({ scope: scope.optional(), mode: z.enum(DECAY_MODES).optional(), policy_id: z.string().optional() }),
  output: record,
  async run(call, input) {
    const { sweptAt, isDry, isRunning, evaluated, retracted, reduced, policies } = await sweepAsCaller(call.context, speakerOf(call), {
      ...{ scope: input.scope, mode: input.mode, policy: input.policy_id },
    })
    return {
      swept_at: toTimestamp(sweptAt),
      scope: input.scope ?? null,
      mode: input.mode ?? null,
      facts_evaluated: evaluated,
      facts_retracted: isDry ? 0 : retracted,
      facts_reduced: isDry ? 0 : reduced,
      dry_run_would_retract: isDry ? retracted : 0,
      dry_run_would_reduce: isDry ? reduced : 0,
      policies_applied: policies,
      ...(isRunning ? { status: 'running' } : {}),
    }
  },
})

const toPolicy = ({ id, relation, scope: within, mode, ttlSeconds, halfLifeSeconds, leastConfidence, exempt }: DecayPolicy) => ({
  ...{ id, relation, scope: within, mode, ttl_s: ttlSeconds, half_life_s: halfLifeSeconds, min_confidence: leastConfidence },
  exempt_relations: [...exempt],
})

const POLICIES = `${DECAY_PATH}/policies`

export const listPoliciesOperation = operation({
  name: 'list_decay_policies',
  title: 'List decay policies',
  description: 'By which rules facts fade.',
  effect: 'read',
  idempotent: true,
  listed: false,
  malformed: 'unprocessable',
  route: { method: 'GET', path: POLICIES, status: 200 },
  input: z.strictObject({}),
  output: z.object({ policies: z.array(record) }),
  run: async (call) => ({ policies: (await listPolicies(call.context, call.context.settings.defaultOwner)).map(toPolicy) }),
})

export const createPolicyOperation = operation({
  name: 'create_decay_policy',
  title: 'Create decay policy',
  description: 'Add a rule by which facts fade: kept for ttl_s seconds, or half of the confidence gone every half_life_s.',
  effect: 'write',
  idempotent: false,
  listed: false,
  right: 'admin',
  malformed: 'unprocessable',
  route: { method: 'POST', path: POLICIES, status: 201 },
  input: z.strictObject({
    id: z
      .string()
      .regex(/^[\w.:-]{1,128}$/u, 'must be 1 to 128 letters, digits, _ . : or -')
      .optional(),
    relation: z
      .string()
      .min(1)
      .max(512)
      .default('*')
      .refine((text) => !text.slice(0, -1).includes('*'), { error: 'a * may stand at the end alone' }),
    scope: scope.optional(),
    mode: z.enum(DECAY_MODES).default('confidence'),
    ttl_s: z.number().positive().optional(),
    half_life_s: z.number().positive().optional(),
    min_confidence: confidence.default(0),
    exempt_relations: z.array(z.string()).max(100).default([]),
  }),
  output: record,
  run: async (call, { id, ...input }) => toPolicy(await createPolicy(call.context, speakerOf(call), JSON.parse(JSON.stringify(input)), id)),
})

export const deletePolicyOperation = operation({
  name: 'delete_decay_policy',
  title: 'Delete decay policy',
  description: 'Take a rule by which facts fade away.',
  effect: 'destroy',
  idempotent: true,
  listed: false,
  right: 'admin',
  malformed: 'unprocessable',
  route: { method: 'DELETE', path: `${POLICIES}/:id`, status: 204 },
  input: z.strictObject({ id: z.string() }),
  output: z.object({ deleted: z.string() }),
  async run(call, { id }) {
    await deletePolicy(call.context, speakerOf(call), id)
    return { deleted: id }
  },
})

export const lintScope = operation({
  name: 'lint_scope',
  title: 'Lint scope',
  description: 'What is wrong with the facts of a scope: contradictions, expired facts, entities without links, references to nothing.',
  effect: 'read',
  idempotent: true,
  longRunning: true,
  malformed: 'unprocessable',
  route: { method: 'POST', path: '/v1/lint', status: 200 },
  input: z.strictObject({
    scope: scope.default('local'),
    checks: z.array(z.enum(LINT_CHECKS)).optional(),
    entity: z.string().optional(),
    relation: z.string().optional(),
    stale_lookahead_s: z.number().min(0).default(0),
  }),
  output: z.object({
    findings: z.array(record),
    checked_at: z.string(),
    scope: z.string(),
    checks_run: z.array(z.string()),
    fact_count: z.int(),
  }),
  async run(call, input) {
    const checks = input.checks ?? [...LINT_CHECKS]
    const { findings, checkedAt, facts } = await lintStatements(call.context, speakerOf(call), {
      ...{ scope: input.scope, checks, entity: input.entity, relation: input.relation, lookaheadSeconds: input.stale_lookahead_s },
    })
    return {
      findings: findings.map(({ facts: ids, ...finding }) => ({ ...finding, fact_ids: [...ids] })),
      ...{ checked_at: toTimestamp(checkedAt), scope: input.scope, checks_run: checks, fact_count: facts },
    }
  },
})
