import { expect, test } from 'vitest'
import { EVENTUALLY } from '../../test/eventually.js'
import { createConcurrencyLimit } from './concurrency-limit.js'

test('admits a limited number at once, the others in order, and skips waiters that have left', async () => {
  const gate = createConcurrencyLimit(2)
  const order: string[] = []
  const ends: (() => void)[] = []
  const never = new AbortController().signal
  const enter = (name: string, signal = never) =>
    gate.enter(async () => {
      order.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    }, signal)
  const gone = new AbortController()
  const [a, b, c, d] = [enter('a'), enter('b'), enter('c', gone.signal), enter('d')]
  expect(order).toEqual(['a', 'b'])
  gone.abort()
  ends.shift()?.()
  expect(await a).toBe('a')
  await expect(c).rejects.toThrow()
  await expect.poll(() => order, EVENTUALLY).toEqual(['a', 'b', 'd'])
  const failed = gate.enter(async () => Promise.reject(new Error('broken')), never)
  for (const end of ends.splice(0)) end()
  expect(await Promise.all([b, d])).toEqual(['b', 'd'])
  await expect(failed).rejects.toThrow('broken')
  const last = enter('e')
  expect(order).toEqual(['a', 'b', 'd', 'e'])
  ends.shift()?.()
  expect(await last).toBe('e')
})
