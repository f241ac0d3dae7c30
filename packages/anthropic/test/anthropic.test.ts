import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { mnemeMemoryTool } from '../src/anthropic.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory()
})
afterAll(() => opened.close())

describe("Claude's memory tool", () => {
  it('is run by the tool runner of the SDK, which hands errors back to the model', async () => {
    const commands = [
      { command: 'create', path: '/memories/notes.md', file_text: 'The office closes at six.\nParking is free.' },
      { command: 'view', path: '/memories' },
      { command: 'str_replace', path: '/memories/notes.md', old_str: 'six', new_str: 'seven' },
      { command: 'view', path: '/memories/../etc/passwd' },
    ]
    const bodies: string[] = []
    const client = new Anthropic({
      apiKey: 'test',
      fetch: async (_, init) => {
        bodies.push(String(init?.body))
        const command = commands.shift()
        const content =
          command === undefined
            ? [{ type: 'text', text: 'Done.' }]
            : [{ type: 'tool_use', id: `t${commands.length}`, name: 'memory', input: command }]
        return Response.json({
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'test',
          content,
          stop_reason: command === undefined ? 'end_turn' : 'tool_use',
          usage: { input_tokens: 1, output_tokens: 1 },
        })
      },
    })
    const final = await client.beta.messages.toolRunner({
      model: 'test',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Remember when the office closes' }],
      tools: [mnemeMemoryTool(opened.memory)],
    })
    expect(final.content).toMatchObject([{ type: 'text', text: 'Done.' }])
    expect(bodies[1]).toContain('File created successfully at: /memories/notes.md')
    expect(bodies[2]).toContain('/memories/notes.md')
    expect(bodies[3]).toContain('The office closes at seven.')
    expect(bodies[4]).toContain('"is_error":true')
    expect((await opened.memory.recall('When does the office close?', { owner: 'claude' })).results[0]?.text).toContain('seven')
  })
})
