import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ofKind, readPath, readText, withFolder, writeFiles } from './read-tree.js'
import { zipFile } from './zip-file.js'

const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n')

describe('formats are recognised by content and read completely', () => {
  test('server-memory: entities, observations and relations, as lines and as the answer of read_graph', async () => {
    const entity = {
      type: 'entity',
      name: 'billing-api',
      entityType: 'service',
      observations: ['talks to Stripe', 'owned by Dana', 'talks to Stripe'],
    }
    const relation = { type: 'relation', from: 'billing-api', to: 'gateway', relationType: 'depends_on' }
    const asLines = await readText('memory.jsonl', lines(entity, relation))
    expect(asLines.format).toBe('server-memory')
    expect(ofKind(asLines.records, 'fact').map(({ text, subject }) => [subject, text])).toEqual([
      ['billing-api', 'talks to Stripe'],
      ['billing-api', 'owned by Dana'],
    ])
    expect(ofKind(asLines.records, 'relation')).toMatchObject([{ subject: 'billing-api', predicate: 'depends_on', object: 'gateway' }])
    const graph = await readText('graph.json', JSON.stringify({ entities: [entity], relations: [relation] }, null, 2))
    expect([graph.format, graph.records.length]).toEqual(['server-memory', asLines.records.length])
  })

  test('ChatGPT: the branch shown last, saved memories once, no hidden, tool or deleted messages', async () => {
    const message = (id: string, parent: string | null, role: string, text: string, more = {}) => ({
      ...{ id, parent, children: [] },
      message: {
        id,
        author: { role },
        create_time: 1_700_000_000,
        recipient: 'all',
        content: { content_type: 'text', parts: [text] },
        metadata: {},
        ...more,
      },
    })
    const memory = {
      content_type: 'model_editable_context',
      model_set_context: '1. [2025-03-01]. Likes tea.\n2. [2025-03-02]. Lives in Oslo.',
    }
    const conversation = (id: string) => ({
      ...{ title: 'Tea', create_time: null, update_time: null, conversation_id: id, current_node: 'd' },
      mapping: {
        r: { id: 'r', parent: null, children: ['a'], message: null },
        a: message('a', 'r', 'system', '', { content: memory }),
        b: message('b', 'a', 'user', 'Which tea?'),
        x: message('x', 'b', 'assistant', 'A deleted answer'),
        t: message('t', 'b', 'assistant', 'search()', { recipient: 'web' }),
        h: message('h', 't', 'user', 'hidden', { metadata: { is_visually_hidden_from_conversation: true } }),
        d: message('d', 'h', 'assistant', 'Green tea.'),
      },
    })
    const archive = zipFile([
      {
        path: 'export/conversations-000.json',
        content: JSON.stringify([conversation('c1'), { ...conversation('c2'), current_node: 'missing' }]),
      },
      { path: 'export/chat.html', content: '<html>' },
    ])
    const { format, records } = await readText('chatgpt.zip', archive)
    expect(format).toBe('chatgpt')
    expect(ofKind(records, 'fact').map(({ text }) => text)).toEqual(['Likes tea.', 'Lives in Oslo.'])
    const [first, second] = ofKind(records, 'conversation')
    expect(first?.turns.map(({ text }) => text)).toEqual(['Which tea?', 'Green tea.'])
    expect([first?.key, first?.startedAt]).toEqual(['c1', 1_700_000_000_000_000])
    expect(second?.turns.length).toBeGreaterThan(0)
  })

  test('Claude: conversations, memories by project name, documents of projects', async () => {
    const conversation = {
      ...{ uuid: 'u1', name: '', created_at: '2026-01-02T03:04:05.000000Z', account: {} },
      chat_messages: [
        { uuid: 'm1', sender: 'human', text: 'Hello', content: [{ type: 'text', text: 'Hello' }], created_at: '2026-01-02T03:04:05Z' },
        {
          uuid: 'm2',
          sender: 'assistant',
          text: '',
          content: [
            { type: 'thinking', thinking: 'x' },
            { type: 'text', text: 'Hi.' },
          ],
        },
      ],
    }
    const archive = zipFile([
      { path: 'conversations.json', content: JSON.stringify([conversation]) },
      {
        path: 'memories.json',
        content: JSON.stringify([
          { conversations_memory: '# Work\n\n- Uses Go\n- Has a cat', project_memories: { p1: 'Ships on Mondays.' }, account_uuid: 'a' },
        ]),
      },
      {
        path: 'projects/p1.json',
        content: JSON.stringify({
          uuid: 'p1',
          name: 'Apollo',
          prompt_template: 'Be brief.',
          docs: [{ uuid: 'd1', filename: 'plan.md', content: 'The plan.' }],
        }),
      },
    ])
    const { format, records } = await readText('data.zip', archive)
    expect(format).toBe('claude')
    expect(ofKind(records, 'conversation')[0]?.turns.map(({ text }) => text)).toEqual(['Hello', 'Hi.'])
    expect(ofKind(records, 'fact').map(({ text, project }) => [project, text])).toEqual([
      ['Apollo', 'Be brief.'],
      [undefined, 'Uses Go'],
      [undefined, 'Has a cat'],
      ['Apollo', 'Ships on Mondays.'],
    ])
    expect(ofKind(records, 'source')).toMatchObject([{ title: 'plan.md', project: 'Apollo' }])
  })

  test('mem0: get_all and the export of the plugin are read', async () => {
    const item = {
      id: '4b1d',
      memory: 'Prefers aisle seats',
      hash: 'x',
      user_id: 'ann',
      run_id: 'r',
      created_at: '2026-05-01T09:12:00-07:00',
      metadata: { city: 'Oslo' },
      expiration_date: '2027-01-01',
    }
    const { format, records } = await readText('all.json', JSON.stringify({ results: [item, { ...item, memory: '' }] }))
    expect(format).toBe('mem0')
    expect(ofKind(records, 'fact')).toMatchObject([
      {
        key: '4b1d',
        text: 'Prefers aisle seats',
        owner: 'ann',
        session: 'r',
        createdAt: Date.UTC(2026, 4, 1, 16, 12) * 1000,
        metadata: { city: 'Oslo' },
      },
    ])
    expect(ofKind(records, 'skipped')).toMatchObject([{ bad: true }])
    const blocks =
      '---\nid: 1\ncreated_at: 2026-05-01T09:12:00Z\ntype: decision\nconfidence: 0.9\nbranch: main\nfiles: src/pay.ts\ncategories: architecture\n---\nPayments go through the gateway.\n\n---\nid: 2\ncreated_at:\ntype:\nconfidence:\nbranch:\nfiles:\ncategories:\n---\nTwo\nlines.\n'
    const exported = await readText('mem0-export-app-2026-05-01.md', blocks)
    expect(exported.format).toBe('mem0')
    expect(ofKind(exported.records, 'fact').map(({ text }) => text)).toEqual(['Payments go through the gateway.', 'Two\nlines.'])
  })

  test('basic-memory and Obsidian: observations, relations, links and front matter', async () => {
    const note = [
      ...[
        '---',
        'title: Billing',
        'type: service',
        'permalink: services/billing',
        'created: 2026-02-03T10:00:00Z',
        'tags: [pay, core]',
        '---',
      ],
      ...[
        '- [decision] Retries are capped at five #reliability (after the May outage)',
        '- depends_on [[Gateway]] (REST)',
        '- [ ] a task',
        '',
        'Talks to [[Stripe]] at night.',
      ],
    ].join('\n')
    await withFolder(async (folder) => {
      await writeFiles(folder, {
        'notes/billing.md': note,
        'notes/gateway.md': '---\ntitle: Gateway\npermalink: services/gateway\n---\nRoutes.',
      })
      const { format, records } = await readPath(join(folder, 'notes'))
      expect(format).toBe('basic-memory')
      expect(ofKind(records, 'relation').map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`)).toEqual([
        'Billing depends_on Gateway',
        'Billing links_to Stripe',
      ])
      expect(ofKind(records, 'fact')[0]).toMatchObject({
        text: 'Retries are capped at five #reliability',
        tags: ['pay', 'core', 'reliability', 'decision'],
      })
      await writeFiles(folder, {
        'vault/.obsidian/app.json': '{}',
        'vault/2026-03-04.md': 'Met [[Ann|her]] %%secret%% today. ^b1',
        'vault/.trash/old.md': 'Gone.',
        'vault/Trip.md': '![[map.png]] and ![[Ann]]',
      })
      const vault = await readPath(join(folder, 'vault'))
      expect(vault.format).toBe('obsidian')
      expect(ofKind(vault.records, 'fact').map(({ text }) => text)).toEqual(['Met [[Ann|her]]  today.', '![[map.png]] and ![[Ann]]'])
      expect(ofKind(vault.records, 'relation').map(({ subject, object }) => [subject, object])).toEqual([
        ['2026-03-04', 'Ann'],
        ['Trip', 'Ann'],
      ])
    })
  })

  test('rules and memory folders of clients', async () => {
    const found = await readText('CLAUDE.md', '\uFEFF# Style\r\n\r\n- Use tabs\r\n- Never use var\r\n  unless asked\r\n\r\n@other.md\r\n')
    expect(found.format).toBe('rules')
    expect(ofKind(found.records, 'fact').map(({ text, title, memoryType }) => [text, title, memoryType])).toEqual([
      ['Use tabs', 'Style', 'procedural'],
      ['Never use var\n  unless asked', 'Style', 'procedural'],
    ])
    await withFolder(async (folder) => {
      await writeFiles(folder, {
        'memory/MEMORY.md': '- [Tests](feedback_tests.md)\n- Deploys on Fridays',
        'memory/feedback_tests.md': '---\nname: Tests\ndescription: d\ntype: feedback\n---\nRun them all.\n\n**Why:** they are fast.',
      })
      const memory = await readPath(join(folder, 'memory'))
      expect(memory.format).toBe('client-memory')
      expect(ofKind(memory.records, 'fact').map(({ text }) => text)).toEqual([
        'Deploys on Fridays',
        'Run them all.\n\n**Why:** they are fast.',
      ])
    })
  })

  test('transcripts of Claude Code, Codex and Gemini CLI', async () => {
    const envelope = { sessionId: 's', cwd: '/home/ann/app', timestamp: '2026-05-01T00:00:00Z', version: '2.1.0' }
    const claude = await readText(
      's.jsonl',
      lines(
        { type: 'user', uuid: '1', message: { role: 'user', content: 'We decided to use SQLite.' }, ...envelope },
        { type: 'assistant', uuid: '2', message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] }, ...envelope },
        {
          type: 'assistant',
          uuid: '3',
          message: {
            id: 'm',
            role: 'assistant',
            content: [{ type: 'tool_use', name: 'Edit', input: { file_path: '/home/ann/app/a.ts' } }],
          },
          ...envelope,
        },
        { type: 'user', uuid: '4', isSidechain: true, message: { role: 'user', content: 'Never' }, ...envelope },
        { type: 'user', uuid: '1', message: { role: 'user', content: 'We decided to use SQLite.' }, ...envelope },
      ),
    )
    expect([claude.format, ofKind(claude.records, 'conversation')]).toMatchObject([
      'claude-code',
      [{ key: 's', folder: '/home/ann/app', files: ['/home/ann/app/a.ts'] }],
    ])
    expect(ofKind(claude.records, 'conversation')[0]?.turns.map(({ text }) => text)).toEqual(['We decided to use SQLite.', 'Fine.'])
    const meta = {
      timestamp: '2026-05-01T00:00:00Z',
      type: 'session_meta',
      payload: { id: 't1', cwd: '/w', git: { repository_url: 'git@github.com:acme/widget.git' } },
    }
    const statement = (type: string, payload: object) => ({ timestamp: '2026-05-01T00:00:01Z', type, payload })
    const codex = await readText(
      'rollout-1.jsonl',
      lines(
        meta,
        statement('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: '# AGENTS.md instructions' }] }),
        statement('event_msg', { type: 'user_message', message: 'One' }),
        statement('event_msg', { type: 'agent_message', message: 'thinking', phase: 'commentary' }),
        statement('event_msg', { type: 'agent_message', message: 'Answer' }),
        statement('event_msg', { type: 'user_message', message: 'Two' }),
        statement('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      ),
    )
    expect([codex.format, ofKind(codex.records, 'conversation')[0]?.turns.map(({ text }) => text)]).toEqual(['codex', ['One', 'Answer']])
    expect(ofKind(codex.records, 'conversation')[0]?.project).toBe('git@github.com:acme/widget.git')
    const item = (item: object) => statement('event_msg', { type: 'item_completed', item })
    const paginated = await readText(
      'r.jsonl',
      lines(
        meta,
        item({ type: 'UserMessage', content: [{ type: 'text', text: 'Q' }] }),
        item({ type: 'AgentMessage', content: [{ type: 'Text', text: 'A' }] }),
      ),
    )
    expect(ofKind(paginated.records, 'conversation')[0]?.turns.map(({ text }) => text)).toEqual(['Q', 'A'])
    const chat = await readText(
      'session-1.jsonl',
      lines(
        { sessionId: 'g', projectHash: 'h', startTime: '2026-05-01T00:00:00Z', kind: 'main' },
        { id: '1', type: 'user', content: 'First', timestamp: '2026-05-01T00:00:00Z' },
        { id: '2', type: 'gemini', content: [{ text: 'Reply' }] },
        { id: '3', type: 'user', content: 'Dropped' },
        { $rewindTo: '3' },
      ),
    )
    expect([chat.format, ofKind(chat.records, 'conversation')[0]?.turns.map(({ text }) => text)]).toEqual(['gemini', ['First', 'Reply']])
  })

  test('Graphiti, Hindsight, Letta, mcp-memory-service and MemPalace by their documented shapes', async () => {
    const graph = await readText(
      'neo4j.json',
      lines(
        {
          type: 'relationship',
          id: '7',
          label: 'RELATES_TO',
          start: { id: '12' },
          end: { id: '15' },
          properties: {
            uuid: 'e',
            name: 'WORKS_AT',
            fact: 'Ann works at Acme',
            valid_at: '2026-01-01T00:00:00Z',
            expired_at: '2026-02-01T00:00:00Z',
            group_id: 'g',
            episodes: ['ep'],
          },
        },
        {
          type: 'node',
          id: '12',
          labels: ['Entity', 'Person'],
          properties: { uuid: 'a', name: 'Ann', group_id: 'g', name_embedding: [1] },
        },
        { type: 'node', id: '15', labels: ['Entity'], properties: { uuid: 'b', name: 'Acme', group_id: 'g' } },
        { type: 'node', id: '16', labels: ['Episodic'], properties: { uuid: 'ep', name: 'chat', content: 'Ann said so.', group_id: 'g' } },
      ),
    )
    expect(graph.format).toBe('graphiti')
    expect(ofKind(graph.records, 'fact')).toMatchObject([
      { subject: 'Ann', predicate: 'WORKS_AT', value: 'Acme', status: 'superseded', owner: 'g', derivedFrom: ['ep'] },
    ])
    const hindsight = await readText(
      'bank.zip',
      zipFile([
        { path: 'manifest.json', content: JSON.stringify({ schema_version: 1, source_bank_id: 'bank' }) },
        {
          path: 'documents/000000.json',
          content: JSON.stringify({
            id: 'd',
            original_text: 'Long.',
            facts: [
              { text: 'Ann moved', fact_type: 'experience', occurred_start: '2026-01-01T00:00:00Z', entities: ['Ann'], tags: ['home'] },
            ],
          }),
        },
      ]),
    )
    expect([hindsight.format, ofKind(hindsight.records, 'fact')]).toMatchObject([
      'hindsight',
      [{ text: 'Ann moved', owner: 'bank', memoryType: 'episodic', derivedFrom: ['d'] }],
    ])
    const letta = await readText(
      'agent.af',
      JSON.stringify({
        agents: [{ id: 'a', name: 'loop', block_ids: ['block-0'], messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }],
        blocks: [{ id: 'block-0', label: 'human', value: '- Likes jazz\n- Has two cats' }],
        groups: [],
      }),
    )
    expect([letta.format, ofKind(letta.records, 'fact').map(({ text, title }) => `${title}: ${text}`)]).toEqual([
      'letta',
      ['human: Likes jazz', 'human: Has two cats'],
    ])
    const service = await readText(
      'export.json',
      JSON.stringify({
        export_metadata: { total_memories: 1 },
        memories: [
          { content: 'Use tabs', content_hash: 'h', tags: ['style', 'proj:app'], created_at: 1_700_000_000.5, memory_type: 'rule' },
        ],
      }),
    )
    expect([service.format, ofKind(service.records, 'fact')]).toMatchObject([
      'mcp-memory-service',
      [{ key: 'h', project: 'app', createdAt: 1_700_000_000_500_000 }],
    ])
    const palace = await readText(
      'auth.md',
      '# app / auth\n\n## drawer_1\n\n> Tokens last an hour.\n> Always.\n\n| | |\n| --- | --- |\n| Source | a.md |\n| Filed | 2026-01-02T03:04:05 |\n| Added by | ann |\n\n---\n',
    )
    expect([palace.format, ofKind(palace.records, 'fact')]).toMatchObject([
      'mempalace',
      [{ text: 'Tokens last an hour.\nAlways.', project: 'app', author: 'ann' }],
    ])
  })

  test('tables: CSV with quotes, JSON lists and a mapping of columns', async () => {
    const csv = await readText('notes.csv', 'note;created;who\n"Two\nlines ""quoted""";2026-01-02T00:00:00Z;ann\n;;\nLast;;bob', {
      map: new Map([['author', 'who']]),
    })
    expect(csv.format).toBe('table')
    expect(ofKind(csv.records, 'fact')).toMatchObject([
      { text: 'Two\nlines "quoted"', author: 'ann', createdAt: Date.UTC(2026, 0, 2) * 1000, from: { line: 2 } },
      { text: 'Last', author: 'bob', from: { line: 5 } },
    ])
    const list = await readText('notes.json', JSON.stringify([{ text: 'One', tags: ['a'] }, { text: '' }, 3]))
    expect([list.format, ofKind(list.records, 'fact').length, ofKind(list.records, 'skipped').length]).toEqual(['table', 1, 2])
    await expect(readText('x.csv', 'a,b\n1,2', { from: 'table', map: new Map([['content', 'c']]) })).rejects.toThrow(
      '--map names the column "c"',
    )
  })
})
