import { expect, it } from 'vitest'
import { createSequence } from './sequence.js'

const read = { effect: 'read', longRunning: false } as const
const { signal } = new AbortController()
const write = { effect: 'write', longRunning: false } as const

it('runs a read after the writes sent before it and a write after everything sent before it', async () => {
  const sequence = createSequence()
  const seen: string[] = []
  const turns = (name: string, count: number) => async () => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
    seen.push(name)
  }
  await Promise.all([
    sequence(write, signal, turns('store', 5)),
    sequence(read, signal, turns('slow read', 4)),
    sequence(read, signal, turns('quick read', 1)),
    sequence(write, signal, turns('delete', 0)),
    sequence(read, signal, turns('last read', 0)),
  ])
  expect(seen).toEqual(['store', 'quick read', 'slow read', 'delete', 'last read'])
})

it('continues after a failed write, and does not wait for long work', async () => {
  const sequence = createSequence()
  const failed = sequence(write, signal, async () => Promise.reject(new Error('no')))
  let release: () => void = () => undefined
  const long = sequence(
    { effect: 'write', longRunning: true },
    signal,
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      }),
  )
  await expect(failed).rejects.toThrow('no')
  expect(await sequence(read, signal, async () => 'answered')).toBe('answered')
  release()
  await long
})

it('runs later calls after a cancelled write', async () => {
  const sequence = createSequence()
  const abort = new AbortController()
  void sequence(write, abort.signal, () => new Promise<void>(() => undefined))
  const later = sequence(read, signal, async () => 'answered')
  abort.abort()
  expect(await later).toBe('answered')
})

it('does not begin a call that was cancelled while it waited', async () => {
  const sequence = createSequence()
  const abort = new AbortController()
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const first = sequence(write, signal, () => released)
  let begun = false
  const second = sequence(write, abort.signal, async () => {
    begun = true
  })
  const refused = expect(second).rejects.toThrow('enough')
  abort.abort(new Error('enough'))
  release()
  await Promise.all([first, refused])
  expect(await sequence(write, signal, async () => begun)).toBe(false)
})

it('keeps the order of the others when a call in line is cancelled', async () => {
  const sequence = createSequence()
  const abort = new AbortController()
  const seen: string[] = []
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const first = sequence(write, signal, async () => {
    await released
    seen.push('first')
  })
  const second = expect(sequence(write, abort.signal, async () => undefined)).rejects.toThrow()
  const third = sequence(write, signal, async () => void seen.push('third'))
  abort.abort()
  await new Promise((resolve) => setImmediate(resolve))
  release()
  await Promise.all([first, second, third])
  expect(seen).toEqual(['first', 'third'])
})
