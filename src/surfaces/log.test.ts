import { expect, it } from 'vitest'
import { createLog } from './log.js'

it('writes one JSON line per event from its level on, with the causes of an error', () => {
  const lines: string[] = []
  const log = createLog('warn', (line) => void lines.push(line))
  log.info('quiet')
  log.error('loud', { operation: 'echo', cause: new Error('outer', { cause: new TypeError('inner') }) })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[^\n]+\n$/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    message: 'loud',
    operation: 'echo',
    cause: { message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
  })
})

it('writes nothing when silent', () => {
  const lines: string[] = []
  createLog('silent', (line) => void lines.push(line)).error('anything')
  expect(lines).toEqual([])
})
