import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { substrate } from '../../src/contracts/substrate/contract.js'
import { readLines } from '../../src/core/evidence/chunks.js'
import { repoMap } from '../../src/engine/substrate/evidence/repo-map.js'
import { segmentById } from '../../src/engine/substrate/evidence/segments.js'
import { call as callMemory } from '../code/workbench.js'
import type { Opened } from '../opened.js'
import { allSegments, head, makeProject, openEvidence, removeTemporaryFolders } from './workbench.js'

const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

let world: Opened
afterEach(async () => world?.engine.close())
afterAll(removeTemporaryFolders)

const TREE = {
  'README.md': '# Farm\n\nA farm of lighthouses.\n\n## Keepers\n\nThey live there.\n',
  'src/keeper.ts': "import { lamp } from './lamp.js'\nexport class Keeper {\n  light(): void {\n    lamp()\n  }\n}\n",
  'src/lamp.ts': 'export function lamp(): number {\n  return 1\n}\n',
  'docs/a-b.ts': 'export const a = 1\n',
  'docs/a_b.ts': 'export const b = 2\n',
  'notes.txt': 'first paragraph\n\nsecond paragraph\n',
  'package.json': '{"name": "farm"}\n',
  'dist/out.js': 'built()\n',
  'sub/target/gen.rs': 'fn generated() {}\n',
  '.env': 'TOKEN=1\n',
  '.codex/state.md': '# Agent state\n',
  '.worktrees/x/a.ts': 'export const x = 1\n',
  '.gitignore': 'secret/\n',
  'secret/hidden.ts': 'export const hidden = 1\n',
}

async function ingest(mode: string, input_data: unknown, options?: unknown): Promise<Record<string, unknown>> {
  const operation = substrate.operations.find(({ name }) => name === 'memory_ingest')
  const caller = {
    context: world.engine.context(),
    actor: 'test',
    connection: 'test',

    progress: () => undefined,
  }
  return { ...(await operation?.call(caller, { args: { mode, input_data, ...(options === undefined ? {} : { options }) } })) }
}

const filesOf = async (id: unknown): Promise<readonly string[]> => [...(await world.backend.code.files(String(id))).keys()].sort()
const sourceOf = async (id: unknown) => {
  const [source] = await world.backend.store.sources([String(id)])
  if (source === undefined) throw new Error(`no source ${String(id)}`)
  return source
}

describe('captured repository', () => {
  it('excludes the state of agents and reports it for a decision', async () => {
    world = await openEvidence()
    const path = makeProject('farm', TREE)
    const first = await ingest('repo', { path })
    expect(first).toMatchObject({
      result_type: 'repo_ingest_result',
      status: 'completed_with_pending_decisions',
      requires_decision: true,
      source_id: expect.stringMatching(/^src:/),
      patch_id: expect.stringMatching(/^patch:/),
      excluded_by_preflight: ['.codex', '.worktrees'],
      pending_decisions: [
        {
          path: '.codex',
          kind: 'local_agent_state',
          reason: 'Repository contains local/agent state that may not belong in durable memory.',
          suggested_action: 'exclude',
        },
        { path: '.worktrees' },
      ],
      warnings: [
        'Repository contains local/agent state entries that may not belong in memory: .codex, .worktrees. They are excluded from the clean repo ingest unless options.force=true is used.',
      ],
      suggested_exclude_patterns: ['.codex', '.worktrees'],
      module_count: 4,
    })
    expect(await filesOf(first.source_id)).toEqual([
      'README.md',
      'docs/a-b.ts',
      'docs/a_b.ts',
      'notes.txt',
      'package.json',
      'src/keeper.ts',
      'src/lamp.ts',
    ])
    const source = await sourceOf(first.source_id)
    expect(source.metadata).toMatchObject({
      content_type: 'repo_map',
      identity_key: `source|repo|${path}`,
      payload: {
        repo_name: 'farm',
        file_count: 7,
        dir_count: 2,
        readme_present: true,
        source_roots: ['docs', 'src'],
        language_counts: { typescript: 4, markdown: 1 },
      },
      adapter: {
        name: 'repo',
        version: 'repo-adapter.v1',
        declared_transformations: ['repo_map', 'code_index', 'document_sections', 'source_segments'],
      },
      freshness: { is_current: true, fingerprint: source.fingerprint },
    })
    expect(await world.backend.store.facts([String(first.activity_id)])).toMatchObject([{ form: 'activity', kind: 'research' }])
    const [rootsId] = Array.isArray(first.knowledge_ids) ? first.knowledge_ids : []
    expect(await world.backend.store.facts([String(rootsId)])).toMatchObject([
      { status: 'candidate', confidence: 0.65, predicate: 'source_roots', value: ['docs', 'src'] },
    ])
    const before = await head(world)
    const { memory_suggestions, ...rest } = first
    expect(memory_suggestions).toMatchObject({
      concept_candidates: [],
      agent_extraction: { protocol: 'agent_extraction.v1', source_id: first.source_id, resource: 'memory://agent-playbook' },
      counts: { concept_candidates: 0, concept_candidates_available: 0 },
    })
    expect(await ingest('repo', { path })).toEqual({
      ...rest,
      status: 'noop',
      patch_id: null,
      applied_operations: 0,
      audit_event_ids: [],
      projection_count: 0,
      reason: 'repo_fingerprint_unchanged',
    })
    expect(await head(world)).toBe(before)
    const decided = await ingest('repo', { path, exclude_patterns: ['.codex', '.worktrees'] })
    expect(decided).toMatchObject({ status: 'noop', requires_decision: false, warnings: [] })
  })

  it('has segments for every file with its contents', async () => {
    world = await openEvidence()
    const path = makeProject('farm', TREE)
    const { source_id } = await ingest('repo', { path })
    const source = await sourceOf(source_id)
    const segments = await allSegments(world, source.id)
    expect(segments.map(({ segmentId }) => segmentId)).toEqual([
      'doc-readme-md-1-farm',
      'doc-readme-md-5-keepers',
      'code-docs-a-b-ts',
      expect.stringMatching(/^code-docs-a-b-ts-[0-9a-f]{8}$/),
      'doc-notes-txt-1-paragraph',
      'doc-notes-txt-3-paragraph',
      'code-package-json',
      'code-src-keeper-ts',
      'code-src-lamp-ts',
    ])
    for (const segment of segments) {
      const { locator, excerpt, hash, segmentId } = segment
      const text = readFileSync(join(path, String(locator.path)), 'utf8')
      const output =
        locator.kind === 'code_file' ? text : readLines(text, { startLine: Number(locator.line_start), endLine: Number(locator.line_end) })
      expect([output.trim().slice(0, 1600), sha(output)]).toEqual([excerpt, hash])
      expect(await segmentById(world.environment, source, segmentId)).toEqual(segment)
    }
    expect(segments[1]?.locator).toEqual({
      kind: 'document_section',
      path: 'README.md',
      chunk_kind: 'section',
      line_start: 5,
      line_end: 7,
      heading_path: ['Farm', 'Keepers'],
    })
    expect(await segmentById(world.environment, source, 'code-none')).toBeUndefined()
    expect(await segmentById(world.environment, source, 'doc-readme-md-9-none')).toBeUndefined()
    const map = await repoMap(world.engine.context(), source, 10)
    expect(map.codeIndex.find((object) => object.path === 'src/keeper.ts')).toEqual({
      path: 'src/keeper.ts',
      language: 'typescript',
      line_count: 6,
      sha256: sha(TREE['src/keeper.ts']),
    })
    expect(map.codeModules.find((module) => module.path === 'src/keeper.ts')).toMatchObject({
      imports: ['./lamp.js'],
      classes: ['Keeper'],
      // Symbols have a kind and lines, methods the name of their class.
      symbols: expect.arrayContaining([
        { name: 'Keeper', kind: 'class', line_start: 2, line_end: 6 },
        { name: 'Keeper.light', kind: 'method', line_start: 3, line_end: 3 },
      ]),
    })
    expect(map.docIndex.map(({ path: file, content_type }) => [file, content_type])).toEqual([
      ['README.md', 'markdown'],
      ['notes.txt', 'text'],
    ])
    expect(map.documentSections[1]).toMatchObject({
      path: 'README.md',
      heading: 'Keepers',
      level: 2,
      line_start: 5,
      line_end: 7,
      heading_path: ['Farm', 'Keepers'],
      chunk_kind: 'section',
    })
  })

  it('applies patterns, which stay with the source, and force', async () => {
    world = await openEvidence()
    const path = makeProject('farm', TREE)
    const { source_id } = await ingest(
      'repo',
      { path, include_patterns: ['src', '*.md'], exclude_patterns: ['lamp.ts', '.worktrees'] },
      { force: true },
    )
    expect(await filesOf(source_id)).toEqual(['.codex/state.md', 'README.md', 'src/keeper.ts'])
    await callMemory(world.engine, 'index_project', { path })
    expect(await filesOf(source_id)).toEqual(['.codex/state.md', 'README.md', 'src/keeper.ts'])
    expect(
      await ingest('repo', { path, include_patterns: ['*.md', 'src'], exclude_patterns: ['.worktrees', 'lamp.ts'] }, { force: true }),
    ).toMatchObject({ status: 'noop' })
    await ingest('repo', { path, exclude_patterns: ['docs'] })
    expect(await filesOf(source_id)).toEqual(['README.md', 'notes.txt', 'package.json', 'src/keeper.ts', 'src/lamp.ts'])
    expect(await ingest('repo', { path, include_patterns: ['.env'] })).toMatchObject({ status: 'completed_with_pending_decisions' })
    expect(await filesOf(source_id)).toEqual([])
  })

  it('indexed as a project before keeps its id; only a changed file is read, and removed files are archived', async () => {
    world = await openEvidence()
    const path = makeProject('farm', TREE)
    await callMemory(world.engine, 'index_project', { path })
    const [project] = await world.backend.code.projects()
    const first = await ingest('repo', { path })
    expect(first.source_id).toBe(project?.id)
    const revisions = async () => {
      const files = await world.backend.store.sourceFiles(String(first.source_id), { after: '', limit: 99 })
      return new Map(files.map((file) => [file.path, file.passages.map(({ id }) => id).join()]))
    }
    const before = await revisions()
    appendFileSync(join(path, 'src/lamp.ts'), '\nexport const bright = true\n')
    rmSync(join(path, 'docs/a_b.ts'))
    const again = await ingest('repo', { path })
    expect(again).toMatchObject({ status: 'completed_with_pending_decisions', source_id: first.source_id })
    const after = await revisions()
    expect([...after].filter(([file, ids]) => before.get(file) !== ids).map(([file]) => file)).toEqual(['src/lamp.ts'])
    const nodes = (await world.backend.store.pageEntities({ owner: 'default', limit: 99 })).items
    expect(
      nodes
        .filter(({ type }) => type === 'module')
        .map(({ name, status }) => [name, status])
        .sort(),
    ).toEqual([
      ['docs/a-b.ts', 'active'],
      ['docs/a_b.ts', 'archived'],
      ['src/keeper.ts', 'active'],
      ['src/lamp.ts', 'active'],
    ])
    expect(await callMemory(world.engine, 'list_projects', {})).toMatchObject({ projects: ['farm'] })
  })

  it('follows no links out of it, and a folder without a repository is rejected', async () => {
    world = await openEvidence()
    const outside = makeProject('outside', { 'secret.ts': 'export const s = 1\n' })
    const path = makeProject('farm', { 'a.ts': 'export const a = 1\n' })
    symlinkSync(outside, join(path, 'out'))
    symlinkSync('.', join(path, 'loop'))
    mkdirSync(join(path, 'empty'))
    const { source_id } = await ingest('repo', { path })
    expect(await filesOf(source_id)).toEqual(['a.ts'])
    writeFileSync(join(path, 'b.txt'), 'x')
    await expect(ingest('repo', { path: join(path, 'b.txt') })).rejects.toMatchObject({
      message: `Repo path is not a directory: ${join(path, 'b.txt')}`,
    })
    await expect(ingest('repo', { path: '/no/such/folder' })).rejects.toMatchObject({
      message: 'Repo path is not a directory: /no/such/folder',
    })
    await expect(ingest('repo', { path, root: '/' })).rejects.toMatchObject({
      message: 'args.input_data.root: Extra inputs are not permitted',
    })
    await expect(ingest('repo', { path }, { apply: true })).rejects.toMatchObject({
      message: 'args.options.apply: Extra inputs are not permitted',
    })
    await expect(ingest('repo', { path, exclude_patterns: [''] })).rejects.toMatchObject({
      message: expect.stringContaining('exclude_patterns.0'),
    })
    await expect(ingest('video', { path })).rejects.toMatchObject({ message: 'Unsupported ingest mode: video' })
    await expect(ingest('markdown', {})).rejects.toMatchObject({ message: 'args.input_data.path: Field required' })
    await expect(ingest('conversation', { title: 'T', messages: [{ role: 'user' }] })).rejects.toMatchObject({
      message: 'args.input_data.messages.0.content: Field required',
    })
    await expect(ingest('conversation', { title: 'T', messages: [{ role: 'user', content: 'x', mood: 'y' }] })).rejects.toMatchObject({
      message: 'args.input_data.messages.0.mood: Extra inputs are not permitted',
    })
  })
})
