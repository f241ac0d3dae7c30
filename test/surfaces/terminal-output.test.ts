import { describe, expect, it } from 'vitest'
import { pause } from '../../src/contracts/admin/capture.js'
import { memoriesText, resultsText } from '../../src/contracts/memory/plain-text.js'
import { type Reader, wrapped } from '../../src/contracts/plain-text.js'
import { takesColours } from '../../src/surfaces/cli/colours.js'
import { showEmphasis } from '../../src/surfaces/cli/emphasis.js'
import { localTime } from '../../src/surfaces/cli/local-time.js'

const reader: Reader = { time: localTime, width: 40, owner: 'default' }
const long = `The gate code is 4711. ${'It changes on the first Monday of each month. '.repeat(8)}Ask Ann.`
const result = { id: 'a1', content: long, relevance: 0.914, user_id: 'default', date: '2026-03-01', client: 'cli' }

describe('recall at a terminal', () => {
  it('repair 10: shows the whole passage, wrapped to the width and numbered, with relevance, and the notice first', () => {
    const text = showEmphasis(
      resultsText({ results: [result, { ...result, id: 'a2', content: 'Short' }], notice: 'No confident match.' }, reader),
      false,
    )
    const lines = text.split('\n')
    expect(lines[0]).toBe('No confident match.')
    expect(lines[1]).toMatch(/^1\. The gate code is 4711\./)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(long.trim())
    expect(text).toContain('91%  cli, 2026-03-01  [a1]')
    expect(text).toContain('\n2. Short\n')
    expect(text).not.toContain('default')
  })

  it('names an owner other than the default', () => {
    expect(resultsText({ results: [{ ...result, user_id: 'ann' }] }, reader)).toContain('owner ann')
    expect(memoriesText({ memories: [{ ...result, user_id: 'ann' }], total: 1 }, reader)).toContain('owner ann')
  })

  it('uses colour at a terminal only, and not with NO_COLOR', () => {
    const text = resultsText({ results: [result] }, reader)
    expect(showEmphasis(text, true)).toContain('\u001b[1mThe gate code')
    expect(showEmphasis(text, false)).not.toMatch(/[\u001b\uFDD0-\uFDD2]/u)
    expect([takesColours(true, {}), takesColours(true, { NO_COLOR: '1' }), takesColours(false, {})]).toEqual([true, false, false])
  })

  it('wraps words longer than a line, and keeps the lines of a text', () => {
    expect(wrapped(`ab\n  indented\n${'x'.repeat(45)} y`, 20)).toEqual(['ab', '  indented', 'x'.repeat(20), 'x'.repeat(20), 'xxxxx y'])
  })
})

describe('dates', () => {
  it('repair 12: prints a date without a time as that date in every zone', () => {
    const zone = process.env.TZ
    for (const TZ of ['America/Los_Angeles', 'UTC', 'Pacific/Auckland']) {
      process.env.TZ = TZ
      expect([localTime('2026-02-28'), localTime('2026-02-28T00:00:00.000000000Z')]).toEqual(['2026-02-28', '2026-02-28'])
    }
    process.env.TZ = 'Pacific/Auckland'
    expect(pause.text?.({ paused: true, until: '2026-02-28T22:30:00Z' }, reader)).toContain('until 2026-03-01 11:30.')
    process.env.TZ = zone
  })
})
