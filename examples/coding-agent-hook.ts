// What a coding agent with hooks sends, and what it gets back. `mneme install --hooks` sets this up.
import { mneme, temporaryFolder } from './run-mneme.ts'

const dataDir = temporaryFolder()
const project = temporaryFolder()

const hook = (event: object): Promise<unknown> => mneme(dataDir, ['hook', 'claude-code'], JSON.stringify({ cwd: project, ...event }))

// In the first conversation the person decides something.
await hook({ hook_event_name: 'SessionStart', source: 'startup', session_id: 'first' })
await hook({ hook_event_name: 'UserPromptSubmit', session_id: 'first', prompt: 'We decided to use pnpm instead of npm in this project.' })
await hook({ hook_event_name: 'Stop', session_id: 'first', last_assistant_message: 'Done.' })

// The second one begins with a brief of it.
console.log(JSON.stringify(await hook({ hook_event_name: 'SessionStart', source: 'startup', session_id: 'second' }), null, 2))
