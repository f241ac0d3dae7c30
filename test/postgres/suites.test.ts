import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { SERVER } from './server.js'

/** A part that takes seconds; everything with MNEME_TEST_FULL=1, or by `npm run test:postgres`. */
const SOME = ['test/facts/as-of.test.ts', 'test/graph/expiry.test.ts']
const ALL = [
  'test/recall',
  'test/facts',
  'test/history',
  'test/embedding',
  'test/access',
  'test/secrets/stored.test.ts',
  'test/graph',
  'test/code',
  'test/wire',
  'test/stigmem',
  'test/substrate',
]

describe.skipIf(SERVER === undefined)('tests that do not depend on the database', () => {
  test('pass on a server', async () => {
    const tests = process.env.MNEME_TEST_FULL === '1' ? ALL : SOME
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.postgres.config.ts', ...tests]
    const child = spawn(process.execPath, args, { env: { ...process.env, MNEME_TEST_POSTGRES: SERVER }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = await once(child, 'close')
    expect(code, output.slice(-20_000)).toBe(0)
  }, 3_600_000)
})
