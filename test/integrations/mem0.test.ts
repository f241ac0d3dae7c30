import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, runProgram, temporaryFolder } from '../wire/program.js'
import { openHttp } from '../wire/wire.js'

/** The members that the tests look into. */
const answer = z.any()

let server: Awaited<ReturnType<typeof openHttp>>
beforeAll(async () => {
  server = await openHttp(['--data-dir', temporaryFolder(), '--embedder', 'hash', '--profile', 'memory,mem0'])
})
afterAll(async () => {
  await server.close()
  removeTemporaryFolders()
})

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, url = server.url) {
  const response = await fetch(`${url}/compat/mem0${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: 'Token m0-any', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: answer.parse(await response.json()) }
}

const turns = [
  { role: 'user', content: 'I am a vegetarian and allergic to nuts.' },
  { role: 'assistant', content: 'Noted: no meat, no nuts.' },
]

describe('requests of mem0 clients', () => {
  it('store turns, search them with the filters of mem0, change and erase them', async () => {
    const added = await ask('POST', '/v3/memories/add/', {
      messages: turns,
      user_id: 'alex',
      run_id: 'r1',
      metadata: { topic: 'food' },
      output_format: 'v1.1',
    })
    expect(added).toMatchObject({ status: 200, body: { results: [{ event: 'ADD' }, { event: 'ADD' }] } })
    const found = await ask('POST', '/v3/memories/search/', {
      query: 'What may alex eat? vegetarian',
      filters: { AND: [{ user_id: 'alex' }, { run_id: 'r1' }] },
      top_k: 1,
    })
    expect(found.body.results).toMatchObject([
      { memory: turns[0]?.content, user_id: 'alex', run_id: 'r1', metadata: { topic: 'food' }, score: expect.any(Number) },
    ])
    const id = found.body.results[0].id
    expect(await ask('PUT', `/v1/memories/${id}/`, { text: 'Alex is vegan.' })).toMatchObject({
      body: { memory: 'Alex is vegan.', metadata: { topic: 'food' } },
    })
    expect((await ask('GET', `/v1/memories/${id}/history/`)).body).toMatchObject([
      { event: 'ADD', new_memory: turns[0]?.content },
      { event: 'UPDATE', old_memory: turns[0]?.content, new_memory: 'Alex is vegan.' },
    ])
    expect((await ask('GET', `/v1/memories/${id}/`)).body).toMatchObject({ id, memory: 'Alex is vegan.' })
    expect(await ask('DELETE', `/v1/memories/${id}/`)).toMatchObject({ status: 200 })
    expect(await ask('GET', `/v1/memories/${id}/`)).toMatchObject({ status: 404, body: { detail: `Memory not found: ${id}` } })
    expect((await ask('DELETE', '/v1/memories/?user_id=alex')).status).toBe(200)
    expect((await ask('POST', '/v3/memories/', { filters: { user_id: 'alex' } })).body).toMatchObject({ count: 0, results: [] })
  })

  it('are also served at the routes of the self-hosted server', async () => {
    const { body } = await ask('POST', '/memories', { messages: 'Prefers the window seat', agent_id: 'travel', infer: false })
    const id = body.results[0].id
    expect((await ask('GET', '/memories?agent_id=travel')).body).toMatchObject({ count: 1, results: [{ id, agent_id: 'travel' }] })
    expect((await ask('POST', '/search', { query: 'seat', agent_id: 'travel' })).body.results[0]).toMatchObject({ id })
    expect((await ask('GET', `/memories/${id}/history`)).body).toHaveLength(1)
    expect((await ask('PUT', '/v1/batch/', { memories: [{ memory_id: id, text: 'Prefers the aisle' }] })).status).toBe(200)
    expect((await ask('GET', `/memories/${id}`)).body.memory).toBe('Prefers the aisle')
    // A result is not left out for a low score unless a threshold is given.
    expect(
      (await ask('POST', '/search', { query: 'Where on a plane would they like to be, the window or the aisle?', agent_id: 'travel' })).body
        .results,
    ).toHaveLength(1)
    expect((await ask('DELETE', '/v1/batch/', { memories: [{ memory_id: id }] })).status).toBe(200)
    expect((await ask('DELETE', '/v2/entities/agent/travel/')).status).toBe(200)
    expect((await ask('GET', '/v1/ping/')).body).toMatchObject({ status: 'ok' })
  })

  it('page through matches, also by metadata', async () => {
    for (const n of [1, 2, 3, 4, 5])
      await ask('POST', '/v3/memories/add/', { messages: `Note ${n}`, user_id: 'pat', metadata: { n }, infer: false })
    const first = await ask('POST', '/v3/memories/?page=1&page_size=2', { filters: { user_id: 'pat' } })
    expect(first.body).toMatchObject({
      count: 5,
      previous: null,
      next: '?page=2&page_size=2',
      results: [{ memory: 'Note 5' }, { memory: 'Note 4' }],
    })
    const wanted = [
      [{ n: { gte: 4 } }, 2],
      [{ OR: [{ n: 1 }, { n: { in: [2, 9] } }] }, 2],
      [{ NOT: [{ n: 1 }] }, 4],
      [{ memory: { icontains: 'NOTE 3' } }, 1],
      [{ run_id: '*' }, 0],
    ] as const
    for (const [filter, count] of wanted)
      expect(
        (await ask('POST', '/v3/memories/', { filters: { AND: [{ user_id: 'pat' }, filter] } })).body.count,
        JSON.stringify(filter),
      ).toBe(count)
  })

  it('list users, agents and apps', async () => {
    await ask('POST', '/memories', { messages: 'Likes maps', user_id: 'zoe', infer: false })
    await ask('POST', '/memories', { messages: 'Books trips', agent_id: 'planner', infer: false })
    const { body } = await ask('GET', '/v1/entities/?page_size=200')
    expect(body.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'user', name: 'zoe', total_memories: 1, created_at: expect.any(String) }),
        expect.objectContaining({ type: 'agent', name: 'planner', total_memories: 1 }),
      ]),
    )
    expect((await ask('GET', '/v1/entities/?page=1&page_size=1')).body).toMatchObject({ next: '?page=2&page_size=1', previous: null })
  })

  it('are rejected with a reason if they cannot be answered', async () => {
    const bad: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/v3/memories/add/', {}],
      ['POST', '/v3/memories/add/', { messages: [] }],
      ['POST', '/v3/memories/add/', { messages: [{ role: 'user', content: ' ' }] }],
      ['POST', '/v3/memories/search/', { query: 'x', filters: { n: { regex: '.*' } } }],
      ['POST', '/v3/memories/search/', { query: 'x', filters: 'user_id' }],
      ['POST', '/v3/memories/search/', { query: 'x', filters: { AND: ['x'] } }],
      ['DELETE', '/v1/memories/', undefined],
    ]
    for (const [method, path, body] of bad) {
      const answer = await ask(method, path, body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.detail, JSON.stringify(body)).toEqual(expect.any(String))
    }
    expect((await ask('GET', '/v1/memories/no-such-id/')).status).toBe(404)
    expect((await ask('GET', '/v1/exports/')).status).toBe(404)
  })
})

it('erase everything by reset on a server without keys', async () => {
  const open = await openHttp(['--data-dir', temporaryFolder(), '--embedder', 'hash', '--profile', 'mem0'])
  try {
    await ask('POST', '/memories', { messages: 'Likes maps', user_id: 'zoe', infer: false }, {}, open.url)
    expect(await ask('POST', '/reset', {}, {}, open.url)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect((await ask('GET', '/v1/entities/', undefined, {}, open.url)).body).toMatchObject({ count: 0, results: [] })
  } finally {
    await open.close()
  }
})

it('are served only if a profile includes mem0, and accept the key in the headers of mem0', async () => {
  const dataDir = temporaryFolder()
  const made = await runProgram(['keys', 'create', '--owner', 'ann', '--entity', 'user:ann', '--data-dir', dataDir, '--json'])
  const { key } = JSON.parse(made.out)
  const without = await openHttp(['--data-dir', dataDir, '--embedder', 'hash'])
  try {
    expect(await ask('GET', '/v1/ping/', undefined, { Authorization: `Token ${key}` }, without.url)).toMatchObject({ status: 404 })
  } finally {
    await without.close()
  }
  const guarded = await openHttp(['--data-dir', dataDir, '--embedder', 'hash', '--profile', 'mem0'])
  try {
    expect((await ask('GET', '/v1/ping/', undefined, {}, guarded.url)).status).toBe(401)
    expect((await ask('GET', '/v1/ping/', undefined, { Authorization: `Token ${key}` }, guarded.url)).status).toBe(200)
    expect((await ask('GET', '/v1/ping/', undefined, { Authorization: '', 'X-API-Key': key }, guarded.url)).status).toBe(200)
    const foreign = await ask(
      'POST',
      '/v3/memories/add/',
      { messages: 'x', user_id: 'bob' },
      { Authorization: `Token ${key}` },
      guarded.url,
    )
    expect(foreign.status).toBe(403)
    const blind = await ask(
      'POST',
      '/v3/memories/search/',
      { query: 'x', filters: { user_id: 'bob' } },
      { Authorization: `Token ${key}` },
      guarded.url,
    )
    expect(blind.body).toEqual({ results: [] })
    const header = { Authorization: `Token ${key}` }
    expect((await ask('POST', '/reset', {}, header, guarded.url)).status).toBe(403)
    await ask('POST', '/v3/memories/add/', { messages: 'x', user_id: 'ann' }, header, guarded.url)
    expect((await ask('GET', '/v1/entities/', undefined, header, guarded.url)).body).toMatchObject({ count: 1, results: [{ name: 'ann' }] })
  } finally {
    await guarded.close()
  }
})
