import { at, type DocumentedSource, database, file, json, MAY, rows, US, zip } from './source-writers.js'

const observation = {
  ...{ memory_session_id: 'mem-1', project: 'widget', type: 'decision', title: 'Retries', subtitle: 'why' },
  ...{ facts: json(['Retries are capped at five', 'Backoff doubles']), narrative: 'The gate was slow.', concepts: json(['reliability']) },
  ...{ files_read: '[]', files_modified: json(['src/gate.ts']), prompt_number: 1, created_at: at(0), created_at_epoch: MAY },
}
const triple = { uuid: 'e', group_id: 'team', source_node_uuid: 'a', target_node_uuid: 'b', name: 'WORKS_AT', fact: 'Ann works at Acme' }
const node = (uuid: string, name: string) => ({ uuid, name, group_id: 'team', created_at: at(0), summary: '', name_embedding: [0.1] })
export const DOCUMENTED_STORES: readonly DocumentedSource[] = [
  {
    ...{ name: 'database before version 17', format: 'claude-mem', stored: { facts: 5 } },
    write: database(
      'claude-mem.db',
      [
        rows('schema_versions', ['version', 'applied_at'], [12, at(0)]),
        rows('sdk_sessions', ['id INTEGER PRIMARY KEY', 'claude_session_id', 'sdk_session_id', 'project'], [1, 'c', 'sdk-1', 'widget']),
        rows(
          'observations',
          [
            'id INTEGER PRIMARY KEY',
            'sdk_session_id',
            'project',
            'text',
            'type',
            'title',
            'facts',
            'concepts',
            'created_at',
            'created_at_epoch',
          ],
          [
            1,
            'sdk-1',
            'widget',
            'The gate was slow.',
            'bugfix',
            'Gate',
            json(['Retries are capped at five']),
            json(['gate: the door']),
            at(0),
            MAY,
          ],
          [2, 'sdk-1', 'widget', 'Old prose.', 'change', 'Prose', '[broken', null, at(1), MAY + 1000],
        ),
        rows(
          'session_summaries',
          ['id INTEGER PRIMARY KEY', 'sdk_session_id', 'project', 'request', 'learned', 'next_steps', 'created_at', 'created_at_epoch'],
          [1, 'sdk-1', 'widget', 'Fix it', 'Locks help', 'Test more', at(2), MAY + 2000],
        ),
      ].join('\n'),
    ),
    spot: { text: 'Retries are capped at five', session: 'sdk-1', owner: 'project:widget', recordedAt: US },
  },
  {
    ...{ name: 'export', format: 'claude-mem', stored: { facts: 4 } },
    write: file(
      'memories.json',
      json({
        ...{
          exportedAt: at(9),
          exportedAtEpoch: MAY,
          query: '',
          totalObservations: 1,
          totalSessions: 1,
          totalSummaries: 1,
          totalPrompts: 1,
        },
        ...{ observations: [observation], sessions: [{ content_session_id: 'c', memory_session_id: 'mem-1', project: 'widget' }] },
        summaries: [{ memory_session_id: 'mem-1', project: 'widget', request: 'r', learned: 'Locks help', created_at_epoch: MAY }],
        prompts: [{ content_session_id: 'c', prompt_number: 1, prompt_text: 'secret prompt' }],
      }),
    ),
    spot: { text: 'Backoff doubles', session: 'mem-1', title: 'Retries' },
  },
  {
    ...{ name: 'list of memories', format: 'mem0', stored: { facts: 2 } },
    write: file(
      'mem0.json',
      json([
        {
          id: 'a',
          memory: 'Prefers aisle seats',
          hash: 'h',
          user_id: 'ann',
          created_at: at(0),
          updated_at: null,
          metadata: { city: 'Oslo' },
        },
        { id: 'b', memory: 'Is vegan', userId: 'ann', runId: 'r', createdAt: at(0), categories: ['food'], expirationDate: '2030-01-01' },
      ]),
    ),
    spot: { text: 'Is vegan', owner: 'ann', session: 'r' },
  },
  {
    ...{ name: 'history of the Python library', format: 'mem0', stored: { facts: 2 } },
    write: database(
      'history.db',
      rows(
        'history',
        [
          'id TEXT PRIMARY KEY',
          'memory_id',
          'old_memory',
          'new_memory',
          'event',
          'created_at',
          'updated_at',
          'is_deleted',
          'actor_id',
          'role',
        ],
        ['1', 'm', null, 'Likes tea', 'ADD', at(0), null, 0, null, 'user'],
        ['2', 'm', 'Likes tea', 'Likes coffee', 'UPDATE', at(0), at(60), 0, null, 'user'],
        ['3', 'gone', null, 'Forgotten', 'ADD', at(0), null, 0, null, null],
        ['4', 'gone', 'Forgotten', null, 'DELETE', at(0), at(5), 1, null, null],
      ),
    ),
    spot: { text: 'Likes tea', status: 'superseded' },
  },
  {
    ...{ name: 'export of the plugin', format: 'mem0', stored: { facts: 1 } },
    write: file(
      'mem0-export-app-2026-05-01.md',
      `---\nid: 4b1d\ncreated_at: ${at(0)}\ntype: decision\nconfidence: 0.9\nbranch: main\nfiles: src/pay.ts, src/stripe.ts\ncategories: architecture\n---\nPayments go through the gateway, never to Stripe directly.\n\n`,
    ),
    spot: { text: 'Payments go through the gateway, never to Stripe directly.', confidence: 0.9, recordedAt: US },
  },
  {
    ...{ name: 'palace', format: 'mempalace', stored: { facts: 2 } },
    write: database(
      'chroma.sqlite3',
      [
        rows('collections', ['id', 'name'], ['c1', 'mempalace_drawers'], ['c2', 'mempalace_closets']),
        rows('segments', ['id', 'scope', 'collection'], ['s1', 'METADATA', 'c1'], ['s0', 'VECTOR', 'c1'], ['s2', 'METADATA', 'c2']),
        rows(
          'embeddings',
          ['id INTEGER PRIMARY KEY', 'segment_id', 'embedding_id', 'created_at'],
          [1, 's1', 'd1_1', at(0)],
          [2, 's1', 'd1_0', at(0)],
          [3, 's1', 'd2', at(0)],
          [4, 's1', 'reg', at(0)],
          [5, 's2', 'closet', at(0)],
        ),
        rows(
          'embedding_metadata',
          ['id', 'key', 'string_value', 'int_value', 'float_value', 'bool_value'],
          ...(
            [
              [
                1,
                { 'chroma:document': 'second half', parent_drawer_id: 'd1', wing: 'app', room: 'auth', filed_at: '2026-05-01T00:00:00' },
                1,
              ],
              [
                2,
                { 'chroma:document': 'first half', parent_drawer_id: 'd1', wing: 'app', room: 'auth', filed_at: '2026-05-01T00:00:00' },
                0,
              ],
              [3, { 'chroma:document': 'Tokens last an hour', wing: 'app', room: 'auth', added_by: 'ann', hall: 'facts' }, 0],
              [4, { 'chroma:document': 'marker', room: '_registry' }, 0],
              [5, { 'chroma:document': 'closet', room: 'x' }, 0],
            ] as const
          ).flatMap(([id, texts, piece]) => [
            ...Object.entries(texts).map(([key, value]) => [id, key, value, null, null, null]),
            [id, 'chunk_index', null, piece, null, null],
          ]),
        ),
      ].join('\n'),
    ),
    spot: { text: 'first half\nsecond half', title: 'auth', owner: 'project:app' },
  },
  {
    ...{ name: 'graph', format: 'mempalace', stored: { facts: 1, entities: 2, edges: 1 } },
    write: database(
      'knowledge_graph.sqlite3',
      [
        rows(
          'entities',
          ['id', 'name', 'type', 'properties', 'created_at'],
          ['ann', 'Ann', 'person', '{}', at(0)],
          ['acme', 'Acme', 'org', '{}', at(0)],
        ),
        rows(
          'triples',
          ['id', 'subject', 'predicate', 'object', 'valid_from', 'valid_to', 'confidence', 'source_file', 'extracted_at'],
          ['t', 'ann', 'works_at', 'acme', '2026-01-01', '2026-02-01', 0.9, 'a.md', at(0)],
        ),
      ].join('\n'),
    ),
    spot: { text: 'Ann works at Acme', validFrom: Date.UTC(2026, 0, 1) * 1000, validUntil: Date.UTC(2026, 1, 1, 23, 59, 59) * 1000 },
  },
  {
    ...{ name: 'nodes and edges', format: 'graphiti', stored: { facts: 1, entities: 2, edges: 1, sources: 1 } },
    write: file(
      'graph.json',
      json({
        nodes: [
          { ...node('a', 'Ann'), labels: ['Entity', 'Person'] },
          { ...node('b', 'Acme'), labels: ['Entity'] },
          { uuid: 'ep', name: 'chat', group_id: 'team', content: 'Ann said so.', source: 'message', valid_at: at(0), created_at: at(0) },
        ],
        edges: [
          { ...triple, created_at: at(0), valid_at: at(0), invalid_at: null, expired_at: null, episodes: ['ep'], fact_embedding: [0.1] },
        ],
      }),
    ),
    spot: { text: 'Ann works at Acme', owner: 'team', subject: 'Ann', predicate: 'WORKS_AT' },
  },
  {
    ...{ name: 'array of apoc.export.json', format: 'graphiti', stored: { facts: 1, entities: 2, edges: 1 } },
    write: file(
      'apoc.json',
      json([
        { type: 'node', id: '1', labels: ['Entity'], properties: node('a', 'Ann') },
        { type: 'node', id: '2', labels: ['Entity'], properties: node('b', 'Acme') },
        {
          type: 'relationship',
          id: '3',
          label: 'RELATES_TO',
          start: { id: '1' },
          end: { id: '2' },
          properties: { ...triple, created_at: at(0) },
        },
        {
          type: 'relationship',
          id: '4',
          label: 'MENTIONS',
          start: { id: '9' },
          end: { id: '2' },
          properties: { uuid: 'm', group_id: 'team' },
        },
      ]),
    ),
    spot: { text: 'Ann works at Acme', owner: 'team' },
  },
  {
    ...{ name: 'database', format: 'mcp-memory-service', stored: { facts: 2 } },
    write: database(
      'sqlite_vec.db',
      [
        rows(
          'memories',
          [
            'id INTEGER PRIMARY KEY',
            'content_hash',
            'content',
            'tags',
            'memory_type',
            'metadata',
            'created_at',
            'deleted_at',
            'superseded_by',
          ],
          [1, 'h1', 'Use tabs', 'style,proj:app,untagged', 'rule', '{"a":1}', MAY / 1000, null, 'h2'],
          [2, 'h2', 'Use spaces', 'agent:claude', 'rule', null, MAY / 1000 + 0.5, null, null],
          [3, 'h3', 'Deleted', '', 'note', null, MAY / 1000, MAY / 1000, null],
        ),
        rows('memory_graph', ['source_hash', 'target_hash', 'relationship_type'], ['h1', 'h2', 'related']),
      ].join('\n'),
    ),
    spot: { text: 'Use spaces', author: 'claude', recordedAt: US + 500_000 },
  },
  {
    ...{ name: 'transfer archive', format: 'hindsight', stored: { facts: 2, entities: 1, sources: 1 } },
    write: zip(
      'bank.zip',
      { path: 'manifest.json', content: json({ schema_version: 1, source_bank_id: 'bank', exported_at: at(9), archive_type: 'bank' }) },
      {
        path: 'documents/000000.json',
        content: json({
          ...{
            id: 'd',
            original_text: 'Ann moved to Oslo.',
            tags: [],
            created_at: at(0),
            chunks: [{ chunk_index: 0, chunk_text: 'Ann moved to Oslo.' }],
          },
          facts: [
            { text: 'Ann moved', fact_type: 'experience', occurred_start: at(0), entities: ['Ann'], tags: ['home'], created_at: at(1) },
          ],
        }),
      },
      { path: 'observations.json', content: json([{ text: 'Ann likes the north', tags: [], proof_count: 1 }]) },
      { path: 'history/0.json', content: '[]' },
    ),
    spot: { text: 'Ann moved', owner: 'bank', eventAt: US },
  },
]
