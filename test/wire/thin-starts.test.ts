import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTemporaryFolders, startProgram, temporaryFolder } from './program.js'
import { HASH, noneLeft, SHARED, sharedProcesses, warm } from './warm.js'

// Most of the time of a start is spent on reading modules: the number of files is what a busy machine can measure.
const MAX_FILES = { printing: 7, forwarding: 12 }
/** Files that only a process with an engine reads. */
const ENGINE = /start\.js$|run-here|contract|node_modules|\/models\/|\/engine\//

let folder = ''
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await warm(folder, ['stop'])
  await noneLeft(folder)
})
afterAll(removeTemporaryFolders)

interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

/** The modules that one process loaded. */
async function loadedBy(args: readonly string[], input = ''): Promise<readonly string[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'mneme-thin-'))
  const program = startProgram(args, { env: { ...SHARED, NODE_V8_COVERAGE: coverage } })
  program.child.stdin.end(input)
  expect((await program.ended()).code).toBe(0)
  const files = readdirSync(coverage)
  expect(files).toHaveLength(1)
  const { result }: Coverage = JSON.parse(readFileSync(join(coverage, files[0] ?? ''), 'utf8'))
  return result.map(({ url }) => url)
}

const filesOf = (urls: readonly string[]): readonly string[] => urls.filter((url) => url.startsWith('file:'))

describe.skipIf(process.platform !== 'linux')('a start that only prints or forwards', () => {
  it.each([[['-V']], [['help']], [['help', 'recall']], [['recall', '--help']], [['completion', 'bash']]])(
    'reads nothing of the engine and opens no connection: %j',
    async (args) => {
      const loaded = await loadedBy(args)
      expect(filesOf(loaded).filter((url) => ENGINE.test(url))).toEqual([])
      expect(filesOf(loaded).length).toBeLessThanOrEqual(MAX_FILES.printing)
      expect(loaded).not.toContain('node:child_process')
      expect(sharedProcesses(folder)).toEqual([])
    },
  )

  it.each([
    [['recall', 'gate width'], ''],
    [['list'], ''],
    [['hook', 'claude-code', 'UserPromptSubmit'], JSON.stringify({ session_id: 's', cwd: '/', prompt: 'What is the gate width?' })],
    [
      ['mcp'],
      `${JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      })}\n`,
    ],
  ])('reads nothing of the engine where a shared process runs: %j', async (args, input) => {
    expect((await warm(folder, ['remember', 'The gate width is 4711'])).code).toBe(0)
    const [pid] = sharedProcesses(folder)
    const loaded = await loadedBy([...args, '--data-dir', folder, ...HASH], input)
    expect(filesOf(loaded).filter((url) => ENGINE.test(url))).toEqual([])
    expect(filesOf(loaded).length).toBeLessThanOrEqual(MAX_FILES.forwarding)
    expect(loaded).not.toContain('node:child_process')
    expect(sharedProcesses(folder)).toEqual([pid])
  })
})
