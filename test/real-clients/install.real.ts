import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHome, type Home } from './home.js'

// Real clients from npm: what they report about the server after `mneme install`.
const CLIENTS = [
  { name: 'claude', file: '.claude.json', args: ['mcp', 'list'], says: /mneme: .*Connected/ },
  { name: 'gemini', file: '.gemini/settings.json', args: ['mcp', 'list'], says: /mneme: .*Connected/ },
  { name: 'opencode', file: '.config/opencode/opencode.json', args: ['mcp', 'list'], says: /mneme.*connected/ },
  { name: 'qwen', file: '.qwen/settings.json', args: ['mcp', 'list'], says: /mneme: .*Connected/ },
  { name: 'codex', file: '.codex/config.toml', args: ['mcp', 'list'], says: /^mneme\s.*enabled/m },
  { name: 'copilot', file: '.copilot/mcp-config.json', args: ['mcp', 'list'], says: /mneme \(local\)/ },
  { name: 'amp', file: '.config/amp/settings.json', args: ['mcp', 'list'], says: /mneme/ },
] as const

let home: Home
const before = new Map<string, Buffer | null>()
const written = new Map<string, Buffer | null>()
beforeAll(async () => {
  home = createHome(CLIENTS.map(({ name }) => name))
  const work = home.folder('work')
  for (const { file } of CLIENTS) mkdirSync(dirname(join(home.path, file)), { recursive: true })
  writeFileSync(join(home.path, '.gemini', 'trustedFolders.json'), JSON.stringify({ [work]: 'TRUST_FOLDER' }))
  // Each has run before, so that clients do not add to their files during the test.
  for (const file of ['.config/opencode/opencode.json', '.qwen/settings.json']) writeFileSync(join(home.path, file), '{}\n')
  for (const { name, args } of CLIENTS) if (home.missing(name) === undefined) await home.run(name, args, { cwd: work })
  for (const { file } of CLIENTS) before.set(file, home.read(file))
  expect(home.mneme(['install']).out).toContain('"works":true')
  for (const { file } of CLIENTS) written.set(file, home.read(file))
}, 900_000)
afterAll(() => home.remove())

describe('after mneme install', () => {
  it.for(CLIENTS)('$name has it', async ({ name, args, says }, { skip }) => {
    skip(home.missing(name) !== undefined, home.missing(name))
    expect(await home.run(name, args, { cwd: join(home.path, 'work') })).toMatch(says)
  })
})

describe('after mneme uninstall', () => {
  it('every file is byte for byte as before', () => {
    for (const { file } of CLIENTS) expect(home.read(file), `${file} was written to by its client`).toEqual(written.get(file))
    expect(home.mneme(['uninstall']).code).toBe(0)
    for (const { name, file } of CLIENTS) if (home.missing(name) === undefined) expect(home.read(file), file).toEqual(before.get(file))
  })
})
