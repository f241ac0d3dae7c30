import type { HookCallback, Options } from '@anthropic-ai/claude-agent-sdk'
import type { MemoryClient } from 'mneme/client'
import { createTurns, type TurnsOptions } from './turns.js'

export type { TurnsOptions } from './turns.js'

/** The tools of mneme in a separate process, for `mcpServers` of the Agent SDK. */
export const mnemeServer = (flags: readonly string[] = []) => ({
  mneme: { type: 'stdio' as const, command: 'mneme', args: ['mcp', ...flags] },
})

/** Hooks that add memories to each prompt and store each turn. */
export function mnemeHooks(memory: MemoryClient, options: TurnsOptions = {}): NonNullable<Options['hooks']> {
  const turns = createTurns(memory, options)
  const begin: HookCallback = async (input) => {
    if (input.hook_event_name !== 'UserPromptSubmit') return {}
    const additionalContext = await turns.begin(input.session_id, input.prompt)
    return additionalContext === undefined ? {} : { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } }
  }
  const end: HookCallback = async (input) => {
    if (input.hook_event_name === 'Stop') await turns.end(input.session_id, input.last_assistant_message ?? '')
    return {}
  }
  return { UserPromptSubmit: [{ hooks: [begin] }], Stop: [{ hooks: [end] }] }
}
