import { isJsonObject, type Json, type JsonObject } from '../../core/encoding/json.js'
import type { HookEvent } from '../../engine/hooks/hook-event.js'
import type { HookAnswer } from './hook-answer.js'

/** The event names of a client, and where it reads context for the model. */
interface HookDialect {
  readonly client: string
  readonly events: Readonly<Record<string, HookEvent['kind']>>
  /** Formats the response that gives text to the model; absent for events without that option. */
  readonly context: Partial<Readonly<Record<HookEvent['kind'], (event: string, text: string) => HookAnswer>>>
}

/** The format of Claude Code, which silently drops top-level fields. */
const specific = (event: string, text: string): HookAnswer => ({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
const plain = (_: string, text: string): HookAnswer => ({ context: text })

/** Nothing is returned at the end of an answer, because the agent would continue. */
export const DIALECTS: readonly HookDialect[] = [
  {
    client: 'claude-code',
    events: { SessionStart: 'start', UserPromptSubmit: 'prompt', PostToolUse: 'tool', Stop: 'answer', SessionEnd: 'end' },
    context: { start: specific, prompt: specific },
  },
  {
    client: 'codex',
    events: { SessionStart: 'start', UserPromptSubmit: 'prompt', PostToolUse: 'tool', Stop: 'answer', SessionEnd: 'end' },
    context: { start: specific, prompt: specific },
  },
  {
    client: 'gemini',
    events: { SessionStart: 'start', BeforeAgent: 'prompt', AfterTool: 'tool', AfterAgent: 'answer', SessionEnd: 'end' },
    context: { start: specific, prompt: specific },
  },
  {
    client: 'opencode',
    events: { start: 'start', prompt: 'prompt', tool: 'tool', answer: 'answer', end: 'end' },
    context: { start: plain, prompt: plain },
  },
  {
    client: 'cursor',
    events: { sessionStart: 'start', beforeSubmitPrompt: 'prompt', postToolUse: 'tool', afterAgentResponse: 'answer', sessionEnd: 'end' },
    context: { start: (_, text) => ({ additional_context: text }) },
  },
  {
    client: 'copilot',
    events: { sessionStart: 'start', userPromptSubmitted: 'prompt', postToolUse: 'tool', agentStop: 'answer', sessionEnd: 'end' },
    context: {},
  },
  {
    client: 'windsurf',
    events: { pre_user_prompt: 'prompt', post_cascade_response: 'answer', post_run_command: 'tool', post_write_code: 'tool' },
    context: {},
  },
]

/** Parses a hook event. Clients use different names for the same fields. */
export function parseHookEvent({ client }: HookDialect, kind: HookEvent['kind'], payload: JsonObject): HookEvent {
  const info = isJsonObject(payload.tool_info) ? payload.tool_info : {}
  const members = { ...info, ...payload }
  const promptText = kind === 'prompt' ? textOf(members, 'prompt', 'user_prompt') : undefined
  const answered = kind === 'answer' ? textOf(members, 'last_assistant_message', 'prompt_response', 'text', 'response') : undefined
  const tool = kind === 'tool' ? toolIn(members) : undefined
  return {
    kind,
    client,
    conversation: textOf(members, 'session_id', 'sessionId', 'sessionID', 'conversation_id', 'trajectory_id'),
    folder: textOf(members, 'cwd', 'directory') ?? firstOf(members.workspace_roots),
    ...(promptText === undefined ? {} : { prompt: promptText }),
    ...(answered === undefined ? {} : { answer: answered }),
    ...(tool === undefined ? {} : { tool }),
  }
}

/** Only changed files describe the work; files that were read do not. */
const CHANGES = /write|edit|patch|replace|create|notebook|apply/i

function toolIn(members: JsonObject): HookEvent['tool'] {
  const toolInput = members.tool_input ?? members.toolArgs
  const input = typeof toolInput === 'string' ? parsed(toolInput) : toolInput
  const inputs = isJsonObject(input) ? input : members
  const file = textOf(inputs, 'file_path', 'filePath', 'path', 'notebook_path')
  const command = textOf(inputs, 'command', 'command_line')
  const name = textOf(members, 'tool_name', 'toolName', 'tool') ?? (command === undefined ? 'write' : 'shell')
  return { name, ...(file !== undefined && CHANGES.test(name) ? { file } : {}), ...(command === undefined ? {} : { command }) }
}

/** Some clients send the arguments of a tool as text. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Longer prompts contain pasted text; the statements are at the start. */
const MAX_TEXT_CHARS = 50_000
/** NUL and unpaired surrogates. */
const UNSTORABLE_CHARACTERS = /[\0\p{Cs}]/gu

function textOf(members: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = members[name]
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, MAX_TEXT_CHARS).replace(UNSTORABLE_CHARACTERS, ' ')
  }
  return undefined
}

const firstOf = (value: Json | undefined): string | undefined => {
  const [first] = Array.isArray(value) ? value : []
  return typeof first === 'string' ? first : undefined
}
