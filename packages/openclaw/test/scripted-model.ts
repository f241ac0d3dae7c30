import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withoutContext } from 'mneme/client'

interface Message {
  readonly role: string
  readonly content: unknown
}

export interface ScriptedModel {
  readonly url: string
  /** What the host sent last: the messages of the system, the user and the tools. */
  lastRequest(): string
  close(): void
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '')).join('\n')
      : ''

/** Of the last request: a tool call if the user wrote `CALL <tool> <arguments>`, otherwise the result of the last tool or `Noted.` */
function replyTo(messages: readonly Message[]): object {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  const result = since.find(({ role }) => role === 'tool')
  if (result !== undefined) return { content: `It said ${textOf(result)}` }
  const call = since.map((message) => /CALL (\w+) (\{.*\})/u.exec(withoutContext(textOf(message)))).find((found) => found !== null)
  if (!call) return { content: 'Noted.' }
  const [, id, args] = call
  // The host shows plugin tools through one tool that names them.
  const named = { name: 'tool_call', arguments: JSON.stringify({ id, args: JSON.parse(args ?? '{}') }) }
  return { tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: named }] }
}

/** An OpenAI-compatible model on loopback that follows a script. */
export async function scriptedModel(): Promise<ScriptedModel> {
  let last = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    if (!request.url?.endsWith('/chat/completions')) return void response.end(JSON.stringify({ data: [{ id: 'script' }] }))
    last = body
    const reply = replyTo(JSON.parse(body).messages)
    const choices = [
      { index: 0, delta: { role: 'assistant', ...reply }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'tool_calls' in reply ? 'tool_calls' : 'stop' },
    ]
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const chunks = [...choices.map((choice) => ({ choices: [choice] })), { choices: [], usage }]
    const events = chunks.map((chunk) => ({ id: 'one', object: 'chat.completion.chunk', created: 1, model: 'script', ...chunk }))
    response.setHeader('content-type', 'text/event-stream')
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${addressOf(server.address()).port}/v1`,
    lastRequest: () => last,
    close: () => void server.close(),
  }
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address
  throw new Error('The model has no port.')
}
