import { describe, expect, it } from 'vitest'
import { fuzz } from '../bench/fuzz/run.js'

// dist/main.js next to the same code in this process: the short form of `npm run bench fuzz`.
describe('calls with arguments good and bad, over every surface', () => {
  it('are answered or refused as documented, every one in time', async () => {
    const tally = await fuzz({ seed: 20261115, calls: 3000, seconds: 150, deadlineMs: 120_000 })
    expect(tally.problems).toEqual([])
    expect(tally.hangs).toBe(0)
    for (const [lane, calls] of Object.entries(tally.calls)) expect([lane, calls > 0]).toEqual([lane, true])
    expect(Math.min(tally.answered, tally.refused)).toBeGreaterThan(100)
  }, 300_000)
})
