import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

// Written by scripts/plugins.mjs from the hook table that dist/main.js is built with.
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('plugins', () => {
  it('are up to date', async () => {
    await promisify(execFile)(process.execPath, ['scripts/plugins.mjs', '--check'])
  })

  it('have the version of the package and find their parts', () => {
    const { version } = read('package.json')
    for (const path of [
      'plugins/mneme/.claude-plugin/plugin.json',
      'plugins/mneme/.codex-plugin/plugin.json',
      'plugins/gemini/gemini-extension.json',
    ])
      expect(read(path)).toMatchObject({ name: 'mneme', version })
    for (const name of ['recall', 'remember'])
      expect(readFileSync(`plugins/mneme/skills/${name}/SKILL.md`, 'utf8')).toMatch(
        new RegExp(`^---\nname: ${name}\ndescription: .{40,}\n---\n`),
      )
    expect(read('.claude-plugin/marketplace.json').plugins).toMatchObject([{ name: 'mneme', source: './plugins/mneme' }])
    expect(read('plugins/mneme/.mcp.json')).toEqual({ mcpServers: { mneme: { command: 'mneme', args: ['mcp'] } } })
  })

  it('never download anything', () => {
    for (const path of [
      'plugins/mneme/.mcp.json',
      'plugins/mneme/hooks/claude-code.json',
      'plugins/gemini/gemini-extension.json',
      'plugins/opencode/mneme.js',
    ])
      expect(readFileSync(path, 'utf8')).not.toMatch(/npx|npm |curl|https?:/)
  })
})
