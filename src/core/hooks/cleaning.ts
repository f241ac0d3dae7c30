/** Marks around what mneme itself put into a conversation. */
export const MEMORY_TAG = 'mneme-memory'

/** What clients and hooks put into a prompt besides the words of the person, and what the person wants kept out. */
const LEFT_OUT = [
  MEMORY_TAG,
  'private',
  'hook_context',
  'system-reminder',
  'system_reminder',
  'user-prompt-submit-hook',
  'session-start-hook',
  'command-name',
  'command-message',
  'command-args',
  'local-command-stdout',
  'local-command-stderr',
  'environment_context',
  'user_instructions',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
]

/** A text without such blocks; one that is not closed goes to the end: rather too little is kept than what was private. */
export function withoutBlocks(text: string): string {
  const lower = text.toLowerCase()
  let kept = ''
  let at = 0
  for (;;) {
    const next = nextBlock(lower, at)
    if (next === undefined) return kept + text.slice(at)
    kept += `${text.slice(at, next.start)} `
    at = next.end
  }
}

interface Block {
  readonly start: number
  readonly end: number
}

function nextBlock(lower: string, from: number): Block | undefined {
  for (let start = lower.indexOf('<', from); start !== -1; start = lower.indexOf('<', start + 1)) {
    const tag = LEFT_OUT.find((name) => lower.startsWith(name, start + 1) && /[\s>/]/.test(lower[start + 1 + name.length] ?? '>'))
    if (tag === undefined) continue
    const closing = lower.indexOf(`</${tag}`, start)
    if (closing === -1) return { start, end: lower.length }
    const end = lower.indexOf('>', closing)
    return { start, end: end === -1 ? lower.length : end + 1 }
  }
  return undefined
}

/** Text of others inside a block of our own must not end it. */
export const insideBlock = (text: string): string => text.replaceAll('<', '\u2039').replaceAll('>', '\u203a')

/** Control characters but line breaks, marks of writing direction, and characters that stand for nothing to be seen. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu

/** A text for a model and a terminal: it looks as it reads. */
export const withoutUnseen = (text: string): string => text.replaceAll(UNSEEN, (one) => (one === '\n' ? one : ' '))

/** Files in which clients keep what they remember themselves: what is there is known there. */
const MEMORY_FILES = new Set([
  'claude.md',
  'claude.local.md',
  'agents.md',
  'agents.override.md',
  'gemini.md',
  'qwen.md',
  'memory.md',
  '.cursorrules',
  '.windsurfrules',
])
const MEMORY_FOLDERS = ['/.claude/', '/.codex/', '/.gemini/', '/.qwen/', '/.cursor/rules/', '/.windsurf/rules/', '/.mneme/']

export function isMemoryFile(path: string): boolean {
  const plain = `/${path.replaceAll('\\', '/').toLowerCase()}`
  return MEMORY_FILES.has(plain.slice(plain.lastIndexOf('/') + 1)) || MEMORY_FOLDERS.some((folder) => plain.includes(folder))
}

/** Tools of mneme, as clients name those of a server: what they return was remembered before. */
export const isOwnTool = (name: string): boolean => /(?:^|_)mneme(?:_|$)/.test(name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'))
