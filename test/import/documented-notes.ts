import { at, type DocumentedSource, file, json, lines, MAY, tree, US } from './source-writers.js'

export const DOCUMENTED_NOTES: readonly DocumentedSource[] = [
  {
    ...{ name: 'CLAUDE.md', format: 'rules', stored: { facts: 2 } },
    write: file('CLAUDE.md', '# Style\n\n- Use tabs\n- Never use var\n\n@docs/other.md\n'),
    spot: { text: 'Use tabs', kind: 'procedural', title: 'Style' },
  },
  {
    ...{ name: 'rules of Cursor', format: 'rules', stored: { facts: 2 } },
    write: tree('project', {
      '.cursor/rules/a.mdc': '---\ndescription: Style\nglobs: "*.ts"\nalwaysApply: true\n---\n- Use tabs\n',
      '.cursor/rules/b.mdc': '- Name the tests\n',
    }),
    spot: { text: 'Name the tests', kind: 'procedural' },
  },
  {
    ...{ name: 'memories of Claude Code', format: 'client-memory', stored: { facts: 2 } },
    write: tree('projects', {
      '-home-ann-app/memory/MEMORY.md': '- [Tests](feedback_tests.md)\n- Deploys on Fridays\n',
      '-home-ann-app/memory/feedback_tests.md': '---\nname: Tests\ndescription: d\ntype: feedback\n---\nRun them all.\n',
    }),
    spot: { text: 'Deploys on Fridays' },
  },
  {
    ...{ name: 'memories of Codex', format: 'client-memory', stored: { facts: 2 } },
    write: tree('memories', {
      'MEMORY.md': '# Notes\n\n- The gate is in Oslo\n',
      'memory_summary.md': '- Ann prefers Go\n',
      'raw_memories.md': '## Thread `x`\n\nskipped\n',
      'rollout_summaries/a.md': 'skipped\n',
      'skills/x/SKILL.md': 'skipped\n',
    }),
    spot: { text: 'The gate is in Oslo', title: 'Notes' },
  },
  {
    ...{ name: 'workspace of OpenClaw', format: 'client-memory', stored: { facts: 3 } },
    write: tree('workspace', {
      'USER.md': '- Ann likes tea\n',
      'MEMORY.md': '- The cat is Miso\n',
      'memory/2026-05-01.md': '- Bought milk\n',
      'memory/imports/x.md': '- skipped\n',
      'DREAMS.md': '- skipped\n',
    }),
    spot: { text: 'The cat is Miso' },
  },
  {
    ...{ name: 'memories of Hermes', format: 'client-memory', stored: { facts: 3 } },
    write: tree('memories', { 'MEMORY.md': 'First entry\n§\nSecond entry\nwith two lines', 'USER.md': 'Likes tea' }),
    spot: { text: 'Second entry\nwith two lines' },
  },
  {
    ...{ name: 'memory file', format: 'server-memory', stored: { facts: 2, entities: 2, edges: 1 } },
    write: file(
      'memory.jsonl',
      lines(
        { type: 'entity', name: 'billing-api', entityType: 'service', observations: ['talks to Stripe', 'owned by Dana'] },
        { type: 'relation', from: 'billing-api', to: 'gateway', relationType: 'depends_on' },
      ).trimEnd(),
    ),
    spot: { text: 'talks to Stripe', subject: 'billing-api' },
  },
  {
    ...{ name: 'memory file of a fork with dates', format: 'server-memory', stored: { facts: 1, entities: 2, edges: 1 } },
    write: file(
      'memory.json',
      lines(
        {
          type: 'entity',
          entityName: 'gate',
          entityType: 'door',
          observations: ['opens at seven'],
          createdAt: MAY,
          validFrom: MAY,
          version: 2,
        },
        { type: 'relation', from_id: 'gate', to_id: 'house', relation_type: 'part_of', confidence: 0.5, strength: 0.5, createdAt: MAY },
      ),
    ),
    spot: { text: 'opens at seven', recordedAt: US, validFrom: US },
  },
  {
    ...{ name: 'notes', format: 'basic-memory', stored: { facts: 2, entities: 3, edges: 2 } },
    write: tree('basic-memory', {
      'services/billing.md':
        '---\ntitle: Billing\ntype: service\npermalink: services/billing\ncreated: 2026-02-03\n---\n- [decision] Retries are capped at five #reliability (after the May outage)\n- depends_on [[Gateway]] (REST)\n- [x] done\nTalks to [[Stripe]] at night.\n',
    }),
    spot: { text: 'Retries are capped at five #reliability', subject: 'Billing' },
  },
  {
    ...{ name: 'vault', format: 'obsidian', stored: { facts: 2, entities: 3, edges: 2 } },
    write: tree('vault', {
      '.obsidian/app.json': '{}',
      'Ann.md': '---\naliases: [Anna]\ntags: person\n---\nWorks with [[Ben|him]] and [[Acme#Team]]. ^b1\n',
      'Ben.md': '- Likes tea #food/drink\n',
    }),
    entity: { name: 'Ben', type: 'note' },
    spot: { text: 'Likes tea #food/drink', subject: 'Ben' },
  },
  {
    ...{ name: 'agent file', format: 'letta', stored: { facts: 4 } },
    write: file(
      'loop.af',
      json({
        agents: [
          {
            id: 'a',
            name: 'loop',
            block_ids: ['block-0'],
            messages: [{ role: 'user', content: [{ type: 'text', text: 'I prefer short answers.' }] }],
          },
        ],
        ...{
          groups: [],
          blocks: [{ id: 'block-0', label: 'human', value: '- Likes jazz\n- Has two cats' }],
          files: [],
          sources: [],
          tools: [],
        },
      }),
    ),
    spot: { text: 'Has two cats' },
  },
  {
    ...{ name: 'memory folder', format: 'letta', stored: { facts: 2 } },
    write: tree('memory', {
      'system/human.md': '---\ndescription: Who they are\n---\n- Likes jazz\n',
      'notes/oslo.md': '---\ndescription: The city\nread_only: true\n---\nOslo is north.\n',
      'skills/x/SKILL.md': '---\ndescription: s\n---\nskipped\n',
    }),
    spot: { text: 'Oslo is north.' },
  },
  {
    ...{ name: 'memories of memory-1file', format: 'mneme', stored: { facts: 2 } },
    write: file(
      'memories.jsonl',
      lines(
        {
          id: 'one',
          content: 'Ann likes tea',
          memory_type: 'semantic',
          user_id: 'ann',
          metadata: {},
          event_time: at(0),
          valid_from: at(0),
        },
        { id: 'two', content: 'Ben likes coffee', memory_type: 'episodic', importance_score: 2 },
      ),
    ),
    spot: { text: 'Ann likes tea', id: 'one', owner: 'ann' },
  },
  {
    ...{ name: 'CSV', format: 'table', stored: { facts: 2 } },
    write: file('notes.csv', `content,date,owner\n"One, two",${at(0)},ann\nLast,,\n`),
    spot: { text: 'One, two', owner: 'ann', recordedAt: US },
  },
  {
    ...{ name: 'JSON lines', format: 'table', stored: { facts: 2 } },
    write: file('notes.jsonl', lines({ id: 1, text: 'One', created: at(0) }, { id: 2, text: 'Two', created: at(0), tags: ['a'] })),
    spot: { text: 'Two', recordedAt: US },
  },
  {
    ...{ name: 'notes', format: 'markdown', stored: { facts: 2, entities: 2, edges: 1 } },
    write: tree('notes', { 'a.md': '# A\n\nSee [[b]].\n', 'b.md': '- Item\n' }),
    spot: { text: 'Item', subject: 'b' },
  },
]
