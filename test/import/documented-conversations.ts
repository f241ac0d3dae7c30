import { at, type DocumentedSource, database, file, json, lines, MAY, rows, tree, zip } from './source-writers.js'

const message = (id: string, parent: string | null, role: string, text: string) => ({
  ...{ id, parent, children: [] },
  message: {
    id,
    author: { role },
    create_time: MAY / 1000,
    recipient: 'all',
    content: { content_type: 'text', parts: [text] },
    metadata: {},
  },
})
const chat = (id: string) => ({
  ...{ id, conversation_id: id, title: 'Store', create_time: MAY / 1000, update_time: MAY / 1000, current_node: 'b' },
  mapping: {
    r: { id: 'r', parent: null, children: ['a'], message: null },
    a: message('a', 'r', 'user', `We decided to use SQLite for the store of ${id}.`),
    b: message('b', 'a', 'assistant', 'Fine.'),
  },
})
const claudeChat = {
  ...{ uuid: 'u1', name: 'Gate', summary: '', created_at: at(0), updated_at: at(1), account: { uuid: 'a' } },
  chat_messages: [
    { uuid: 'm1', sender: 'human', created_at: at(0), text: 'We decided to open the gate at seven.', content: [] },
    { uuid: 'm2', sender: 'assistant', created_at: at(1), text: 'Noted.', content: [{ type: 'text', text: 'Noted.' }] },
  ],
}
const CLAUDE_CODE = { sessionId: 's1', cwd: '/home/ann/app', timestamp: at(0), version: '2.1.144', userType: 'external', gitBranch: 'main' }
const codexLine = (type: string, payload: object) => ({ timestamp: at(1), type, payload })
const CODEX_META = codexLine('session_meta', { id: 't1', cwd: '/w', git: { repository_url: 'git@github.com:acme/widget.git' } })

export const DOCUMENTED_CONVERSATIONS: readonly DocumentedSource[] = [
  {
    ...{ name: 'export', format: 'chatgpt', stored: { facts: 4 } },
    write: zip(
      'chatgpt.zip',
      { path: 'x/conversations-000.json', content: json([chat('alpha')]) },
      { path: 'x/conversations-001.json', content: json([chat('beta')]) },
      { path: 'x/user.json', content: '{}' },
      { path: '__MACOSX/x/._conversations-000.json', content: 'junk' },
    ),
    spot: { text: 'We decided to use SQLite for the store of beta.', status: 'candidate' },
  },
  {
    ...{ name: 'export', format: 'claude', stored: { facts: 5, sources: 1 } },
    write: zip(
      'data.zip',
      { path: 'conversations.json', content: json([claudeChat]) },
      { path: 'users.json', content: '[]' },
      {
        path: 'memories.json',
        content: json([{ conversations_memory: '**Work**\n\n- Uses Go\n', project_memories: { p: 'Ships on Mondays.' } }]),
      },
      {
        path: 'projects/p.json',
        content: json({
          uuid: 'p',
          name: 'Apollo',
          prompt_template: 'Be brief.',
          docs: [{ uuid: 'd', filename: 'plan.md', content: 'Plan.' }],
        }),
      },
    ),
    spot: { text: 'Ships on Mondays.', owner: 'project:Apollo' },
  },
  {
    ...{ name: 'transcripts', format: 'claude-code', stored: { facts: 2 } },
    write: tree('projects', {
      '-home-ann-app/s1.jsonl': lines(
        { type: 'progress', ...CLAUDE_CODE },
        {
          type: 'user',
          uuid: '1',
          parentUuid: null,
          isSidechain: false,
          message: { role: 'user', content: 'We decided to use SQLite.' },
          ...CLAUDE_CODE,
        },
        {
          type: 'assistant',
          uuid: '2',
          message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] },
          ...CLAUDE_CODE,
        },
        { type: 'user', uuid: '3', isMeta: true, message: { role: 'user', content: 'We decided to use Mongo.' }, ...CLAUDE_CODE },
      ),
      '-home-ann-app/s1/subagents/x.jsonl': lines({
        type: 'user',
        uuid: '9',
        isSidechain: true,
        message: { role: 'user', content: 'We decided to use Redis.' },
        ...CLAUDE_CODE,
      }),
    }),
    spot: { text: 'We decided to use SQLite.', status: 'candidate', owner: 'project:/home/ann/app' },
  },
  {
    ...{ name: 'sessions, both forms', format: 'codex', stored: { facts: 4 } },
    write: tree('sessions', {
      '2026/05/01/rollout-2026-05-01T00-00-00-t1.jsonl': lines(
        CODEX_META,
        codexLine('event_msg', { type: 'user_message', message: 'We decided to use SQLite.' }),
        codexLine('event_msg', { type: 'agent_message', message: 'Fine.' }),
      ),
      '2026/05/01/rollout-2026-05-01T00-00-01-t2.jsonl': lines(
        { ...CODEX_META, payload: { id: 't2', cwd: '/w' } },
        codexLine('event_msg', {
          type: 'item_completed',
          item: { type: 'UserMessage', id: 'u', content: [{ type: 'text', text: 'I prefer short answers.' }] },
        }),
      ),
    }),
    spot: { text: 'We decided to use SQLite.', owner: 'project:github.com/acme/widget' },
  },
  {
    ...{ name: 'chats', format: 'gemini', stored: { facts: 2 } },
    write: tree('tmp', {
      'app/.project_root': '/home/ann/app',
      'app/chats/session-2026-05-01T00-00-abcd.jsonl': lines(
        { sessionId: 'g', projectHash: 'h', startTime: at(0), lastUpdated: at(1), kind: 'main' },
        { id: '1', type: 'user', content: [{ text: 'We decided to use SQLite.' }], timestamp: at(0) },
        { id: '2', type: 'gemini', content: 'Fine.', timestamp: at(1) },
      ),
      'app/chats/session-2026-04-01T00-00-old.json': json({
        sessionId: 'o',
        projectHash: 'h',
        startTime: at(0),
        messages: [{ id: '1', type: 'user', content: 'Hi' }],
      }),
    }),
    spot: { text: 'We decided to use SQLite.', owner: 'project:/home/ann/app' },
  },
  {
    ...{ name: 'database', format: 'opencode', stored: { facts: 2 } },
    write: database(
      'opencode.db',
      [
        rows('session', ['id', 'directory', 'title', 'version', 'time_created'], ['ses_1', '/home/ann/app', 'Store', '1', MAY]),
        rows(
          'message',
          ['id', 'session_id', 'time_created', 'data'],
          ['m1', 'ses_1', MAY, json({ role: 'user' })],
          ['m2', 'ses_1', MAY + 1, json({ role: 'assistant', modelID: 'x' })],
        ),
        rows(
          'part',
          ['id', 'message_id', 'session_id', 'data'],
          ['p1', 'm1', 'ses_1', json({ type: 'text', text: 'We decided to use SQLite.' })],
          ['p2', 'm1', 'ses_1', json({ type: 'text', text: 'We decided to use Mongo.', synthetic: true })],
          ['p3', 'm2', 'ses_1', json({ type: 'text', text: 'Fine.' })],
        ),
      ].join('\n'),
    ),
    spot: { text: 'We decided to use SQLite.' },
  },
  {
    ...{ name: 'exported session', format: 'opencode', stored: { facts: 2 } },
    write: file(
      'session.json',
      json({
        info: { id: 'ses_1', directory: '/w', title: 'Store', time: { created: MAY } },
        messages: [{ info: { role: 'user', time: { created: MAY } }, parts: [{ type: 'text', text: 'I prefer short answers.' }] }],
      }),
    ),
    spot: { text: 'I prefer short answers.', owner: 'default' },
  },
]
