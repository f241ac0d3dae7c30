import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerHook, SERVER_MS } from './hook.js'

describe('hook without a usable store', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const started = (openMs: number | undefined) => {
    const output: object[] = []
    const said: string[] = []
    let opened = () => {}
    const opening = new Promise<void>((resolve) => {
      opened = resolve
    })
    const done = answerHook({
      client: 'codex',
      event: 'Stop',
      open: () => {
        opened()
        return new Promise(() => undefined)
      },
      ...(openMs === undefined ? {} : { openMs }),
      input: Readable.from([Buffer.from('{}')]),
      log: { warn: (_, fields) => void output.push(fields ?? {}), debug: () => undefined },
      out: (text) => void said.push(text),
    })
    return { done, opening, told: output, said }
  }

  it.each([
    [SERVER_MS, 1],
    [undefined, 5],
  ])('is given up after its time (%s), and the log says so', async (openMs, seconds) => {
    const { done, opening, told: output, said } = started(openMs)
    await opening
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
    expect(output).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    await done
    expect(output).toEqual([{ client: 'codex', event: 'Stop', code: 'timeout', reason: `The memory did not answer within ${seconds} s.` }])
    expect(said).toEqual([])
  })
})
