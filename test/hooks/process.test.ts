import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { type Ended, removeTemporaryFolders, startProgram, temporaryFolder } from '../wire/program.js'
import { openStdio, useTools } from '../wire/wire.js'

// `mneme hook` as clients start it: whatever it is given, the agent goes on.
afterAll(removeTemporaryFolders)

async function hook(dataDir: string, input: string | undefined, args: readonly string[] = []): Promise<Ended> {
  const program = startProgram(['hook', 'claude-code', ...args, '--data-dir', dataDir], { keepOutput: true })
  if (input === undefined) program.child.stdin.end()
  else program.child.stdin.end(input)
  return program.ended()
}

const prompt = (text: string, session = 's1'): string =>
  JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: session, cwd: '/nonexistent/project', prompt: text })

const SILENT = { code: 0, signal: null, out: '', err: '' }

describe('failures of a hook', () => {
  it.each<[string, string | undefined]>([
    ['no input', undefined],
    ['broken JSON', '{"hook_event_name": "UserProm'],
    ['a list', '[1, 2]'],
    ['an unknown event', JSON.stringify({ hook_event_name: 'Nothing', session_id: 's' })],
    ['no event', '{}'],
    ['members of other types', JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 7, cwd: [], prompt: { a: 1 } })],
    ['10 MB', prompt(`Remember that ${'x'.repeat(10_000_000)}`)],
    ['nesting without end', `{"hook_event_name": "UserPromptSubmit", "prompt": ${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('%s', async (_, input) => {
    expect(await hook(temporaryFolder(), input)).toEqual(SILENT)
  })

  it('a damaged store, and unreadable settings', async () => {
    const damaged = temporaryFolder()
    writeFileSync(join(damaged, 'mneme.db'), 'this is no database'.repeat(500))
    expect(await hook(damaged, prompt('Always be kind to the parser.'))).toMatchObject({ code: 0, out: '' })
    const misconfigured = temporaryFolder()
    writeFileSync(join(misconfigured, 'config.json'), '{')
    expect(await hook(misconfigured, prompt('Always be kind to the parser.'))).toMatchObject({ code: 0, out: '' })
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'mneme.db'))
    expect(await hook(folder, prompt('Always be kind to the parser.'))).toMatchObject({ code: 0, out: '' })
  })

  it('a store locked by another process', async () => {
    const folder = temporaryFolder()
    await hook(folder, prompt('Always be kind to the parser.'))
    const locked = openFile(join(folder, 'mneme.db'))
    locked.exec('BEGIN IMMEDIATE')
    expect(await hook(folder, prompt('Never be rude to the lexer.', 's2'))).toMatchObject({ code: 0, out: '' })
    locked.exec('ROLLBACK')
    locked.close()
  })

  it('an unreachable server, which is logged', async () => {
    const ended = await hook(temporaryFolder(), prompt('Always be kind to the parser.'), ['--database', 'postgres://127.0.0.1:1/none'])
    expect(ended).toMatchObject({ code: 0, out: '' })
    const [line = ''] = ended.err.split('\n')
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', message: 'A hook was left out', client: 'claude-code' })
  })

  it('20 concurrent hooks store one statement and one card', async () => {
    const folder = temporaryFolder()
    const ended = await Promise.all(Array.from({ length: 20 }, () => hook(folder, prompt('Always be kind to the parser.'))))
    expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 0))
    const list = startProgram(['list', '--data-dir', folder, '--output', 'json'], { keepOutput: true })
    list.child.stdin.end()
    const { out } = await list.ended()
    expect(JSON.parse(out).memories).toHaveLength(2)
  })

  it('after a kill, the next hook finds a consistent store', async () => {
    const folder = temporaryFolder()
    for (const ms of [30, 120, 250, 400]) {
      const program = startProgram(['hook', 'claude-code', '--data-dir', folder], { keepOutput: true })
      program.child.stdin.end(prompt(`Always wait ${ms} milliseconds before the retry.`))
      const timer = setTimeout(() => program.child.kill('SIGKILL'), ms)
      await program.ended()
      clearTimeout(timer)
    }
    const program = startProgram(['hook', 'claude-code', '--data-dir', folder], { keepOutput: true })
    program.child.stdin.end(prompt('Never wait at all in the parser.'))
    expect(await program.ended()).toMatchObject({ code: 0 })
    const doctor = startProgram(['doctor', '--data-dir', folder], { keepOutput: true })
    doctor.child.stdin.end()
    expect((await doctor.ended()).code).toBe(0)
  })
})

describe('hook operation over MCP', () => {
  it('can be called and is not listed', async () => {
    const wire = openStdio(['--data-dir', temporaryFolder(), '--embedder', 'hash', '--log-level', 'error'])
    const tools = await useTools(wire)
    const listed = await wire.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' })
    expect(JSON.stringify(listed)).toContain('"recall"')
    expect(JSON.stringify(listed)).not.toContain('"hook"')
    const payload = { session_id: 's1', cwd: '/nonexistent/p', prompt: 'We decided to use Rust for the parser.' }
    expect(await tools.call('hook', { client: 'codex', event: 'UserPromptSubmit', payload })).toEqual({})
    const start = await tools.call('hook', { client: 'codex', event: 'SessionStart', payload: { session_id: 's2', cwd: '/nonexistent/p' } })
    expect(JSON.stringify(start)).toContain('We decided to use Rust for the parser.')
    await wire.close()
  })
})
