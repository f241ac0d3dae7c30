import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applyDecay } from '../../src/core/statements/decay.js'
import { runJob } from '../../src/engine/jobs/run-job.js'
import { BACKENDS, fact, keyOf, listIn, openNode, ref, type TestNode } from './node.js'

const codeOf = ({ code, reason }: { readonly code: string; readonly reason: string }): string => `${code} ${reason}`

test('a confidence halves after each half-life, down to the minimum', () => {
  expect(applyDecay(1, 7200, 3600, 0)).toBeCloseTo(0.25, 9)
  expect(applyDecay(0.8, 3600, 3600, 0)).toBeCloseTo(0.4, 9)
  expect(applyDecay(1, 36_000, 3600, 0.1)).toBe(0.1)
  expect(applyDecay(0.05, 36_000, 3600, 0.1)).toBe(0.05)
  expect(applyDecay(1, -5, 3600, 0)).toBe(1)
})

describe.each(BACKENDS)('upkeep on %s', (kind) => {
  let node: TestNode
  beforeEach(async () => {
    node = await openNode(kind)
  })
  afterEach(() => node.close())

  const confidenceOf = async (id: unknown) => (await node.call('get_fact', { id })).confidence

  test('statements decay by the most specific policy with their edges; two sweeps equal one (L36.1)', async () => {
    const weather = await node.call('assert_fact', ref('user:a', 'weather:seen', 'user:b'))
    const role = await node.call('assert_fact', fact('user:a', 'memory:role', 'CEO'))
    const tip = await node.call('assert_fact', fact('user:a', 'tip:now', 'sale'))
    const reified = await node.call('assert_fact', fact('stigmem:rel:1', 'rel:type', 'marriage'))
    const policy = await node.call('create_decay_policy', { relation: 'weather:*', half_life_s: 3600, mode: 'confidence' })
    await node.call('create_decay_policy', { relation: '*', half_life_s: 1e9, exempt_relations: ['memory:*'] })
    await node.call('create_decay_policy', { relation: 'tip:now', ttl_s: 60, mode: 'retract' })
    expect(listIn(await node.call('list_decay_policies'), 'policies')).toHaveLength(3)
    node.clock.set(node.clock.now() + 7200e6)
    const dry = await node.call('decay_scope', { scope: 'company', mode: 'dry_run' })
    expect(dry).toMatchObject({ facts_reduced: 0, facts_retracted: 0, dry_run_would_reduce: 1, dry_run_would_retract: 1 })
    expect(await confidenceOf(weather.id)).toBe(1)
    const swept = await node.call('decay_scope', { scope: 'company' })
    expect(swept).toMatchObject({ facts_reduced: 1, facts_retracted: 1, facts_evaluated: 2, dry_run_would_reduce: 0, scope: 'company' })
    expect(swept.policies_applied).toContain(policy.id)
    expect(Number(await confidenceOf(weather.id))).toBeCloseTo(0.25, 3)
    const [edge] = await node.backend.store.edgesById([String(weather.id)])
    expect(edge?.confidence).toBeCloseTo(0.25, 3)
    expect([await confidenceOf(role.id), await confidenceOf(tip.id), await confidenceOf(reified.id)]).toEqual([1, 0, 1])
    expect(await node.call('get_fact', { id: weather.id })).toMatchObject({ hash: weather.hash, cid: weather.cid })
    expect(await node.call('decay_scope', { scope: 'company' })).toMatchObject({ facts_reduced: 0, facts_retracted: 0 })
    await node.call('delete_decay_policy', { id: policy.id })
    expect(codeOf(await node.refusal('delete_decay_policy', { id: policy.id }))).toBe('not_found policy_not_found')
    expect(codeOf(await node.refusal('decay_scope', { policy_id: 'none' }))).toBe('not_found policy_not_found')
    expect(codeOf(await node.refusal('create_decay_policy', { relation: 'a*b' }))).toBe('unprocessable invalid_input')
  })

  test('repair 5: a policy accepts a chosen id once', async () => {
    const policy = await node.call('create_decay_policy', { id: 'weather', relation: 'weather:*', half_life_s: 3600 })
    expect(policy).toMatchObject({ id: 'weather', relation: 'weather:*' })
    expect(codeOf(await node.refusal('create_decay_policy', { id: 'weather', ttl_s: 60 }))).toBe('conflict already_exists')
    expect(codeOf(await node.refusal('create_decay_policy', { id: 'a b' }))).toBe('unprocessable invalid_input')
    await node.call('assert_fact', fact('user:a', 'weather:seen', 'rain'))
    node.clock.set(node.clock.now() + 7200e6)
    expect((await node.call('decay_scope', { policy_id: 'weather' })).policies_applied).toEqual(['weather'])
    await node.call('delete_decay_policy', { id: 'weather' })
    expect(listIn(await node.call('list_decay_policies'), 'policies')).toEqual([])
    await node.call('create_decay_policy', { id: 'weather', ttl_s: 60 })
  })

  test('cards do not decay, and the schedule sweeps like a call (L195.1)', async () => {
    const payload = await node.call('assert_fact', fact('user:a', 'weather:seen', 'rain'))
    await node.call('memory_card', { entity: 'user:a' })
    await node.call('create_decay_policy', { half_life_s: 3600 })
    node.clock.set(node.clock.now() + 3600e6)
    const report = await runJob(node.engine.context(), {
      ...{ kind: 'decay', owner: 'default', holder: 'test', leaseSeconds: 60, signal: new AbortController().signal },
    })
    expect(report).toMatchObject({ state: 'done', result: { checked: 1, faded: 1 } })
    expect(Number(await confidenceOf(payload.id))).toBeCloseTo(0.5, 3)
    expect((await node.backend.store.facts(['card:user:a:company']))[0]).toMatchObject({ confidence: 1, status: 'active' })
    expect(await node.call('memory_card', { entity: 'user:a' })).toMatchObject({ confidence: 1 })
  })

  test('lint reports problems of a scope, and changes nothing', async () => {
    const object = await node.call('assert_fact', fact('user:a', 'memory:role', 'CEO'))
    const two = await node.call('assert_fact', fact('user:a', 'memory:role', 'CTO', { source: 'agent:b' }))
    await node.call('assert_fact', fact('user:b', 'nickname', 'Bo'))
    await node.call('assert_fact', ref('user:c', 'memory:knows', 'user:ghost'))
    await node.call('assert_fact', fact('user:c', 'memory:visit', 'Porto', { valid_until: '2020-01-01T00:00:00Z' }))
    const report = await node.call('lint_scope', { scope: 'company' })
    expect(report).toMatchObject({
      scope: 'company',
      fact_count: 4,
      checks_run: ['contradiction', 'stale', 'orphan', 'broken_ref', 'namespacing'],
    })
    const findings = listIn(report, 'findings')
    const found = (check: string) => findings.filter((finding) => finding.check === check)
    expect(found('contradiction')).toMatchObject([{ severity: 'error', entity: 'user:a', relation: 'memory:role' }])
    const ids = found('contradiction')[0]?.fact_ids
    expect(Array.isArray(ids) && [object.id, two.id].every((id) => id !== undefined && ids.includes(id))).toBe(true)
    expect(found('stale')).toMatchObject([{ severity: 'warning', entity: 'user:c' }])
    expect(found('broken_ref')).toMatchObject([{ severity: 'warning', entity: 'user:c', relation: 'memory:knows' }])
    expect(found('namespacing')).toMatchObject([{ severity: 'warning', relation: 'nickname' }])
    expect(
      found('orphan')
        .map(({ entity }) => entity)
        .sort(),
    ).toEqual(['user:a', 'user:b'])
    const few = await node.call('lint_scope', { scope: 'company', checks: ['orphan'], entity: 'USER:b' })
    expect(listIn(few, 'findings')).toMatchObject([{ entity: 'user:b' }])
    expect(listIn(await node.call('lint_scope', { scope: 'company' }, keyOf({}, { scopes: ['public'] })), 'findings')).toEqual([])
    expect(codeOf(await node.refusal('lint_scope', { checks: ['spelling'] }))).toBe('unprocessable invalid_input')
  })
})
