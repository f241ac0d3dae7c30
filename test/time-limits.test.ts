import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const LEAST_MS = 20_000

const testFiles = (): readonly string[] =>
  ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => path.endsWith('.test.ts') || (folder === 'test' && path.endsWith('.ts')))
      .filter((path) => !path.endsWith('time-limits.test.ts')),
  )

/** Limits that end a hanging test are long; a short one fails on a busy machine. */
function shortLimits(text: string): readonly string[] {
  const limits = [...text.matchAll(/\b(?:timeout|testTimeout|hookTimeout): ([\d_]+)/g), ...text.matchAll(/^\s*\}, (\d[\d_]{2,})\)$/gm)]
  const short = limits.filter(([, ms]) => Number((ms ?? '').replaceAll('_', '')) < LEAST_MS).map(([found]) => found.trim())
  // These default to one second.
  const waits = text.match(/\b(?:vi\.waitFor|vi\.waitUntil|expect\s*\.poll|\n\s+\.poll)\(/g)?.length ?? 0
  const bounded = text.match(/\bEVENTUALLY\b/g)?.length ?? 0
  return waits > 0 && bounded <= waits ? [...short, 'a wait without EVENTUALLY'] : short
}

describe('repair 19: no test has a short time limit', () => {
  it('finds one', () => {
    expect(shortLimits('await vi.waitFor(() => expect(1).toBe(1))\n')).toEqual(['a wait without EVENTUALLY'])
    expect(shortLimits('await vi.waitFor(done, { timeout: 500 })')).toContain('timeout: 500')
    expect(shortLimits("import { EVENTUALLY } from './eventually.js'\nawait vi.waitFor(done, EVENTUALLY)")).toEqual([])
  })

  it.each(['vitest.config.ts', ...testFiles()])('%s', (path) => {
    expect(shortLimits(readFileSync(path, 'utf8'))).toEqual([])
  })
})
