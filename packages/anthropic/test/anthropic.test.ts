import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { mnemeMemoryHandlers, mnemeMemoryTool } from '../src/anthropic.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory()
})
afterAll(() => opened.close())

/** Commands that both implementations answer with the same text. Sizes of folders differ: the reference shows those of the file system. */
const COMMANDS: readonly (readonly [keyof MemoryToolHandlers, Readonly<Record<string, unknown>>])[] = [
  ['view', { path: '/memories' }],
  ['create', { path: '/memories/a.md', file_text: 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n' }],
  ['create', { path: '/memories/a.md', file_text: 'x' }],
  ['create', { path: '/memories/sub/b.txt', file_text: '' }],
  ['create', { path: '/memories/sub/deep/er/d.txt', file_text: 'd' }],
  ['create', { path: '/memories/.hidden', file_text: 'h' }],
  ['create', { path: '/memories/big.txt', file_text: 'x'.repeat(3000) }],
  ['create', { path: '/memories/sub/deep', file_text: 'x' }],
  ['view', { path: '/memories' }],
  ['view', { path: '/memories/sub' }],
  ['view', { path: '/memories/a.md' }],
  ['view', { path: '/memories/sub/b.txt' }],
  ['view', { path: '/memories/a.md', view_range: [2, 3] }],
  ['view', { path: '/memories/a.md', view_range: [0, 3] }],
  ['view', { path: '/memories/a.md', view_range: [9, -1] }],
  ['view', { path: '/memories/a.md', view_range: [9, 99] }],
  ['view', { path: '/memories/none' }],
  ['str_replace', { path: '/memories/a.md', old_str: 'five', new_str: 'FIVE\nfive-b' }],
  ['str_replace', { path: '/memories/a.md', old_str: 'one', new_str: 'ONE' }],
  ['str_replace', { path: '/memories/a.md', old_str: 'ten', new_str: '' }],
  ['str_replace', { path: '/memories/a.md', old_str: 'e', new_str: 'x' }],
  ['str_replace', { path: '/memories/a.md', old_str: 'zzz', new_str: 'x' }],
  ['str_replace', { path: '/memories/none', old_str: 'zzz', new_str: 'x' }],
  ['str_replace', { path: '/memories/sub', old_str: 'zzz', new_str: 'x' }],
  ['str_replace', { path: '/memories/a.md', old_str: 'two', new_str: '$& $1' }],
  ['insert', { path: '/memories/a.md', insert_line: 0, insert_text: 'top' }],
  ['insert', { path: '/memories/a.md', insert_line: 2, insert_text: 'mid\n' }],
  ['insert', { path: '/memories/a.md', insert_line: 14, insert_text: 'end' }],
  ['insert', { path: '/memories/a.md', insert_line: 99, insert_text: 'x' }],
  ['insert', { path: '/memories/a.md', insert_line: -1, insert_text: 'x' }],
  ['insert', { path: '/memories/none', insert_line: 0, insert_text: 'x' }],
  ['view', { path: '/memories/a.md' }],
  ['rename', { old_path: '/memories/a.md', new_path: '/memories/sub/b.txt' }],
  ['rename', { old_path: '/memories/none', new_path: '/memories/x' }],
  ['rename', { old_path: '/memories/a.md', new_path: '/memories/new/folder/z.md' }],
  ['rename', { old_path: '/memories/sub', new_path: '/memories/other' }],
  ['rename', { old_path: '/memories', new_path: '/memories/other2' }],
  ['view', { path: '/memories' }],
  ['delete', { path: '/memories' }],
  ['delete', { path: '/memories/none' }],
  ['delete', { path: '/memories/other' }],
  ['view', { path: '/memories' }],
  ['view', { path: '/etc' }],
]

describe("Claude's memory tool", () => {
  it('responds like the reference implementation of the SDK to every command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-anthropic-'))
    const reference = await BetaLocalFilesystemMemoryTool.init(folder)
    const own = mnemeMemoryHandlers(opened.memory, { owner: 'reference' })
    const respond = async (handlers: MemoryToolHandlers, [name, input]: (typeof COMMANDS)[number]): Promise<string> => {
      try {
        const text = String(await Reflect.apply(handlers[name], handlers, [{ command: name, ...input }]))
        return text.startsWith("Here're the files")
          ? text.replaceAll(/^[\d.]+[BKM]\t(\S+\/|\/memories|\/memories\/sub)$/gmu, 'SIZE\t$1')
          : text
      } catch (failure) {
        return `error: ${failure instanceof Error ? failure.message : String(failure)}`
      }
    }
    for (const command of COMMANDS) expect(await respond(own, command), JSON.stringify(command)).toBe(await respond(reference, command))
    rmSync(folder, { recursive: true, force: true })
  })

  it('runs in the tool runner of the SDK, which returns errors to the model', async () => {
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

  it('refuses every path outside /memories, for reading and writing', async () => {
    const handlers = mnemeMemoryHandlers(opened.memory, { owner: 'outside' })
    const outside = [
      '/etc/passwd',
      '/memoriesx/a',
      'memories/a',
      '',
      '/',
      '/memories/../a',
      '/memories/./a',
      '/memories//a',
      '/memories/%2e%2e/a',
    ]
    const odd = [
      '/memories/a\\..\\b',
      '/memories/a\0',
      '/memories/a\nb',
      `/memories/${'x'.repeat(1000)}`,
      undefined,
      7,
      { path: '/memories/a' },
    ]
    for (const path of [...outside, ...odd])
      for (const [name, input] of [
        ['view', { path }],
        ['create', { path, file_text: 'x' }],
        ['str_replace', { path, old_str: 'x', new_str: 'y' }],
        ['insert', { path, insert_line: 0, insert_text: 'x' }],
        ['delete', { path }],
        ['rename', { old_path: path, new_path: '/memories/a' }],
        ['rename', { old_path: '/memories/a', new_path: path }],
      ] as const)
        await expect(Reflect.apply(handlers[name], handlers, [{ command: name, ...input }]), `${name} ${String(path)}`).rejects.toThrow(
          /must start with \/memories|would escape \/memories/u,
        )
    expect(await handlers.view({ command: 'view', path: '/memories' })).toMatch(/\t\/memories$/u)
  })
})
