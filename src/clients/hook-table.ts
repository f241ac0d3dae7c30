import type { Json, JsonObject } from '../core/encoding/json.js'
import { ENTRY } from './entry-name.js'
import { openCodePlugin } from './opencode-plugin.js'

/** The command that handles hooks, before the name of the client. */
export interface HookCommand {
  readonly command: string
  /** Up to and including `hook`. */
  readonly args: readonly string[]
  /** Flags after the name of the client. */
  readonly flags: readonly string[]
  readonly windows: boolean
  /** The client's name for the server; by default its plain name. */
  readonly server?: string
}

/** The hooks of one client: items of lists in a shared file, or a file of mneme's own. */
type HookFile =
  | { readonly kind: 'entries'; readonly head: JsonObject; readonly lists: Readonly<Record<string, Json>> }
  | { readonly kind: 'own'; readonly text: string }

export interface HookForm {
  readonly client: string
  /** The oldest version with which it was tested. */
  readonly since: string
  write(how: HookCommand): HookFile
}

const TIMEOUT_S = 10
/** Tools that change files or may create commits. */
const WATCHED_TOOLS = 'Edit|MultiEdit|Write|NotebookEdit|Bash|apply_patch|shell'

const words = ({ command, args, flags }: HookCommand, client: string): readonly string[] => [command, ...args, client, ...flags]

/** A command line with quoted words for a shell. */
function line(how: HookCommand, client: string, event?: string): string {
  const all = [...words(how, client), ...(event === undefined ? [] : [event])]
  const plain = /^[\w@%+=:,./\\-]+$/
  if (how.windows) return all.map((word) => (plain.test(word) ? word : `"${word}"`)).join(' ')
  return all.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** PowerShell fills in variables between double quotes. */
const powershellLine = (how: HookCommand, client: string, event: string): string =>
  [...words(how, client), event].map((word) => (/^[\w:./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`)).join(' ')

/** Handled by the running server: no process is started, and the unlisted tool costs the model nothing. */
const byServer = ({ server = ENTRY }: HookCommand, client: string, event: string, members: readonly string[]): JsonObject => ({
  type: 'mcp_tool',
  server,
  tool: 'hook',
  input: { client, event, payload: Object.fromEntries(['session_id', 'cwd', ...members].map((name) => [name, `\${${name}}`])) },
})

/** At the start the server is not connected yet. */
const claudeLike = (client: string, start: (how: HookCommand) => JsonObject, since: string): HookForm => ({
  client,
  since,
  write: (how) => ({
    kind: 'entries',
    head: {},
    lists: {
      SessionStart: { hooks: [start(how)] },
      UserPromptSubmit: { hooks: [byServer(how, client, 'UserPromptSubmit', ['prompt'])] },
      PostToolUse: { matcher: WATCHED_TOOLS, hooks: [byServer(how, client, 'PostToolUse', ['tool_name', 'tool_input'])] },
      Stop: { hooks: [byServer(how, client, 'Stop', ['last_assistant_message'])] },
    },
  }),
})

const claudeCode = claudeLike(
  'claude-code',
  (how) => {
    const [command = '', ...args] = words(how, 'claude-code')
    return { type: 'command', command, args, timeout: TIMEOUT_S }
  },
  '2.1',
)

const codex = claudeLike('codex', (how) => ({ type: 'command', command: line(how, 'codex'), timeout: TIMEOUT_S }), '0.166')

const gemini: HookForm = {
  client: 'gemini',
  since: '0.61',
  write(how) {
    const run = { hooks: [{ name: ENTRY, type: 'command', command: line(how, 'gemini'), timeout: TIMEOUT_S * 1000 }] }
    return { kind: 'entries', head: {}, lists: { SessionStart: run, BeforeAgent: run, AfterAgent: run } }
  },
}

const cursor: HookForm = {
  client: 'cursor',
  since: '1.7',
  write(how) {
    const run = (event: string): JsonObject => ({ command: line(how, 'cursor', event) })
    const events = ['sessionStart', 'beforeSubmitPrompt', 'afterAgentResponse']
    return { kind: 'entries', head: { version: 1 }, lists: Object.fromEntries(events.map((event) => [event, run(event)])) }
  },
}

const windsurf: HookForm = {
  client: 'windsurf',
  since: '1.12',
  write(how) {
    const run = (event: string): JsonObject => ({ command: line(how, 'windsurf', event), show_output: false })
    const events = ['pre_user_prompt', 'post_cascade_response', 'post_write_code']
    return { kind: 'entries', head: {}, lists: Object.fromEntries(events.map((event) => [event, run(event)])) }
  },
}

const copilot: HookForm = {
  client: 'copilot',
  since: '1.0',
  write(how) {
    const run = (event: string): JsonObject => ({
      type: 'command',
      bash: line({ ...how, windows: false }, 'copilot', event),
      powershell: `& ${powershellLine(how, 'copilot', event)}`,
      timeoutSec: TIMEOUT_S,
    })
    const events = ['sessionStart', 'userPromptSubmitted', 'postToolUse', 'agentStop']
    const hooks = Object.fromEntries(events.map((event) => [event, [run(event)]]))
    return { kind: 'own', text: `${JSON.stringify({ version: 1, hooks }, null, 2)}\n` }
  },
}

const opencode: HookForm = {
  client: 'opencode',
  since: '1.18',
  write: (how) => ({ kind: 'own', text: openCodePlugin(words(how, 'opencode')) }),
}

/** The table from which installations and plugins are generated. */
export const HOOK_FORMS = { claudeCode, codex, gemini, opencode, cursor, copilot, windsurf } as const

/** True if an item of a hook list is mneme's: it calls the tool of the server, or a command that ends in `hook <client>`. */
export function isOwnHook(item: Json, client: string): boolean {
  const text = JSON.stringify(item)
  if (text.includes('"mcp_tool"')) return text.includes(`"server":"${ENTRY}"`) && text.includes('"tool":"hook"')
  return /(?:main\.js|mneme)/.test(text) && (text.includes(`"hook","${client}"`) || text.includes(` hook ${client}`))
}
