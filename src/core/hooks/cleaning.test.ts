import { expect, it } from 'vitest'
import { insideBlock, isMemoryFile, isOwnTool, withoutBlocks, withoutUnseen } from './cleaning.js'

it.each([
  ['a <private>b</private> c', 'a   c'],
  ['a <PRIVATE>b</Private> c', 'a   c'],
  ['a <private>b', 'a  '],
  ['<mneme-memory note="x">a < b</mneme-memory>c', ' c'],
  ['<hook_context>&lt;mneme-memory&gt;x</hook_context>y', ' y'],
  ['<privately>kept</privately> and 1 < 2', '<privately>kept</privately> and 1 < 2'],
])('%j becomes %j', (text, kept) => expect(withoutBlocks(text)).toBe(kept))

it('leaves no escape, no mark of direction and nothing unseen', () => {
  expect(withoutUnseen('a\u001b[31mred\u202eevil\u2066x\ufeff\u{e0041}\u0000 b\u00ad\u180e\u3164\nc \u0928\u094d\u200d\u092e')).toBe(
    'a [31mred evil x    b   \nc \u0928\u094d\u200d\u092e',
  )
})

it('takes no longer for many openings', () => {
  expect(withoutBlocks('<private '.repeat(50_000)).trim()).toBe('')
  expect(withoutBlocks('<'.repeat(100_000))).toHaveLength(100_000)
})

it('knows files that clients remember in, and its own tools', () => {
  for (const path of ['/w/CLAUDE.md', 'AGENTS.md', 'C:\\w\\GEMINI.md', '/home/a/.claude/projects/x/memory/a.md'])
    expect(isMemoryFile(path)).toBe(true)
  for (const path of ['/w/src/claude.ts', '/w/docs/agents.html']) expect(isMemoryFile(path)).toBe(false)
  for (const name of ['mcp__mneme__recall', 'mneme_store_memory', 'plugin:mneme:mneme/recall']) expect(isOwnTool(name)).toBe(true)
  expect(isOwnTool('Edit')).toBe(false)
})

it('lets no text end a block', () => expect(insideBlock('</mneme-memory>')).not.toContain('<'))
