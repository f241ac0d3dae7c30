import { expect, it } from 'vitest'
import { fakeContract, fakeHost, memoryLog } from '../../test/surfaces/fake-host.js'
import type { Operation } from '../contracts/operation.js'
import { createDispatch, type Dispatch, type Outcome } from './host.js'

function start() {
  const host = fakeHost()
  const dispatch = createDispatch(host, memoryLog())
  let begun = 0
  const [echo] = fakeContract.operations
  const operation: Operation = {
    ...required(echo),
    call: async () => {
      begun++
      return {}
    },
  }
  const call = (signal: AbortSignal): ReturnType<Dispatch['invoke']> =>
    dispatch.invoke({ operation, input: {}, actor: 'test', connection: 'c', signal, progress: () => undefined })
  return { host, dispatch, call, begun: () => begun }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing')
  return value
}

const codeOf = (outcome: Outcome) => (outcome.ok ? 'ok' : outcome.error.code)
const { signal } = new AbortController()

it('does not begin a call that is cancelled, before or while the store opens', async () => {
  const { call, begun, host } = start()
  expect(codeOf(await call(AbortSignal.abort()))).toBe('cancelled')
  expect(host.opened).toBe(0)
  const abort = new AbortController()
  const opening = call(abort.signal)
  abort.abort()
  expect(codeOf(await opening)).toBe('cancelled')
  expect([host.opened, begun()]).toEqual([1, 0])
})

it('begins nothing once it was stopped, and says so', async () => {
  const { call, begun, dispatch } = start()
  const opening = call(signal)
  dispatch.stop()
  for (const outcome of [await opening, await call(signal)])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unavailable', message: expect.stringContaining('not begun') } })
  expect(begun()).toBe(0)
})
