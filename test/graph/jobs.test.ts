import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runJob } from '../../src/engine/jobs/run-job.js'
import { createSchedule, nextRun, retryAt } from '../../src/jobs/schedule.js'
import { openWorld, type World } from './world.js'

const HOUR = 3600e6
const DAY = 24 * HOUR
const report = z.object({ jobs: z.array(z.looseObject({ state: z.string(), run: z.string() })) })

describe('maintenance', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  const run = async (kind: string, on = world) => {
    const [job] = report.parse(await on.call('admin/jobs', { action: 'run', kind })).jobs
    if (job === undefined) throw new Error('no report')
    return job
  }
  const statusOf = async (id: string) => (await world.node('get_node', { node_id: id })).status
  const undo = (what: string) => world.call('admin/undo', { what })

  it('ends a duplicate of an older fact, and moves its relations to that one', async () => {
    const old = await world.node('create_node', { text: 'The warehouse key hangs in the office.' })
    const twin = await world.node('create_node', { text: 'The warehouse key hangs in the office!' })
    const place = await world.node('create_node', { text: 'Office Building', node_type: 'Entity' })
    await world.call('create_relation', { from_id: twin.id, to_id: place.id, relation_type: 'DESCRIBES', properties: { w: 1 } })
    const job = await run('deduplicate')
    expect(job).toMatchObject({ state: 'done', checked: 2, merged: 1 })
    expect([await statusOf(old.id), await statusOf(twin.id)]).toEqual(['active', 'outdated'])
    expect((await world.node('get_node', { node_id: old.id })).last_dedup_at).toBeTypeOf('number')
    const relation = async () =>
      (await world.backend.store.edges({ owner: 'default', types: ['DESCRIBES'], limit: 10 })).map((edge) => edge.from)
    expect(await relation()).toEqual([old.id])

    expect(await run('deduplicate')).toMatchObject({ state: 'done', checked: 0, merged: 0 })
    expect(await undo(job.run)).toEqual({ undone: 2, skipped: [] })
    expect(await statusOf(twin.id)).toBe('active')
    expect(await relation()).toEqual([twin.id])
    expect(await run('deduplicate')).toMatchObject({ merged: 0 })
    const { versions } = z
      .object({ versions: z.array(z.record(z.string(), z.unknown())) })
      .parse(await world.call('get_node_change_history', { node_id: twin.id }))
    expect(versions.map((version) => version.reason)).toEqual([`undo of ${job.run}`, `duplicate of ${old.id}`])
    expect(versions[1]).toMatchObject({ changed_by: job.run })
  })

  it('keeps facts that differ in a number or a negation', async () => {
    const texts = [
      'The limit of the gateway is 100 requests.',
      'The limit of the gateway is 500 requests.',
      'The gateway does log bodies of requests today.',
      'The gateway does not log bodies of requests today.',
    ]
    for (const text of texts) await world.node('create_node', { text })
    expect(await run('deduplicate')).toMatchObject({ checked: 4, merged: 0 })
  })

  it('archives expired facts unless a relation retains them', async () => {
    const free = await world.node('create_node', { text: 'The pop-up shop is open.', ttl_days: 1 })
    const held = await world.node('create_node', { text: 'The pop-up shop sells lamps.', ttl_days: 1 })
    const stays = await world.node('create_node', { text: 'Lamps are made in Turin.' })
    await world.call('create_relation', { from_id: held.id, to_id: stays.id, relation_type: 'RELATED_TO' })
    expect(await run('archive')).toMatchObject({ archived: 0 })
    world.clock.advance(2 * DAY)
    const job = await run('archive')
    expect(job).toMatchObject({ state: 'done', checked: 2, archived: 1 })
    expect(await statusOf(free.id)).toBe('archived')
    expect(await world.call('get_node', { node_id: held.id })).toMatchObject({ code: 'memory_not_found' })
    expect(await world.call('search', { query: 'pop-up shop', status: 'archived' })).toMatchObject({ results: [{ id: free.id }] })
    expect(await run('archive')).toMatchObject({ archived: 0 })
    expect(await undo(job.run)).toEqual({ undone: 1, skipped: [] })
    expect((await world.backend.store.facts([free.id]))[0]?.status).toBe('active')
  })

  it('takes back one change by its number, but not over a later one', async () => {
    const fact = await world.node('create_node', { text: 'First wording.' })
    await world.call('update_node', { node_id: fact.id, text: 'Second wording.' })
    const [second] = await world.backend.store.journal({ target: fact.id, newestFirst: true, limit: 1 })
    await world.call('update_node', { node_id: fact.id, text: 'Third wording.' })
    await expect(undo(String(second?.seq))).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(fact.id) })
    const [third] = await world.backend.store.journal({ target: fact.id, newestFirst: true, limit: 1 })
    expect(await undo(String(third?.seq))).toEqual({ undone: 1, skipped: [] })
    expect((await world.node('get_node', { node_id: fact.id })).text).toBe('Second wording.')
    await expect(undo('job:nothing#1')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is never done by two processes at once', async () => {
    const other = await openWorld({}, { directory: world.directory, clock: world.clock })
    const lease = await other.backend.jobs.take('archive', 'default', 'other', world.clock.now(), world.clock.now() + HOUR)
    expect(report.safeParse(await world.call('admin/jobs', { action: 'run', kind: 'archive' })).success).toBe(false)
    expect(await world.call('admin/jobs', { action: 'run', kind: 'archive' })).toMatchObject({ jobs: [{ state: 'busy' }] })
    world.clock.advance(2 * HOUR)
    expect(await run('archive')).toMatchObject({ state: 'done' })
    // The first holder's lease expired: its write is rejected.
    expect(lease === undefined ? undefined : await other.backend.jobs.renew(lease, world.clock.now() + HOUR, {})).toBe(false)
    await other.close()
  })

  it('continues an interrupted run', async () => {
    for (let i = 0; i < 120; i++)
      await world.node('create_node', { text: `Expired note ${i} about nothing`, ttl_days: 1, auto_link: false })
    world.clock.advance(2 * DAY)
    const abort = new AbortController()
    const base = { kind: 'archive', owner: 'default', leaseSeconds: 60 } as const
    const first = await runJob(world.environment, { ...base, holder: 'one', signal: abort.signal, progress: () => abort.abort() })
    expect(first).toMatchObject({ state: 'interrupted', result: { archived: 100 } })
    const second = await runJob(world.environment, { ...base, holder: 'two', signal: new AbortController().signal })
    expect(second).toMatchObject({ state: 'done', result: { checked: 120, archived: 120 } })
  })

  it('runs by schedule: once when due, with any number of processes', async () => {
    const other = await openWorld({}, { directory: world.directory, clock: world.clock })
    const options = { owners: ['default'], allOwners: false, leaseSeconds: 600, holder: 'a' }
    const schedules = [createSchedule(world.engine.context(), options), createSchedule(other.engine.context(), { ...options, holder: 'b' })]
    const generations = async () =>
      (await world.backend.jobs.list()).filter((job) => job.kind === 'deduplicate').map((job) => job.progress.run)
    for (const schedule of schedules) await schedule.tick()
    expect(await generations()).toEqual([undefined])
    world.clock.advance(HOUR)
    await Promise.all(schedules.map((schedule) => schedule.tick()))
    const [after] = await generations()
    expect(after).toBeTypeOf('number')
    for (const schedule of schedules) await schedule.tick()
    expect(await generations()).toEqual([after])
    await other.close()
  })

  it('runs at fixed hours', () => {
    const sunday = Date.UTC(2026, 0, 4, 3) * 1000
    expect(nextRun('deduplicate', sunday)).toBe(sunday + HOUR)
    expect(nextRun('archive', sunday - 1)).toBe(sunday)
    expect(nextRun('archive', sunday)).toBe(sunday + 7 * DAY)
    expect([0, 1, 2, 3].map((attempts) => retryAt('archive', sunday, attempts) - sunday)).toEqual([2e6, 4e6, 8e6, 7 * DAY])
  })

  it('processes every owner on request', async () => {
    const all = await openWorld({ jobsAllOwners: true })
    for (const owner_id of ['ann', 'ben']) await all.node('create_node', { text: 'Soon over.', ttl_days: 1, owner_id })
    all.clock.advance(2 * DAY)
    expect(await all.call('admin/jobs', { action: 'run', kind: 'archive' })).toMatchObject({
      jobs: [
        { owner: 'ann', archived: 1 },
        { owner: 'ben', archived: 1 },
      ],
    })
    await all.close()
  })
})
