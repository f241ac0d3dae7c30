import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHome, type Home } from './home.js'

// Real clients from npm: what they themselves say about the server after `mneme install`.
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
  mkdirSync(join(home.path, '.gemini'))
  writeFileSync(join(home.path, '.gemini', 'trustedFolders.json'), JSON.stringify({ [work]: 'TRUST_FOLDER' }))
  // Each has been here before: it has made its files, and will not do so in the midst of the test.
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
  it('every file is byte for byte as before, but for what its client wrote in between', () => {
    const touched = new Map(CLIENTS.map(({ file }) => [file, home.read(file)?.equals(written.get(file) ?? Buffer.alloc(0)) !== true]))
    expect(home.mneme(['uninstall']).code).toBe(0)
    for (const { name, file } of CLIENTS) {
      if (home.missing(name) !== undefined) continue
      const after = home.read(file)
      expect(after?.toString('utf8') ?? '', file).not.toContain('mneme')
      if (touched.get(file) !== true) expect(after, file).toEqual(before.get(file))
    }
    process.stderr.write(
      `written by their clients meanwhile: ${
        [...touched]
          .filter(([, was]) => was)
          .map(([file]) => file)
          .join(', ') || 'none'
      }\n`,
    )
  })
})
