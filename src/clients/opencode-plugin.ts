/** A module for OpenCode that starts the program, because OpenCode's runtime cannot load it. */
export function openCodePlugin(command: readonly string[]): string {
  return `// Written by mneme install --hooks; mneme uninstall removes it.
import { spawn } from 'node:child_process'

const COMMAND = ${JSON.stringify(command)}
const WITHIN_MS = 5000

/** What the program says about a step; nothing when it fails or takes too long. */
function call(event, payload) {
  return new Promise((resolve) => {
    let out = ''
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), event], { stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = setTimeout(() => child.kill(), WITHIN_MS)
    const end = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(out).context)
      } catch {
        resolve(undefined)
      }
    }
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.on('error', end)
    child.on('close', end)
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(payload))
  })
}

const textOf = (parts) => (parts ?? []).filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text).join('\\n')

export const Mneme = async ({ directory, client }) => {
  const briefs = new Map()
  const found = new Map()
  const payload = (sessionID, more) => ({ session_id: sessionID, cwd: directory, ...more })
  return {
    'chat.message': async (input, output) => {
      const { sessionID } = input
      if (!briefs.has(sessionID)) briefs.set(sessionID, await call('start', payload(sessionID)))
      const prompt = textOf(output.parts)
      if (prompt !== '') found.set(sessionID, await call('prompt', payload(sessionID, { prompt })))
    },
    'experimental.chat.system.transform': async (input, output) => {
      const { sessionID } = input ?? {}
      const ids = sessionID === undefined ? [...briefs.keys()].slice(-1) : [sessionID]
      for (const id of ids) for (const text of [briefs.get(id), found.get(id)]) if (text !== undefined) output.system.push(text)
    },
    'tool.execute.after': async (input, output) => {
      if (!/^(?:edit|write|patch|bash)$/.test(input.tool)) return
      const args = input.args ?? output?.metadata ?? {}
      await call('tool', payload(input.sessionID, { tool_name: input.tool, tool_input: args }))
    },
    event: async ({ event }) => {
      if (event.type !== 'session.idle') return
      const { sessionID } = event.properties
      const { data } = await client.session.messages({ path: { id: sessionID } }).catch(() => ({}))
      const last = (data ?? []).filter(({ info }) => info.role === 'assistant').at(-1)
      const text = textOf(last?.parts)
      if (text !== '') await call('answer', payload(sessionID, { last_assistant_message: text }))
    },
  }
}
`
}
