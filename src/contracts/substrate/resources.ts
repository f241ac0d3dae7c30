import type { Resource } from '../contract.js'

const POLICY = `# How this memory is governed

The server keeps evidence, knowledge and the record of every change. You, the agent, decide what is worth keeping and say why.

## What the server does

- It captures sources as they are and never turns them into knowledge by itself.
- It checks every citation, refuses a claim that is there already, and marks one that contradicts another as contested.
- It turns an active claim that was inferred into a candidate. Only a promotion makes it active.
- It writes all of a change or nothing, and keeps what was before and after.

## Claims (payload with subject and predicate)

- The same kind, subject, predicate and value or object, in scopes that meet, is a duplicate: \`duplicate knowledge exists: <ids>\`. Use what is there.
- Another value for the same kind, subject and predicate is a conflict: the new one is stored as contested and names the other in \`conflicts_with\`. What was there stays as it was. Settle it with supersede, promote or contest.

## Knowledge in words (no payload, or an empty one)

- Nothing is refused for its wording. The answer's \`possible_duplicates\` names what reads alike: read it, and settle the pair with memory_maintain resolve_duplicates, or leave both.

## Always

- \`reason\`, \`memory_source\` and \`scope_refs\` with every write. Active knowledge cites evidence, unless a person declared or curated it.
- No secrets, no transcripts, no state of one task that is over when the task is.
- What is superseded or archived is found only by those who ask for that status.

## Asking and upkeep

- Ask before you write, and again in other words when little is found. A filter is kept; what the server infers from your words lifts such objects and hides none.
- Upkeep that changes anything needs \`options.apply=true\`, but for reindex. \`report\` changes nothing: read it first.
`

const PLAYBOOK = `# Working with this memory

## Find the tools

Four tools: memory_ingest, memory_query, memory_remember, memory_maintain. If your host hides them, search its tools for memory-substrate, agent memory or persistent memory.

## At the start of a task

1. memory_query context with the task in one sentence.
2. Little there? Ask again with synonyms, names of files or modules, and in the language of the project; then memory_query search.
3. memory_query expand or page for the ids that matter. Read code and long documents where they are, by their locators.

## New evidence

1. memory_ingest the folder, file, page, PDF or conversation. An unchanged source answers noop.
2. Look at \`pending_decisions\` and \`memory_suggestions\`: they are hints, not memory.
3. Read the segments you mean to cite, and keep source_id and segment_id.

## Writing what lasts

1. memory_query search for the same thing under other names.
2. memory_remember knowledge, with evidence_refs; give a payload with subject, predicate and value or object where it is one claim.
3. Look at status, conflicts_with and possible_duplicates in the answer. Settle what you can, tell the person what you cannot.
4. Work that is left: memory_remember work_item, and work_item_status when it moves on. What was done: memory_remember activity. Several at once: batch.

## Knowledge changes

- Verified: promote. Replaced: remember the new one, then supersede. In doubt: contest.

## Upkeep

1. memory_maintain report: candidates, duplicates, contradictions, concepts, health of the graph.
2. structure for references that lead nowhere and evidence that has changed; repair takes the former away.
3. resolve_duplicates for each pair you have read; cycle for promotion, merging and ageing by rule.
`

const API = `# The calls in short

Every call: \`{"args": {"mode": "...", "input_data": {}, "options": {}}}\`. Fields that are not known are refused: \`Extra inputs are not permitted\`.

| tool | modes |
|---|---|
| memory_ingest | repo (path, include_patterns, exclude_patterns; option force), file, markdown, pdf (path), web (url), conversation (title, messages, origin) |
| memory_query | context (task, scope), search (query), page, expand, graph (id), recent |
| memory_remember | knowledge, activity, work_item, promote, contest (knowledge_id), supersede (old_knowledge_id, new_knowledge_id), work_item_status (work_item_id, status, resolution), batch (entries) |
| memory_maintain | report, structure, audit, reindex; with options.apply=true: configure, repair, promote_candidates, merge_duplicates, resolve_duplicates, archive_source, archive_knowledge, decay_stale, cycle |

Filters (search and recent in options, context as scope): object_type(s), kind(s), status(es), node_id(s), source_id(s).

memory_source: user_declared, human_curated, agent_inferred, system_generated, imported.
Statuses of knowledge: candidate, active, contested, stale, superseded, archived. Of work items: open, in_progress, blocked, resolved, closed, cancelled. Of activities: draft, finalized, archived.

Evidence: \`{"source_id", "segment_id"}\`, with locator and hash to verify. page and expand report the state of each: current, changed or missing.
`

const markdown = (uri: string, name: string, title: string, description: string, text: string): Resource => ({
  ...{ uri, name, title, description },
  mimeType: 'text/markdown',
  text: () => text,
})

export const RESOURCES: readonly Resource[] = [
  markdown(
    'memory://policy',
    'policy',
    'Memory policy',
    'What the server sees to, what the agent decides, and the rules of governed writing',
    POLICY,
  ),
  markdown('memory://agent-playbook', 'agent-playbook', 'Agent playbook', 'How to use the memory through a task, step by step', PLAYBOOK),
  markdown('memory://mcp-api-summary', 'mcp-api-summary', 'Calls in short', 'Tools, modes, filters and statuses on one page', API),
]
