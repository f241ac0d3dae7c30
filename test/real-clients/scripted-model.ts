// A model on loopback that returns a fixed text in the form each client expects, and records requests.
import { createServer, type ServerResponse } from 'node:http'

export const ANSWER = 'Understood.'

interface Request {
  readonly url: string
  readonly method: string
  readonly body: string
}

export interface ScriptedModel {
  readonly url: string
  /** The recorded requests, without listings and counts. */
  asked(): readonly string[]
  close(): Promise<void>
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const requests: Request[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      requests.push({ url: request.url ?? '', method: request.method ?? '', body })
      reply(request.url ?? '', body, response)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () =>
      requests
        .filter(({ method, url }) => method === 'POST' && /messages(\?|$)|responses|enerateContent|completions/.test(url))
        .map(({ body }) => body),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function reply(url: string, body: string, response: ServerResponse): void {
  const streamed = /"stream":\s*true/.test(body)
  if (/\/messages\/count_tokens/.test(url)) json(response, { input_tokens: 10 })
  else if (/\/messages/.test(url)) streamed ? anthropicStream(response) : json(response, anthropicMessage())
  else if (/\/responses/.test(url)) responsesStream(response)
  else if (/streamGenerateContent/.test(url)) events(response, [['', geminiChunk()]])
  // A model is also asked which model to use, and must answer in its schema.
  else if (/enerateContent/.test(url)) json(response, geminiChunk(/[rR]esponse_?(?:Json)?[sS]chema/.test(body) ? ROUTING : ANSWER))
  else if (/countTokens/.test(url)) json(response, { totalTokens: 10 })
  else if (/chat\/completions/.test(url)) streamed ? completionStream(response) : json(response, completion())
  else json(response, {})
}

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function events(response: ServerResponse, list: readonly (readonly [string, object | string])[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of list)
    response.write(`${name === '' ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  response.end()
}

const usage = { input_tokens: 10, output_tokens: 3 }
const anthropicMessage = () => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content: [{ type: 'text', text: ANSWER }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
})

function anthropicStream(response: ServerResponse): void {
  events(response, [
    ['message_start', { type: 'message_start', message: { ...anthropicMessage(), content: [], stop_reason: null } }],
    ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
    ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER } }],
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } }],
    ['message_stop', { type: 'message_stop' }],
  ])
}

function responsesStream(response: ServerResponse): void {
  const item = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
  }
  const whole = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [item],
    usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13 },
  }
  events(response, [
    ['response.created', { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
    ['response.completed', { type: 'response.completed', response: whole }],
  ])
}

const ROUTING = JSON.stringify({ reasoning: 'plain', complexity_reasoning: 'plain', complexity_score: 1, model_choice: 'flash' })

const geminiChunk = (text = ANSWER) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, totalTokenCount: 13 },
})

const base = { id: 'c1', created: 1, model: 'scripted' }

const completion = () => ({
  ...base,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
})

function completionStream(response: ServerResponse): void {
  const chunk = (delta: object, finish: string | null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  events(response, [
    ['', chunk({ role: 'assistant', content: ANSWER }, null)],
    ['', chunk({}, 'stop')],
    ['', '[DONE]'],
  ])
}
