import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))

describe('the README installs for the person, in every folder', () => {
  it.each([
    'claude mcp add -s user mneme -- mneme mcp',
    'codex mcp add mneme -- mneme mcp',
    'gemini mcp add --scope user mneme mneme mcp',
    'copilot mcp add mneme -- mneme mcp',
    'claude mcp add -s user --transport http mneme http://127.0.0.1:7077/mcp',
  ])('%s', (command) => expect(blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim())).toContain(command))

  it('gives settings that can be pasted', () => {
    const settings = blocks.filter(({ language }) => language === 'json')
    expect(settings.length).toBeGreaterThan(3)
    for (const { text } of settings) expect(() => JSON.parse(text)).not.toThrow()
  })

  it('has a text for the agent that names the tools to call', () => {
    const [text] = blocks.filter(({ language }) => language === 'md')
    expect(text?.text).toMatch(/`recall`[^`]*`store_memory`/)
  })

  it('says what the build is doing', () => {
    const build = readFileSync(join(import.meta.dirname, '..', 'scripts', 'build.mjs'), 'utf8')
    expect(build.match(/say\('\d of 3: /g)).toHaveLength(3)
  })
})
