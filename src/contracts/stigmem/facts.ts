import { z } from 'zod'
import { refusal } from '../../core/input/refusal.js'
import { assertStatement, readStatement, retractStatement } from '../../engine/stigmem/assert.js'
import { contradictedAmong } from '../../engine/stigmem/conflicts.js'
import { listStatements } from '../../engine/stigmem/list.js'
import { provenanceOf } from '../../engine/stigmem/provenance.js'
import { operation } from '../operation.js'
import { confidence, record, scope, speakerOf, toRecord, value } from './shapes.js'

const FACTS_PATH = '/v1/facts'

/** Recognises responses for existing facts. */
const isNew = (answer: Readonly<Record<string, unknown>>): number => (answer.existing === true ? 200 : 201)

export const assertFact = operation({
  name: 'assert_fact',
  title: 'Assert fact',
  description: 'Assert that an entity has a relation to a value. Confidence 0 retracts what the same source asserted.',
  effect: 'write',
  idempotent: true,
  malformed: 'unprocessable',
  route: [
    { method: 'POST', path: FACTS_PATH, status: 201, statusOf: isNew, otherStatuses: [200] },
    { method: 'PUT', path: FACTS_PATH, status: 201, statusOf: isNew, otherStatuses: [200] },
  ],
  input: z.strictObject({
    entity: z.string().describe('URI: stigmem://authority/type/id, or informal such as user:alice'),
    relation: z.string().describe('Namespaced, such as memory:role'),
    value: value.describe('{type, v}; type: string, text, number, boolean, datetime, ref (a URI), null'),
    source: z.string().optional().describe('URI of who says it'),
    confidence: confidence.optional(),
    scope: scope.optional(),
    valid_until: z.string().optional().describe('RFC 3339'),
    derived_from: z.array(z.string()).optional().describe('Hashes of the facts it follows from'),
    attestation_chain: z.array(z.string()).optional(),
    attestation_issuers: z.array(z.string()).optional(),
    garden_id: z.string().optional(),
    timestamp: z.string().optional().describe('When it was asserted, for imports'),
    write_mode: z.string().optional(),
  }),
  output: record,
  async run(call, input) {
    const { fact, isNew: made } = await assertStatement(call.context, speakerOf(call), {
      entity: input.entity,
      relation: input.relation,
      value: input.value,
      source: input.source,
      confidence: input.confidence,
      scope: input.scope,
      validUntil: input.valid_until,
      derivedFrom: input.derived_from,
      attestationChain: input.attestation_chain,
      attestationIssuers: input.attestation_issuers,
      garden: input.garden_id,
      timestamp: input.timestamp,
    })
    const contradicted = await contradictedAmong(call.context, [fact.id])
    return { ...toRecord(fact, contradicted.has(fact.id)), ...(made ? {} : { existing: true }) }
  },
})

export const queryFacts = operation({
  name: 'query_facts',
  title: 'Query facts',
  description: 'Facts by entity, relation, source and the like, newest first. Expired ones and losers of contradictions only on request.',
  effect: 'read',
  idempotent: true,
  malformed: 'unprocessable',
  route: { method: 'GET', path: FACTS_PATH, status: 200 },
  input: z.strictObject({
    entity: z.string().optional(),
    relation: z.string().optional(),
    source: z.string().optional(),
    scope: scope.optional(),
    min_confidence: confidence.optional(),
    after: z.string().optional().describe('RFC 3339 or HLC'),
    include_contradicted: z.boolean().optional(),
    include_expired: z.boolean().optional(),
    garden_id: z.string().optional(),
    attested: z.boolean().optional(),
    cursor: z.string().optional(),
    limit: z.int().min(1).max(1000).default(50),
  }),
  output: z.object({ facts: z.array(record), total: z.int(), cursor: z.string().nullable() }),
  async run(call, input) {
    const { facts, contradicted, total, cursor } = await listStatements(call.context, speakerOf(call), {
      ...{ entity: input.entity, relation: input.relation, source: input.source, scope: input.scope },
      ...{ minConfidence: input.min_confidence, after: input.after, attested: input.attested },
      ...{ includeContradicted: input.include_contradicted, includeExpired: input.include_expired },
      ...{ garden: input.garden_id, cursor: input.cursor, limit: input.limit },
    })
    return { facts: facts.map((fact) => toRecord(fact, contradicted.has(fact.id))), total, cursor }
  },
})

export const getFact = operation({
  name: 'get_fact',
  title: 'Get fact',
  description: 'One fact by its id, ended ones too.',
  effect: 'read',
  idempotent: true,
  malformed: 'unprocessable',
  positionals: ['id'],
  route: { method: 'GET', path: `${FACTS_PATH}/:id`, status: 200 },
  input: z.strictObject({ id: z.string() }),
  output: record,
  async run(call, { id }) {
    const fact = await readStatement(call.context, speakerOf(call), id)
    return toRecord(fact, (await contradictedAmong(call.context, [fact.id])).has(fact.id))
  },
})

export const patchFact = operation({
  name: 'patch_fact',
  title: 'Patch fact',
  description: 'Refused: facts do not change. Assert a new one, or retract it.',
  effect: 'write',
  idempotent: true,
  keyed: false,
  listed: false,
  malformed: 'unprocessable',
  route: { method: 'PATCH', path: `${FACTS_PATH}/:id`, status: 200 },
  input: z.looseObject({ id: z.string() }),
  output: record,
  async run(call, input) {
    await readStatement(call.context, speakerOf(call), input.id)
    if ('derived_from' in input) throw refusal('derived_from_immutable', 'derived_from does not change once a fact is made')
    throw refusal('fact_immutable', 'A fact does not change once it is made', 'Assert a new fact, or retract this one.')
  },
})

export const retractFact = operation({
  name: 'retract_fact',
  title: 'Retract fact',
  description: 'Take one fact back: it keeps its content and has no confidence any more.',
  effect: 'destroy',
  idempotent: true,
  malformed: 'unprocessable',
  positionals: ['id'],
  route: { method: 'POST', path: `${FACTS_PATH}/:id/retract`, status: 200 },
  input: z.strictObject({ id: z.string(), reason: z.string().optional() }),
  output: record,
  run: async (call, { id, reason }) => toRecord(await retractStatement(call.context, speakerOf(call), { id, reason }), false),
})

export const provenance = operation({
  name: 'provenance',
  title: 'Provenance',
  description: 'What a fact was derived from, up to five steps back.',
  effect: 'read',
  idempotent: true,
  malformed: 'unprocessable',
  positionals: ['id'],
  route: { method: 'GET', path: `${FACTS_PATH}/:id/provenance`, status: 200 },
  input: z.strictObject({ id: z.string(), depth: z.int().min(1).default(3), scope: scope.optional() }),
  output: z.object({
    root_fact_id: z.string(),
    depth_limit: z.int(),
    nodes: z.array(record),
    edges: z.array(z.object({ derived_fact_id: z.string(), source_hash: z.string() })),
    truncated: z.boolean(),
  }),
  async run(call, input) {
    const { root, depth, nodes, edges, truncated } = await provenanceOf(call.context, speakerOf(call), input)
    return {
      root_fact_id: root.id,
      depth_limit: depth,
      nodes: nodes.map((node) => {
        if ('hash' in node) return { hash: node.hash, exists: false }
        const { id, hash, entity, relation, value: literal, confidence: sure } = toRecord(node.fact, false)
        return { id, hash, entity, relation, value: literal, confidence: sure, exists: true }
      }),
      edges: edges.map(({ derived, source }) => ({ derived_fact_id: derived, source_hash: source })),
      truncated,
    }
  },
})
