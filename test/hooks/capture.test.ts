import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from './conversation.js'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const say = (prompt: string, more: Readonly<Record<string, unknown>> = {}) =>
  desk.hook('UserPromptSubmit', { session_id: 's1', cwd: desk.widget, prompt, ...more })

const captured = async (what: string) => {
  const facts = await desk.world.backend.store.listFacts({ limit: 1000, offset: 0 })
  return facts.filter(({ metadata }) => metadata.captured === what)
}

describe('capture of a conversation', () => {
  it('stores explicit statements as candidates with their origin', async () => {
    await say('We decided to use pnpm, not npm. Now fix the failing test in src/app.ts.')
    const [fact, ...rest] = await captured('decision')
    expect(rest).toEqual([])
    expect(fact).toMatchObject({
      text: 'We decided to use pnpm, not npm.',
      owner: 'project:github.com/acme/widget',
      status: 'candidate',
      author: 'user',
      source: 'hook:claude-code',
      session: 'conversation:s1',
      metadata: { client: 'claude-code', conversation: 's1', folder: desk.widget },
    })
  })

  it('stores preferences for the user', async () => {
    await say('I prefer short answers without headings.')
    expect(await captured('preference')).toMatchObject([{ owner: 'default' }])
  })

  it('keeps one card per conversation, updated in place', async () => {
    await say('Add a login form to the settings page')
    for (const file of [`${desk.widget}/src/form.ts`, '/w/src/form.test.ts', `${desk.widget}/src/form.ts`])
      await desk.hook('PostToolUse', { session_id: 's1', cwd: desk.widget, tool_name: 'Edit', tool_input: { file_path: file } })
    await desk.hook('PostToolUse', {
      session_id: 's1',
      cwd: desk.widget,
      tool_name: 'Bash',
      tool_input: '{"command": "git commit -m \\"Add the form\\""}',
    })
    await desk.hook('PostToolUse', { session_id: 's1', cwd: desk.widget, tool_name: 'Read', tool_input: { file_path: '/w/README.md' } })
    await desk.hook('Stop', { session_id: 's1', cwd: desk.widget, last_assistant_message: 'The form is there.' })
    await desk.hook('UserPromptSubmit', { session_id: 's2', cwd: desk.widget, prompt: 'Now translate it into French' })
    expect((await captured('card')).map(({ text }) => text).sort()).toEqual([
      'Task: Add a login form to the settings page\nFiles: src/form.ts, /w/src/form.test.ts\nCommits: Add the form\nLast answer: The form is there.',
      'Task: Now translate it into French',
    ])
  })

  it('stores a repeated statement once, across conversations and concurrent installations', async () => {
    const prompt = 'Always run the linter before you commit.'
    await Promise.all([
      say(prompt),
      say(prompt),
      desk.hook('beforeSubmitPrompt', { conversation_id: 's1', workspace_roots: [desk.widget], prompt }, 'cursor'),
    ])
    await say('always run the linter before you commit', { session_id: 's2' })
    await say(prompt, { session_id: 's3', cwd: desk.widgetClone })
    expect(await captured('rule')).toHaveLength(1)
    expect(await captured('card')).toHaveLength(3)
  })

  it('stores a forgotten statement again, and removes it from cards', async () => {
    await say('Remember that the staging port is 5433.')
    const { forgotten } = await desk.world.call('admin/forget_last')
    expect(forgotten).toMatchObject([
      { content: 'The staging port is 5433.' },
      { content: 'Task: Remember that the staging port is 5433.' },
    ])
    expect(await desk.texts()).toEqual([])
    await say('Now translate the form into French')
    await desk.hook('Stop', { session_id: 's1', cwd: desk.widget, last_assistant_message: 'Voila.' })
    expect((await captured('card')).map(({ text }) => text)).toEqual(['Task: Now translate the form into French\nLast answer: Voila.'])
    await say('Remember that the production port is 5434.')
    expect((await desk.world.call('admin/forget_last')).forgotten).toMatchObject([{ content: 'The production port is 5434.' }])
    expect(await captured('card')).toHaveLength(1)
    expect(await captured('remember')).toEqual([])
    await say('Remember that the staging port is 5433.')
    expect(await captured('remember')).toHaveLength(1)
  })

  it('removes forgotten grouped numbers and short texts from cards', async () => {
    await say('Remember: rent 1,310. Then look at the parser, please')
    expect(await captured('card')).toHaveLength(1)
    expect((await desk.world.call('admin/forget_last')).forgotten).toHaveLength(2)
    expect(await desk.texts()).toEqual([])
  })

  it('excludes injected, private and secret text, its own tools and memory files of the client', async () => {
    await say(
      '<mneme-memory>We decided to use yarn.</mneme-memory><private>Never tell Bob about the merger.</private> Remember that the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF. <hook_context>Always use tabs.</hook_context> What is next?',
    )
    await say('<private>Always call me Zoe')
    await desk.hook('PostToolUse', { session_id: 's1', cwd: desk.widget, tool_name: 'Edit', tool_input: { file_path: '/w/CLAUDE.md' } })
    await desk.hook('PostToolUse', {
      session_id: 's1',
      cwd: desk.widget,
      tool_name: 'mcp__mneme__store_memory',
      tool_input: { command: 'git commit -m "x y"' },
    })
    const all = (await desk.texts()).join('\n')
    for (const word of ['yarn', 'Bob', 'sk-ant', 'tabs', 'Zoe', 'CLAUDE', 'x y']) expect(all).not.toContain(word)
  })

  it('stores turns only on request, for a limited time', async () => {
    await say('Please look at the parser')
    expect(await captured('turn')).toEqual([])
    const keeping = await openDesk({ capture: 'turns', captureTurnDays: 7 })
    await keeping.hook('UserPromptSubmit', { session_id: 's1', cwd: keeping.widget, prompt: 'Please look at the parser' })
    await keeping.hook('Stop', { session_id: 's1', cwd: keeping.widget, last_assistant_message: 'It is fine.' })
    const turns = (await keeping.world.backend.store.listFacts({ limit: 100, offset: 0, oldestFirst: true })).filter(
      ({ metadata }) => metadata.captured === 'turn',
    )
    expect(turns.map(({ text, author, ttlDays }) => [author, text, ttlDays])).toEqual([
      ['user', 'Please look at the parser', 7],
      ['assistant', 'It is fine.', 7],
    ])
    await keeping.close()
  })

  it('stores nothing during a pause or when capture is off', async () => {
    await desk.world.call('admin/pause', { minutes: 5 })
    await say('Always write tests first.')
    expect(await desk.texts()).toEqual([])
    desk.world.clock.advance(5 * 60e6)
    await say('Always write tests first.')
    expect(await captured('rule')).toHaveLength(1)
    await desk.world.call('admin/pause', { minutes: 5 })
    expect(await desk.world.call('admin/pause', { minutes: 0 })).toEqual({ paused: false, until: null })
    const off = await openDesk({ capture: 'off' })
    await off.hook('UserPromptSubmit', { session_id: 's1', cwd: off.widget, prompt: 'Always write tests first.' })
    expect(await off.texts()).toEqual([])
    await off.close()
  })

  it('reads a limited part of a prompt of 10 MB', async () => {
    await say(`Always use tabs in makefiles.\n${'<private '.repeat(1_200_000)}`)
    expect(await captured('rule')).toHaveLength(1)
  })

  it('continues after text that cannot be stored', async () => {
    await say('Remember that the \u0000 port \ud83d is 5433 here.')
    expect(await captured('remember')).toHaveLength(1)
  })
})
