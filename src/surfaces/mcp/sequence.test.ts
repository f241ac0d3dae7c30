import { expect, it } from 'vitest'
import { createSequence } from './sequence.js'

const read = { effect: 'read', longRunning: false } as const
const write = { effect: 'write', longRunning: false } as const

it('runs a read after the writes sent before it and a write after everything sent before it', async () => {
  const sequence = createSequence()
  const seen: string[] = []
  const turns = (name: string, count: number) => async () => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
    seen.push(name)
  }
  await Promise.all([
    sequence(write, turns('store', 5)),
    sequence(read, turns('slow read', 4)),
    sequence(read, turns('quick read', 1)),
    sequence(write, turns('delete', 0)),
    sequence(read, turns('last read', 0)),
  ])
  expect(seen).toEqual(['store', 'quick read', 'slow read', 'delete', 'last read'])
})

it('goes on after a failed write, and does not wait for long work', async () => {
  const sequence = createSequence()
  const failed = sequence(write, async () => Promise.reject(new Error('no')))
  let release = () => undefined as void
  const long = sequence({ effect: 'write', longRunning: true }, () => new Promise<void>((resolve) => (release = resolve)))
  await expect(failed).rejects.toThrow('no')
  expect(await sequence(read, async () => 'answered')).toBe('answered')
  release()
  await long
})
