import { describe, expect, it } from 'vitest'
import { createSessions } from './sessions.js'

describe('order of evicted sessions', () => {
  const MINUTE = 60_000
  const open = (most = 3) => {
    let time = 0
    const closed: string[] = []
    const sessions = createSessions<{ close(): Promise<void> }>(most, () => time)
    const add = (id: string, holder?: string): void =>
      sessions.add(
        id,
        {
          close: async () => {
            closed.push(id)
          },
        },
        holder,
      )
    return { sessions, closed, add, pass: (ms: number) => (time += ms) }
  }
  const answered = (): Promise<Response> => Promise.resolve(new Response(null, { status: 202 }))

  it('evicts an unused session before a used one', async () => {
    const { sessions, closed, add, pass } = open()
    for (const id of ['used', 'greeted', 'new']) add(id)
    pass(1)
    await sessions.track('used', true, answered())
    await sessions.track('greeted', false, answered())
    sessions.makeRoom()
    expect(closed).toEqual(['new'])
    add('newer')
    sessions.makeRoom()
    expect(closed).toEqual(['new', 'greeted'])
  })

  it('a key that opens many evicts its own, and is rejected if these are in use', async () => {
    const { sessions, closed, add, pass } = open(8)
    for (const id of ['a', 'b']) {
      sessions.makeRoom('key:a')
      add(id, 'key:a')
      pass(1)
    }
    sessions.makeRoom('key:a')
    expect(closed).toEqual(['a'])
    add('c', 'key:a')
    for (const id of ['b', 'c']) await sessions.track(id, true, answered())
    expect(() => sessions.makeRoom('key:a')).toThrow('All sessions of this key are in use.')
    sessions.makeRoom('key:b')
    sessions.makeRoom()
    expect(closed).toEqual(['a'])
    pass(6 * MINUTE)
    sessions.makeRoom('key:a')
    expect(closed).toEqual(['a', 'b'])
  })

  it('keeps recently used sessions and evicts the oldest of the others', async () => {
    const { sessions, closed, add, pass } = open()
    for (const id of ['a', 'b', 'c']) {
      add(id)
      await sessions.track(id, true, answered())
      pass(MINUTE)
    }
    expect(() => sessions.makeRoom()).toThrow('All sessions of this server are in use.')
    pass(3 * MINUTE)
    sessions.makeRoom()
    expect(closed).toEqual(['a'])
  })

  it('closes sessions unused for half an hour, except those with an open stream', async () => {
    const { sessions, closed, add, pass } = open()
    for (const id of ['stream', 'b', 'c']) add(id)
    const stream = await sessions.track('stream', true, Promise.resolve(new Response(new ReadableStream())))
    pass(31 * MINUTE)
    sessions.makeRoom()
    expect(closed).toEqual(['b', 'c'])
    await stream.body?.cancel()
    pass(31 * MINUTE)
    sessions.makeRoom()
    expect(closed).toEqual(['b', 'c', 'stream'])
  })
})
