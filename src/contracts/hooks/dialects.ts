import { isJsonObject, type Json, type JsonObject } from '../../core/encoding/json.js'
import type { HookEvent } from '../../engine/hooks/hook-event.js'

/** How a client names the steps of a conversation, and where it takes what the model should see. */
export interface HookDialect {
  readonly client: string
  readonly events: Readonly<Record<string, HookEvent['kind']>>
  /** The answer that brings text to the model; without it the client takes none at that step. */
  readonly context: Partial<Readonly<Record<HookEvent['kind'], (event: string, text: string) => JsonObject>>>
}

/** As Claude Code has it; a member at the top would be dropped silently. */
const specific = (event: string, text: string): JsonObject => ({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
const plain = (_: string, text: string): JsonObject => ({ context: text })

/** Nothing is ever returned when an answer is over: the agent would take it as a reason to go on. */
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

/** What a client tells of a step. Clients differ in the names of the same things, which mean nothing else anywhere. */
export function parseHookEvent({ client }: HookDialect, kind: HookEvent['kind'], payload: JsonObject): HookEvent {
  const info = isJsonObject(payload.tool_info) ? payload.tool_info : {}
  const members = { ...info, ...payload }
  const said = kind === 'prompt' ? textOf(members, 'prompt', 'user_prompt') : undefined
  const answered = kind === 'answer' ? textOf(members, 'last_assistant_message', 'prompt_response', 'text', 'response') : undefined
  const tool = kind === 'tool' ? toolIn(members) : undefined
  return {
    kind,
    client,
    conversation: textOf(members, 'session_id', 'sessionId', 'sessionID', 'conversation_id', 'trajectory_id'),
    folder: textOf(members, 'cwd', 'directory') ?? firstOf(members.workspace_roots),
    ...(said === undefined ? {} : { prompt: said }),
    ...(answered === undefined ? {} : { answer: answered }),
    ...(tool === undefined ? {} : { tool }),
  }
}

/** Only what was changed tells of the work; what was looked at does not. */
const CHANGES = /write|edit|patch|replace|create|notebook|apply/i

function toolIn(members: JsonObject): HookEvent['tool'] {
  const given = members.tool_input ?? members.toolArgs
  const input = typeof given === 'string' ? parsed(given) : given
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

/** What is longer was pasted; what was said stands at its beginning. */
const MAX_TEXT_CHARS = 50_000
/** NUL, and halves of surrogate pairs. */
const UNSTORABLE = /[\0\p{Cs}]/gu

function textOf(members: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = members[name]
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, MAX_TEXT_CHARS).replace(UNSTORABLE, ' ')
  }
  return undefined
}

const firstOf = (value: Json | undefined): string | undefined => {
  const [first] = Array.isArray(value) ? value : []
  return typeof first === 'string' ? first : undefined
}
