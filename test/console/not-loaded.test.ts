import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from '../wire/program.js'

afterAll(removeTemporaryFolders)

interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

/** The modules of mneme that a process loaded until it ended. */
function modulesOf(args: readonly string[], input: string): readonly string[] {
  const folder = temporaryFolder()
  const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', MNEME_SHARED: 'off', NODE_V8_COVERAGE: folder }
  const { status } = spawnSync(
    process.execPath,
    [resolve('dist/main.js'), ...args, '--data-dir', temporaryFolder(), '--embedder', 'none'],
    {
      input,
      env,
    },
  )
  expect(status).toBe(0)
  const urls = readdirSync(folder).flatMap((name) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return result.map(({ url }) => url)
  })
  return urls.flatMap((url) => url.split('/dist/')[1] ?? [])
}

const requests = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list', params: {} },
  { id: 3, method: 'tools/call', params: { name: 'recall', arguments: { query: 'nothing' } } },
]
  .map((request) => JSON.stringify({ jsonrpc: '2.0', ...request }))
  .join('\n')

test('mneme mcp loads no code of the console', () => {
  const loaded = modulesOf(['mcp'], `${requests}\n`)
  expect(loaded).toContain('main.js')
  expect(loaded.length).toBeGreaterThan(50)
  expect(loaded.filter((path) => /(?:^|\/)console(?:\/|-|\.)/.test(path))).toEqual([])
})
