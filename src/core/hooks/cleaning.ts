/** Tag around text that mneme adds to a conversation. */
export const MEMORY_TAG = 'mneme-memory'

/** Blocks that clients and hooks add to a prompt, and private blocks. */
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

/** Removes such blocks; an unclosed block extends to the end, so that private text is not kept. */
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

/** Escapes text so that it cannot end a block. */
export const insideBlock = (text: string): string => text.replaceAll('<', '\u2039').replaceAll('>', '\u203a')

/** Control characters, marks of writing direction, and invisible characters. */
const INVISIBLE_CHARACTERS =
  /[\p{Cc}\u00AD\u061C\u115F\u1160\u180E\u3164\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu

/** Replaces control and invisible characters by spaces; keeps line breaks. */
export const withoutUnseen = (text: string): string =>
  text.replaceAll(INVISIBLE_CHARACTERS, (character) => (character === '\n' ? character : ' '))

/** Memory files of clients, which the clients read themselves. */
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

/** True for the name of a mneme tool, as clients write it. */
export const isOwnTool = (name: string): boolean => /(?:^|_)mneme(?:_|$)/.test(name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'))
