import { describe, expect, it } from 'vitest'
import { fakeContract, fakeHost, memoryLog } from '../../test/surfaces/fake-host.js'
import type { Operation } from '../contracts/operation.js'
import { LOCAL_PRINCIPAL } from '../core/access/access-filter.js'
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
    dispatch.invoke({ operation, input: {}, principal: LOCAL_PRINCIPAL, actor: 'test', connection: 'c', signal, progress: () => undefined })
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

it('rejects calls once it is stopped', async () => {
  const { call, begun, dispatch } = start()
  const opening = call(signal)
  dispatch.stop()
  for (const outcome of [await opening, await call(signal)])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unavailable', message: expect.stringContaining('not begun') } })
  expect(begun()).toBe(0)
})

describe('every call has a deadline', () => {
  const [echo] = fakeContract.operations
  function limited(effect: Operation['effect'], more: Partial<Operation> = {}) {
    const release: { now?: () => void } = {}
    const seen: AbortSignal[] = []
    const operation: Operation = {
      ...required(echo),
      name: 'wait',
      effect,
      modeOf: () => ({ effect, longRunning: more?.longRunning ?? false }),
      call: async (call) => {
        seen.push(call.context.signal)
        await new Promise<void>((resolve) => {
          release.now = resolve
        })
        return { late: true }
      },
      ...more,
    }
    const host = { ...fakeHost(), limits: { callMs: 20, longCallMs: 0 } }
    const dispatch = createDispatch(host, memoryLog())
    const call = () =>
      dispatch.invoke({
        operation,
        input: {},
        principal: LOCAL_PRINCIPAL,
        actor: 'test',
        connection: 'c',
        signal,
        progress: () => undefined,
      })
    return { host, dispatch, call, release, seen }
  }

  it('a read that takes longer is answered with timeout, and its signal fires', async () => {
    const { call, seen } = limited('read')
    expect(await call()).toMatchObject({
      ok: false,
      error: { code: 'timeout', message: 'wait took longer than 20 ms and was given up: nothing was changed.' },
    })
    expect(seen.map((signal) => signal.aborted)).toEqual([true])
  })

  it('a write that takes longer is reported with an unknown outcome', async () => {
    const { call } = limited('write')
    expect(await call()).toMatchObject({
      ok: false,
      error: { code: 'timeout', message: expect.stringContaining('whether it took effect is unknown'), details: { outcome: 'unknown' } },
    })
  })

  it('a call that never began is reported as unchanged', async () => {
    const { host, call } = limited('write')
    host.engine = () => new Promise(() => undefined)
    expect(await call()).toMatchObject({
      ok: false,
      error: { code: 'timeout', message: expect.stringContaining('before it began: nothing was changed') },
    })
  })

  it('the store is not closed under a call that was given up and still runs', async () => {
    const { dispatch, call, release } = limited('write')
    await call()
    let settled = false
    const waiting = dispatch.whenIdle().then(() => {
      settled = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toBe(false)
    release.now?.()
    await waiting
  })

  it('long operations have a limit of their own, and 0 means none', async () => {
    const { call } = limited('write', {
      longRunning: true,
      call: () => new Promise((resolve) => setTimeout(() => resolve({ done: true }), 60)),
    })
    expect(await call()).toEqual({ ok: true, answer: { done: true } })
  })
})
