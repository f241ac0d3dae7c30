import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openSubstrate, type Substrate } from './bench.js'

// Every example of the contract's document, in an order in which the named objects exist. UPDATE_GOLDEN=1 writes the current responses.
const FILE = fileURLToPath(new URL('../golden/substrate/seed-examples.json', import.meta.url))
const update = process.env.UPDATE_GOLDEN === '1'
if (update && process.env.CI) throw new Error('Golden files are pins: they are not rewritten in CI.')

type Given = Readonly<Record<string, unknown>>

let substrate: Substrate
let server: Server
let folder: string
let address = ''
const steps: unknown[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-seed-'))
  mkdirSync(join(folder, 'repo', '.codex'), { recursive: true })
  mkdirSync(join(folder, 'repo', '.worktrees'))
  mkdirSync(join(folder, 'repo', 'src'))
  writeFileSync(join(folder, 'repo', '.codex', 'state.json'), '{}')
  writeFileSync(
    join(folder, 'repo', 'README.md'),
    '# Memory\n\n## Context Pack\n\nA `Context Pack` is compact. The Context Pack has tiers.\n',
  )
  writeFileSync(join(folder, 'repo', 'src', 'main.py'), 'import json\n\n\nclass Store:\n    def load(self):\n        return json\n')
  writeFileSync(join(folder, 'guide.md'), '---\ntitle: Guide\n---\n# Guide\n\n## Setup\n\nRun the setup.\n\n## Use\n\nAsk it.\n')
  server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Page</h1><p>Project X uses Kuzu.</p>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node = server.address()
  address = `http://127.0.0.1:${typeof node === 'object' && node !== null ? node.port : 0}/page`
  substrate = await openSubstrate({ ingestAllowPrivate: true, ingestRoots: folder })
})
afterAll(async () => {
  await substrate.close()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** Replaces ids, times, hashes and paths by placeholders, each id by its number. */
function normalized(value: unknown): unknown {
  const ids = new Map<string, string>()
  // Their order follows from ids, which depend on the folder.
  const counted = (key: string, member: unknown) =>
    key === 'insights' && typeof member === 'object' && member !== null
      ? Object.fromEntries(Object.entries(member).map(([name, list]) => [name, Array.isArray(list) ? list.length : list]))
      : member
  const text = JSON.stringify(value, counted)
    .replaceAll(folder, '<folder>')
    .replaceAll(address, '<address>')
    .replace(/\b(src|node|act|know|work|patch|aud|rel|ctx|issue):[0-9a-f]{32,40}/gu, (id, prefix: string) => {
      const known = ids.get(id) ?? `${prefix}:${[...ids.keys()].filter((value) => value.startsWith(`${prefix}:`)).length + 1}`
      ids.set(id, known)
      return known
    })
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?\+00:00/gu, '<time>')
    .replace(/\b[0-9a-f]{64}\b/gu, '<hash>')
  return JSON.parse(text)
}

async function step(tool: string, mode: string, input: Given, options?: Given): Promise<Given> {
  const args = { mode, input_data: input, ...(options === undefined ? {} : { options }) }
  try {
    const answer = await substrate.world.call(`substrate/memory_${tool}`, { args })
    steps.push({ tool: `memory_${tool}`, args, answer })
    return answer
  } catch (failure) {
    steps.push({ tool: `memory_${tool}`, args, refused: failure instanceof Error ? failure.message : String(failure) })
    return {}
  }
}

const firstSegment = async (source: string): Promise<Given> => {
  const { data } = await step('query', 'page', { id: source }, { include_segments: true, max_items: 10 })
  const [segment] = z
    .object({
      object: z.object({
        segments: z.array(z.object({ segment_id: z.string(), locator: z.record(z.string(), z.unknown()), hash: z.string() })),
      }),
    })
    .parse(data).object.segments
  return { source_id: source, segment_id: segment?.segment_id, locator: segment?.locator, hash: segment?.hash }
}

it('every example of the document returns the documented result', async () => {
  const repo = join(folder, 'repo')
  const { source_id: pending } = await step('ingest', 'repo', { path: repo })
  await step('ingest', 'repo', { path: repo, exclude_patterns: ['.codex', '.worktrees'] })
  await step('ingest', 'repo', { path: repo, exclude_patterns: ['.codex', '.worktrees'] })
  const { node_id: node } = await step('ingest', 'markdown', { path: join(folder, 'guide.md') })
  await step('ingest', 'web', { url: address })
  const { source_id: talk } = await step('ingest', 'conversation', {
    title: 'Memory design discussion',
    messages: [
      {
        ...{ role: 'user', content: 'Remember that project X uses Kuzu.', name: 'optional-speaker' },
        ...{ created_at: '2026-04-28T00:00:00+00:00', metadata: {} },
      },
    ],
    origin: { host: 'codex', project: 'memory-substrate' },
  })
  await step('query', 'page', { id: String(pending) })
  await step('query', 'page', { id: String(pending) }, { include_segments: true, max_items: 10 })
  await step('query', 'page', { id: String(pending) }, { detail: 'full' })
  const { locator, hash, ...ref } = await firstSegment(String(talk))

  const governed = { memory_source: 'agent_inferred', scope_refs: ['scope:project'] }
  const fact = {
    ...{ kind: 'fact', title: 'Repo uses Python', summary: 'Primary language is Python.' },
    reason: 'The detected language changes future repository work.',
    ...governed,
    subject_refs: [node],
    evidence_refs: [ref],
    payload: { subject: node, predicate: 'primary_language', value: 'python', object: null, metadata: {} },
    confidence: 0.8,
  }
  const { knowledge_id: known } = await step('remember', 'knowledge', fact)
  await step('remember', 'knowledge', fact)
  const { knowledge_id: rust } = await step('remember', 'knowledge', {
    ...fact,
    title: 'Repo uses Rust',
    payload: { ...fact.payload, value: 'rust' },
    evidence_refs: [{ ...ref, locator, hash }],
  })
  await step('remember', 'knowledge', { ...fact, evidence_refs: [{ ...ref, locator: { kind: 'line', line: 12 } }] })
  await step('remember', 'knowledge', { ...fact, evidence_refs: [{ ...ref, hash: 'optional-segment-hash' }] })
  await step('remember', 'activity', {
    ...{ kind: 'research', title: 'Repo walkthrough', summary: 'Captured reusable findings.' },
    reason: 'This walkthrough records reusable project context.',
    ...governed,
    source_refs: [talk],
    related_node_refs: [node],
  })
  await step('remember', 'work_item', {
    ...{ kind: 'task', title: 'Review repo', summary: 'Track next step.' },
    reason: 'This task should persist beyond the current session.',
    memory_source: 'user_declared',
    scope_refs: ['scope:project'],
    source_refs: [talk],
  })
  const reusable = {
    ...{ kind: 'fact', title: 'Reusable fact', summary: 'Captured by the agent.' },
    reason: 'This fact affects future work in this project.',
    ...governed,
    payload: { subject: node, predicate: 'observed', value: true, object: null },
    confidence: 0.7,
  }
  await step('remember', 'batch', { entries: [{ mode: 'knowledge', input_data: reusable }] })
  await step('remember', 'promote', { knowledge_id: known, reason: 'verified' })
  await step('remember', 'contest', { knowledge_id: rust, reason: 'conflicting source found' })
  await step('remember', 'supersede', { old_knowledge_id: rust, new_knowledge_id: known, reason: 'new evidence' })

  const scope = { object_types: ['knowledge', 'activity', 'work_item'] }
  await step('query', 'context', { task: 'inspect repository structure', scope }, { max_items: 12 })
  await step('query', 'search', { query: 'memory' }, { max_items: 20, filters: { object_types: ['source', 'knowledge'] } })
  await step('query', 'expand', { id: String(node) }, { max_items: 10 })
  await step('query', 'page', { id: String(known) })
  await step('query', 'recent', {}, { max_items: 20, filters: { object_type: 'knowledge', status: 'active' } })
  await step('query', 'graph', { id: String(node) }, { max_items: 20 })

  // Neither package is installed: it is named, and nothing changes.
  await step('maintain', 'configure', { graph_backend: 'file', semantic_backend: 'lancedb' }, { apply: true })
  await step('maintain', 'configure', { graph_backend: 'kuzu' }, { apply: true })
  await step('maintain', 'reindex', {}, { graph_backend: 'kuzu', semantic_backend: 'lancedb' })
  await step('maintain', 'configure', { graph_backend: 'file' }, { apply: true })
  await step('maintain', 'structure', {})
  await step('maintain', 'repair', {}, { apply: true })
  await step('maintain', 'reindex', {})
  const rules = { min_confidence: 0.75, min_evidence: 1, reference_time: '2026-04-28T00:00:00+00:00', stale_after_days: 30 }
  await step('maintain', 'report', rules)
  await step('maintain', 'cycle', rules, { apply: true })
  const twin = { ...KNOWN, summary: 'The same words in two notes about deploys.' }
  const pair = async () => [
    (await step('remember', 'knowledge', twin)).knowledge_id,
    (await step('remember', 'knowledge', { ...twin, summary: `${twin.summary} Again.` })).knowledge_id,
  ]
  const [older, newer] = await pair()
  await step(
    'maintain',
    'resolve_duplicates',
    {
      ...{ outcome: 'supersede', knowledge_ids: [older, newer], canonical_knowledge_id: newer },
      reason: 'Reviewed the soft duplicate candidate and selected the newer scoped decision.',
    },
    { apply: true },
  )
  const third = (await step('remember', 'knowledge', twin)).knowledge_id
  await step(
    'maintain',
    'resolve_duplicates',
    {
      ...{ outcome: 'keep_both', knowledge_ids: [newer, third], reason: 'Same phrasing, but different project scopes.' },
      updates: [
        { knowledge_id: newer, scope_refs: ['scope:project-a'] },
        { knowledge_id: third, scope_refs: ['scope:project-b'] },
      ],
    },
    { apply: true },
  )
  const retired = { source_id: talk, reason: 'Retired because the import captured local agent state.' }
  await step('maintain', 'archive_source', retired, { apply: true })
  await step('maintain', 'audit', {}, { max_items: 3 })

  const result = normalized(steps)
  if (update) {
    mkdirSync(join(FILE, '..'), { recursive: true })
    writeFileSync(FILE, `${JSON.stringify(result, null, 1)}\n`)
  }
  expect(existsSync(FILE), `${FILE} is missing`).toBe(true)
  expect(result).toEqual(JSON.parse(readFileSync(FILE, 'utf8')))
})

const KNOWN = {
  ...{ kind: 'decision', title: 'Deploys need two approvals', reason: 'It is easily forgotten.' },
  ...{ memory_source: 'user_declared', scope_refs: ['scope:project'] },
}
